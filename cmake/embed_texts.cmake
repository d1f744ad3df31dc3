# Run by wave_embed at build time: writes OUTPUT from the lists in LIST. Texts become arrays of bytes, since compilers
# limit the length of a string literal.
include(${LIST})

set(arrays "")
set(entries "")
set(number 0)
foreach(path key IN ZIP_LISTS paths keys)
  file(READ ${path} bytes HEX)
  string(LENGTH "${bytes}" digits)
  math(EXPR size "${digits} / 2")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  # Lines of limited length keep the file readable for tools.
  string(REGEX REPLACE "((0x[0-9a-f][0-9a-f],)(0x[0-9a-f][0-9a-f],)(0x[0-9a-f][0-9a-f],)(0x[0-9a-f][0-9a-f],)(0x[0-9a-f][0-9a-f],)(0x[0-9a-f][0-9a-f],)(0x[0-9a-f][0-9a-f],)(0x[0-9a-f][0-9a-f],))"
         "\\1\n" bytes "${bytes}")
  string(APPEND arrays "const unsigned char text_${number}[] = {\n${bytes}0};\n")
  string(APPEND entries "      {\"${key}\", std::string(reinterpret_cast<const char*>(text_${number}), ${size})},\n")
  math(EXPR number "${number} + 1")
endforeach()

file(WRITE ${OUTPUT} "// Generated from the project's texts; see cmake/Embed.cmake.
#include \"${header}\"

namespace {
${arrays}}  // namespace

const std::vector<std::pair<std::string, std::string>>& ${accessor}() {
  static const std::vector<std::pair<std::string, std::string>> texts = {
${entries}  };
  return texts;
}
")
