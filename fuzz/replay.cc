// Runs a fuzzer on every file of a folder, without libFuzzer: fuzz_<name> FOLDER
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int main(int count, char** values) {
  std::vector<std::filesystem::path> files;
  if (count == 2) {
    for (const auto& entry : std::filesystem::directory_iterator(values[1])) files.push_back(entry);
  }
  std::sort(files.begin(), files.end());
  for (const auto& file : files) {
    std::printf("%s\n", file.c_str());
    std::fflush(stdout);
    std::ifstream in(file, std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(in), {});
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  }
  std::printf("%zu cases\n", files.size());
  return files.empty() ? 1 : 0;
}
