/// Our side of bench/tokenizers: tokenize_bench FOLDER TEXT. Each line of input is a wish: "go" for
/// one pass over the lines of the text, answered by seconds and the number of tokens; "show" for
/// the tokens of each line, answered by a line of ids and the bytes that each stands for: "5:0-3
/// 9:4-7".
#include <chrono>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "fovea/base/check.h"
#include "fovea/tokenizers/hub_tokenizer.h"

namespace {

void show(const fovea::HubEncoding& line) {
  for (std::size_t i = 0; i < line.ids.size(); ++i) {
    std::cout << (i == 0 ? "" : " ") << line.ids[i] << ":" << line.offsets[i].begin << "-"
              << line.offsets[i].end;
  }
  std::cout << "\n";
}

}  // namespace

int main(int count, char** arguments) try {
  using Clock = std::chrono::steady_clock;
  FOVEA_CHECK(count == 3, "usage: tokenize_bench FOLDER TEXT");
  const auto tokenizer = fovea::HubTokenizer::load(arguments[1]);
  std::ifstream in(arguments[2]);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  for (std::string wish; std::getline(std::cin, wish);) {
    if (wish == "show") {
      for (const std::string& line : lines) show(tokenizer.encode(line));
      std::cout << std::flush;
      continue;
    }
    const auto begin = Clock::now();
    std::size_t tokens = 0;
    for (const std::string& line : lines) tokens += tokenizer.encode(line).ids.size();
    std::cout << std::chrono::duration<double>(Clock::now() - begin).count() << " " << tokens
              << std::endl;
  }
} catch (const std::exception& error) {
  std::cerr << "tokenize_bench: " << error.what() << "\n";
  return 1;
}
