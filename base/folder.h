// What a disk knows of a folder.
#pragma once

#include <string>

namespace wave {

// Has the disk keep the names in the folder of a file: what was made or renamed there is found again after the power
// has failed. Returns 0 or the error. A folder that may be written to but not read cannot be told, and a file system
// that knows no such request need not be: neither is an error.
int sync_folder_of(const std::string& file);

}  // namespace wave
