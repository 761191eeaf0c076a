# Writes a C++ source that holds the bytes of a file: std::string_view fovea::NAME().
# cmake -DFILE=<file> -DNAME=<function> -DHEADER=<its header> -DOUT=<source> -P EmbedFile.cmake
cmake_minimum_required(VERSION 3.25)

file(READ ${FILE} bytes HEX)
string(LENGTH "${bytes}" size)
math(EXPR size "${size} / 2")
string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
file(WRITE ${OUT} "#include \"${HEADER}\"

namespace fovea {
namespace {
const unsigned char bytes[] = {
${bytes}
};
}  // namespace

std::string_view ${NAME}() { return {reinterpret_cast<const char*>(bytes), ${size}}; }

}  // namespace fovea
")
