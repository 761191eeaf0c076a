#include "fovea/tokenizers/decoder.h"

#include <algorithm>
#include <array>
#include <optional>

#include "fovea/tokenizers/byte_characters.h"
#include "fovea/tokenizers/pattern.h"
#include "fovea/tokenizers/pre_tokenizer.h"

namespace fovea::hub {
namespace {

/// The text with other content in the place of the matches.
std::string replaced(std::string_view text, const std::vector<Span>& matches,
                     std::string_view content) {
  std::string result;
  std::size_t done = 0;
  for (const auto& [begin, end] : matches) {
    result += text.substr(done, begin - done);
    result += content;
    done = end;
  }
  return result += text.substr(done);
}

void replace_all(std::string& text, std::string_view old, std::string_view content) {
  std::vector<Span> matches;
  for (std::size_t at = text.find(old); at != text.npos;) {
    const auto begin = static_cast<std::uint32_t>(at);
    matches.push_back({begin, begin + static_cast<std::uint32_t>(old.size())});
    at = text.find(old, at + old.size());
  }
  if (!matches.empty()) text = replaced(text, matches, content);
}

/// Undoes the spaces that BERT's words have around marks and in short forms of English.
void clean_up(std::string& text) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 11> pairs = {{
      {" .", "."},
      {" ?", "?"},
      {" !", "!"},
      {" ,", ","},
      {" ' ", "'"},
      {" n't", "n't"},
      {" 'm", "'m"},
      {" do not", " don't"},
      {" 's", "'s"},
      {" 've", "'ve"},
      {" 're", "'re"},
  }};
  for (const auto& [old, put] : pairs) replace_all(text, old, put);
}

class WordPieceDecoder : public Decoder {
 public:
  explicit WordPieceDecoder(const JsonPart& json)
      : prefix_(json.text("prefix")), clean_(json.flag("cleanup")) {}

  void operator()(std::vector<std::string>& tokens) const override {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (i > 0) {
        if (tokens[i].starts_with(prefix_)) {
          tokens[i].erase(0, prefix_.size());
        } else {
          tokens[i].insert(tokens[i].begin(), ' ');
        }
      }
      if (clean_) clean_up(tokens[i]);
    }
  }

 private:
  std::string prefix_;
  bool clean_;
};

class ByteLevelDecoder : public Decoder {
 public:
  void operator()(std::vector<std::string>& tokens) const override {
    std::string bytes;
    for (const std::string& token : tokens) bytes += bytes_of_characters(token).value_or(token);
    tokens = {repaired_utf8(bytes)};
  }
};

class MetaspaceDecoder : public Decoder {
 public:
  explicit MetaspaceDecoder(const JsonPart& json)
      : mark_(json.text("replacement")), scheme_(read_prepend_scheme(json)) {
    if (mark_.empty()) json.at("replacement").wrong("is empty");
  }

  void operator()(std::vector<std::string>& tokens) const override {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const bool drop = i == 0 && scheme_ != PrependScheme::never;
      replace_all(tokens[i], mark_, drop ? "" : " ");
    }
  }

 private:
  std::string mark_;
  PrependScheme scheme_;
};

class ReplaceDecoder : public Decoder {
 public:
  explicit ReplaceDecoder(const JsonPart& json)
      : pattern_(read_pattern(json.at("pattern"))), content_(json.text("content")) {}

  void operator()(std::vector<std::string>& tokens) const override {
    std::vector<Span> matches;
    for (std::string& token : tokens) {
      matches.clear();
      pattern_->find(token, matches);
      if (!matches.empty()) token = replaced(token, matches, content_);
    }
  }

 private:
  std::unique_ptr<Pattern> pattern_;
  std::string content_;
};

class Fuse : public Decoder {
 public:
  void operator()(std::vector<std::string>& tokens) const override {
    std::string all;
    for (const std::string& token : tokens) all += token;
    tokens = {std::move(all)};
  }
};

class StripDecoder : public Decoder {
 public:
  explicit StripDecoder(const JsonPart& json)
      : content_(json.text("content")),
        start_(json.at("start").whole()),
        stop_(json.at("stop").whole()) {
    if (content_.empty()) json.at("content").wrong("is empty");
  }

  void operator()(std::vector<std::string>& tokens) const override {
    for (std::string& token : tokens) {
      for (std::int64_t i = 0; i < start_ && token.starts_with(content_); ++i) {
        token.erase(0, content_.size());
      }
      for (std::int64_t i = 0; i < stop_ && token.ends_with(content_); ++i) {
        token.erase(token.size() - content_.size());
      }
    }
  }

 private:
  std::string content_;
  std::int64_t start_, stop_;  // how many at most, at either end
};

/// "<0xE4>" stands for a byte; a run of them that is no UTF-8 gives U+FFFD for each.
class ByteFallback : public Decoder {
 public:
  void operator()(std::vector<std::string>& tokens) const override {
    std::vector<std::string> result;
    std::string run;
    const auto end_run = [&] {
      if (run.empty()) return;
      if (valid_utf8(run)) {
        result.push_back(run);
      } else {
        for (std::size_t i = 0; i < run.size(); ++i) result.push_back("\uFFFD");
      }
      run.clear();
    };
    for (std::string& token : tokens) {
      if (const auto byte = byte_of(token)) {
        run += *byte;
      } else {
        end_run();
        result.push_back(std::move(token));
      }
    }
    end_run();
    tokens = std::move(result);
  }

 private:
  static int digit(char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
                                  : -1;
  }
  static std::optional<char> byte_of(std::string_view token) {
    if (token.size() != 6 || !token.starts_with("<0x") || token[5] != '>') return std::nullopt;
    const int high = digit(token[3]), low = digit(token[4]);
    if (high < 0 || low < 0) return std::nullopt;
    return static_cast<char>(high * 16 + low);
  }
};

class Sequence : public Decoder {
 public:
  Sequence(const JsonPart& json, int depth) {
    if (depth >= deepest_part) json.wrong("sequences stand in sequences too deep");
    for (const JsonPart& part : json.at("decoders").elements()) {
      parts_.push_back(read_decoder(part, depth + 1));
    }
  }
  void operator()(std::vector<std::string>& tokens) const override {
    for (const auto& part : parts_) (*part)(tokens);
  }

 private:
  std::vector<std::unique_ptr<Decoder>> parts_;
};

}  // namespace

std::unique_ptr<Decoder> read_decoder(const JsonPart& json, int depth) {
  const std::string_view type =
      json.type("decoder", {"ByteFallback", "ByteLevel", "Fuse", "Metaspace", "Replace", "Sequence",
                            "Strip", "WordPiece"});
  if (type == "ByteFallback") return std::make_unique<ByteFallback>();
  if (type == "ByteLevel") return std::make_unique<ByteLevelDecoder>();
  if (type == "Fuse") return std::make_unique<Fuse>();
  if (type == "Metaspace") return std::make_unique<MetaspaceDecoder>(json);
  if (type == "Replace") return std::make_unique<ReplaceDecoder>(json);
  if (type == "Strip") return std::make_unique<StripDecoder>(json);
  if (type == "WordPiece") return std::make_unique<WordPieceDecoder>(json);
  return std::make_unique<Sequence>(json, depth);
}

}  // namespace fovea::hub
