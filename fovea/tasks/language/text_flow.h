/// Texts as language models read them: one row of ids, in which the end of a line is an id too. Of
/// characters and bytes it is that of "\n"; of other tokenizers, which know no lines, their end.
/// Models of others write "\n" as any text, and an end after which there is no more.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "fovea/tasks/data_parts.h"
#include "fovea/text/tokenizer.h"

namespace fovea {

class TextFlow {
 public:
  explicit TextFlow(Tokenizer tokenizer);

  const Tokenizer& tokenizer() const { return tokenizer_; }
  /// Of others: the end of the text.
  std::int32_t line_end() const { return line_end_; }
  /// What a text is begun with. Others' models may ask for nothing, but then for some text.
  Ids beginning() const;
  /// What ends a text that is written; decode/search.h's no_end: nothing does.
  std::int32_t text_end() const;

  Ids encode(std::string_view text) const;
  std::string decode(std::span<const std::int32_t> ids) const;
  /// What ids[from...] add to the text of those before.
  std::string continuation(std::span<const std::int32_t> ids, std::size_t from) const;
  /// One id as a person should see it, the end of a line as "↵".
  std::string piece(std::int32_t id) const;
  /// Ids that no text has: the unknown and control symbols.
  Ids never_written() const;

 private:
  bool knows_lines() const;
  bool of_others() const { return tokenizer_.config().kind == TokenizerKind::hub; }

  Tokenizer tokenizer_;
  std::int32_t line_end_;
};

/// The tokenizer of a text, which learns the ends of lines too if it knows them.
Tokenizer learn_flow(const TokenizerConfig& config, std::string_view text);

/// All lines of the files of a part, one after the other, each with its end; or the part's share of
/// the text of `train`, by position. A part without text is an Error.
std::string read_text(const DataParts& data, Part part);

/// Unicode's characters of a valid text.
Dim count_characters(std::string_view text);

}  // namespace fovea
