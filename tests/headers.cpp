// Nothing: what belongs to this program are the precompiled headers of the others. See CMakeLists.txt.
int main() {}
