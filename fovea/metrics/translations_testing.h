/// tests/fixtures/translations.tsv: hypotheses of ours with two references each, full of marks,
/// entities, numbers, other scripts, odd spaces and empty lines.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace fovea {

struct Translations {
  std::vector<std::string> hypotheses;
  std::vector<std::vector<std::string>> references;

  explicit Translations(std::size_t references_per_line) {
    std::ifstream in(FOVEA_FIXTURES "/translations.tsv");
    EXPECT_TRUE(in) << "translations.tsv is missing";
    for (std::string line; std::getline(in, line);) {
      std::istringstream fields(line);
      std::string field;
      std::getline(fields, field, '\t');
      hypotheses.push_back(field);
      references.emplace_back();
      while (references.back().size() < references_per_line) {
        field.clear();  // the last field may be empty, and then cannot be read
        std::getline(fields, field, '\t');
        references.back().push_back(field);
      }
    }
  }
};

}  // namespace fovea
