// Empty on purpose: this program only owns the precompiled headers that all test programs share. See CMakeLists.txt.
int main() {}
