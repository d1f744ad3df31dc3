// A file that keeps the rules. std::cout << "not code"; exit(1);
#include "ir/ids.h"

#include <fmt/format.h>

#include <vector>

/* printf("in a comment");
   exit(2); */
inline void name(char* text) { snprintf(text, 4, "exit(1)"); }
