#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace fovea {

/// Writes en-de.tsv.xz, en-fr.tsv.xz and en-zh-cn.tsv.xz, lines of "English<TAB>other", from the
/// packages libreoffice-help-* that are installed. Pages of the same path belong together, and in
/// them paragraphs of the same id. A pair stands once; what is the same in both languages (names,
/// formulas) and titles of one or two words are left out.
void extract_help(const std::filesystem::path& root, const std::filesystem::path& folder);

struct HelpParagraph {
  std::string id, text;

  bool operator==(const HelpParagraph&) const = default;
};

/// Paragraphs and headings of a page that have an id, without markup. Of what differs between
/// systems ("Command" or "Ctrl") the default is taken.
std::vector<HelpParagraph> help_paragraphs(std::string_view html);

}  // namespace fovea
