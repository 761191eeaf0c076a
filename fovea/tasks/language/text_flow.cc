#include "fovea/tasks/language/text_flow.h"

#include <algorithm>

#include "fovea/base/check.h"
#include "fovea/config/config.h"
#include "fovea/data/find_data.h"
#include "fovea/decode/search.h"

namespace fovea {
namespace {

/// Calls visit(line, ended) for each line, without its end; `ended` says that it has one.
template <class Visit>
void for_each_line(std::string_view text, Visit visit) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const bool ended = end != std::string_view::npos;
    visit(text.substr(0, end), ended);
    text.remove_prefix(ended ? end + 1 : text.size());
  }
}

std::string lines_of(const std::vector<std::string>& files) {
  std::string text, line;
  for (const std::string& file : files) {
    TextReader reader(resolve(file, "."));
    while (reader.next(line)) text += line + "\n";
  }
  return text;
}

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

/// The place at this share of a text, not within a character.
std::size_t place_of(std::string_view text, double share) {
  auto place = static_cast<std::size_t>(share * static_cast<double>(text.size()));
  while (place < text.size() && continues_character(text[place])) ++place;
  return std::min(place, text.size());
}

}  // namespace

TextFlow::TextFlow(Tokenizer tokenizer) : tokenizer_(std::move(tokenizer)) {
  line_end_ = knows_lines() && !of_others() ? tokenizer_.encode("\n")[0] : tokenizer_.special().end;
}

bool TextFlow::knows_lines() const {
  const TokenizerKind kind = tokenizer_.config().kind;
  return kind == TokenizerKind::characters || kind == TokenizerKind::bytes || of_others();
}

Ids TextFlow::beginning() const {
  return of_others() ? tokenizer_.layout().before : Ids{line_end_};
}

std::int32_t TextFlow::text_end() const { return of_others() ? tokenizer_.special().end : no_end; }

Tokenizer learn_flow(const TokenizerConfig& config, std::string_view text) {
  return Tokenizer::train(config, [&](std::string& line) {
    if (text.empty()) return false;
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    line = text.substr(0, end);
    text.remove_prefix(end);
    const bool whole = config.kind == TokenizerKind::characters;
    if (!whole && line.ends_with('\n')) line.pop_back();
    return true;
  });
}

Ids TextFlow::encode(std::string_view text) const {
  if (knows_lines()) return tokenizer_.encode(text);
  Ids ids;
  for_each_line(text, [&](std::string_view line, bool ended) {
    const Ids here = tokenizer_.encode(line);
    ids.insert(ids.end(), here.begin(), here.end());
    if (ended) ids.push_back(line_end_);
  });
  return ids;
}

std::string TextFlow::decode(std::span<const std::int32_t> ids) const {
  if (knows_lines()) return tokenizer_.decode(ids);
  std::string text;
  while (!ids.empty()) {
    const auto end = std::find(ids.begin(), ids.end(), line_end_);
    const auto length = static_cast<std::size_t>(end - ids.begin());
    text += tokenizer_.decode(ids.first(length));
    if (end != ids.end()) text += "\n";
    ids = ids.subspan(std::min(length + 1, ids.size()));
  }
  return text;
}

std::string TextFlow::continuation(std::span<const std::int32_t> ids, std::size_t from) const {
  const std::string before = decode(ids.first(from)), whole = decode(ids);
  // A character may have begun before `from`: what was shown of it stays.
  return whole.size() < before.size() ? "" : whole.substr(before.size());
}

std::string TextFlow::piece(std::int32_t id) const {
  return id == line_end_ && !of_others() ? "↵" : tokenizer_.piece(id);
}

Ids TextFlow::never_written() const {
  Ids ids = tokenizer_.controls();
  std::erase(ids, line_end_);
  const std::int32_t unknown = tokenizer_.special().unknown;
  if (unknown != line_end_) ids.push_back(unknown);
  return ids;
}

std::string read_text(const DataParts& data, Part part) {
  expect_part(data, part);
  const std::vector<std::string>& files = files_of(data, part);
  std::string text = lines_of(files);
  if (&files == &data.train) {
    const double test = data.test.empty() ? data.split.test : 0;
    const double dev = data.dev.empty() ? data.split.dev : 0;
    FOVEA_CHECK(dev >= 0 && test >= 0 && dev + test < 1, "data.split: dev = ", dev,
                " and test = ", test,
                " are shares of the text: from 0 on, and together less than 1");
    const std::size_t dev_begin = place_of(text, 1 - test - dev);
    const std::size_t test_begin = place_of(text, 1 - test);
    switch (part) {
      case Part::train:
        text.resize(dev_begin);
        break;
      case Part::dev:
        text = text.substr(dev_begin, test_begin - dev_begin);
        break;
      case Part::test:
        text.erase(0, test_begin);
        break;
    }
  }
  FOVEA_CHECK(!text.empty(), "data: the ", name_of(part), " set has no text; is ", files.front(),
              " empty?");
  return text;
}

Dim count_characters(std::string_view text) {
  return std::count_if(text.begin(), text.end(), [](char c) { return !continues_character(c); });
}

}  // namespace fovea
