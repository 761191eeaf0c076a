/// Tasks that are a rule: sequences of digits and what becomes of them.
#pragma once

#include <filesystem>
#include <string>

#include "fovea/base/rng.h"

namespace fovea {

/// Digits with blanks between them.
struct AlgorithmicLine {
  std::string source, target;
};

/// 3 1 4 -> 3 1 4 and 3 1 4 -> 4 1 3, `length` digits; and "5 1 + 8" -> "3 2", numbers with their
/// last digit first, `length` symbols in all, of which the plus is one (1: a single digit).
AlgorithmicLine copy_line(std::uint32_t length, const Draws& draws);
AlgorithmicLine reverse_line(std::uint32_t length, const Draws& draws);
AlgorithmicLine addition_line(std::uint32_t length, const Draws& draws);

/// Writes lines of "source<TAB>target": <task>.train.tsv with 40,000 of lengths from 1 to 40,
/// <task>.dev.tsv and <task>.test.tsv with 1,000, <task>.dev80.tsv and <task>.test80.tsv with 500
/// of length 80; tasks are copy, reverse and addition. The same bytes on every machine.
void make_algorithmic(const std::filesystem::path& root, const std::filesystem::path& folder);

}  // namespace fovea
