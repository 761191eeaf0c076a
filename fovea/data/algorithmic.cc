#include "fovea/data/algorithmic.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "fovea/base/atomic_file.h"
#include "fovea/base/check.h"

namespace fovea {
namespace {

using Digits = std::vector<std::uint32_t>;

/// Numbers [first, first + count) of a row.
Digits digits(std::uint32_t count, const Draws& draws, std::uint64_t first = 0) {
  Digits all;
  for (std::uint32_t i = 0; i < count; ++i) all.push_back(draws.below(first + i, 10));
  return all;
}

std::string text_of(const Digits& digits) {
  std::string text;
  for (const std::uint32_t digit : digits) text += concat(text.empty() ? "" : " ", digit);
  return text;
}

/// Of numbers that begin with their last digit.
Digits sum_of(const Digits& a, const Digits& b) {
  Digits sum;
  std::uint32_t carry = 0;
  for (std::size_t i = 0; i < std::max(a.size(), b.size()) || carry > 0; ++i) {
    const std::uint32_t here = (i < a.size() ? a[i] : 0) + (i < b.size() ? b[i] : 0) + carry;
    sum.push_back(here % 10);
    carry = here / 10;
  }
  return sum;
}

struct Task {
  std::string_view name;
  AlgorithmicLine (*line)(std::uint32_t length, const Draws& draws);
};
constexpr std::array<Task, 3> tasks = {
    {{"copy", copy_line}, {"reverse", reverse_line}, {"addition", addition_line}}};

struct Portion {
  std::string_view name;
  std::uint32_t lines, shortest, longest;
};
constexpr std::array<Portion, 5> portions = {{{"train", 40000, 1, 40},
                                              {"dev", 1000, 1, 40},
                                              {"dev80", 500, 80, 80},
                                              {"test", 1000, 1, 40},
                                              {"test80", 500, 80, 80}}};

}  // namespace

AlgorithmicLine copy_line(std::uint32_t length, const Draws& draws) {
  const std::string line = text_of(digits(length, draws));
  return {line, line};
}

AlgorithmicLine reverse_line(std::uint32_t length, const Draws& draws) {
  Digits all = digits(length, draws);
  const std::string line = text_of(all);
  std::reverse(all.begin(), all.end());
  return {line, text_of(all)};
}

AlgorithmicLine addition_line(std::uint32_t length, const Draws& draws) {
  if (length < 3) return copy_line(1, draws);
  const Digits a = digits((length - 1) / 2, draws);
  const Digits b = digits(length - 1 - (length - 1) / 2, draws, a.size());
  return {concat(text_of(a), " + ", text_of(b)), text_of(sum_of(a, b))};
}

void make_algorithmic(const std::filesystem::path&, const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  std::uint64_t site = 0;
  for (const Task& task : tasks) {
    for (const Portion& portion : portions) {
      std::string text;
      for (std::uint32_t i = 0; i < portion.lines; ++i) {
        const Draws draws = {.seed = 40, .site = ++site};
        // Digits are drawn from the beginning of the row; its length far behind them.
        const std::uint32_t length =
            portion.shortest + draws.below(1 << 20, portion.longest - portion.shortest + 1);
        const AlgorithmicLine line = task.line(length, draws);
        text += concat(line.source, "\t", line.target, "\n");
      }
      write_atomically(folder / concat(task.name, ".", portion.name, ".tsv"), text);
    }
  }
}

}  // namespace fovea
