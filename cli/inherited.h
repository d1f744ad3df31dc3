// What a program that takes this one's place inherits: limits of memory and stack, and which signals are ignored.
#pragma once

namespace wave::cli {

// Takes down what this program has inherited, before it changes any of that for itself.
void note_inherited();
// Sets that again, for a program that takes this one's place. An alarm stays: it is a time limit that the user gave, or
// was ended before.
void restore_inherited();

}  // namespace wave::cli
