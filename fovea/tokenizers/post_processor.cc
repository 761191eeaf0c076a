#include "fovea/tokenizers/post_processor.h"

#include <limits>

namespace fovea::hub {
namespace {

using Kind = TemplatePart::Kind;

std::int32_t small(const JsonPart& json) {
  const std::int64_t number = json.whole();
  if (number < 0 || number > std::numeric_limits<std::int32_t>::max()) {
    json.wrong(number, " is out of range");
  }
  return static_cast<std::int32_t>(number);
}

/// ["[SEP]", 102]
Ids read_special(const JsonPart& json) {
  const auto fields = json.elements();
  if (fields.size() != 2) json.wrong("expected a token and its id");
  return {small(fields[1])};
}

std::vector<TemplatePart> read_template(const JsonPart& json, const JsonPart& special) {
  std::vector<TemplatePart> parts;
  for (const JsonPart& part : json.elements()) {
    if (part.has("Sequence")) {
      const JsonPart text = part.at("Sequence");
      const std::string which = text.text("id");
      if (which != "A" && which != "B") text.wrong("expected A or B, found '", which, "'");
      parts.push_back({which == "A" ? Kind::text : Kind::pair, small(text.at("type_id"))});
      continue;
    }
    if (!part.has("SpecialToken")) part.wrong("expected a Sequence or a SpecialToken");
    const JsonPart token = part.at("SpecialToken");
    TemplatePart put = {Kind::special, small(token.at("type_id"))};
    for (const JsonPart& id : special.at(token.text("id").c_str()).at("ids").elements()) {
      put.ids.push_back(small(id));
    }
    parts.push_back(std::move(put));
  }
  return parts;
}

void read_into(const JsonPart& json, PostProcessor& into, int depth) {
  const std::string_view type = json.type(
      "post-processor",
      {"BertProcessing", "ByteLevel", "RobertaProcessing", "Sequence", "TemplateProcessing"});
  if (type == "Sequence") {
    if (depth >= deepest_part) json.wrong("sequences stand in sequences too deep");
    for (const JsonPart& part : json.at("processors").elements()) read_into(part, into, depth + 1);
    return;
  }
  if (type == "ByteLevel" || type == "RobertaProcessing") {
    into.trim = json.flag("trim_offsets", true);
    into.prefix_space = json.flag("add_prefix_space", true);
  }
  if (type == "TemplateProcessing") {
    into.single = read_template(json.at("single"), json.at("special_tokens"));
    into.pair = read_template(json.at("pair"), json.at("special_tokens"));
  } else if (type != "ByteLevel") {
    const Ids cls = read_special(json.at("cls")), sep = read_special(json.at("sep"));
    const bool bert = type == "BertProcessing";
    into.single = {{Kind::special, 0, cls}, {Kind::text, 0}, {Kind::special, 0, sep}};
    into.pair = into.single;
    if (!bert) into.pair.push_back({Kind::special, 0, sep});
    into.pair.push_back({Kind::pair, bert ? 1 : 0});
    into.pair.push_back({Kind::special, bert ? 1 : 0, sep});
  }
}

}  // namespace

Dim PostProcessor::special_count(const std::vector<TemplatePart>& parts) {
  Dim count = 0;
  for (const TemplatePart& part : parts) count += static_cast<Dim>(part.ids.size());
  return count;
}

PostProcessor read_post_processor(const JsonPart& json) {
  PostProcessor processor;
  read_into(json, processor, 0);
  return processor;
}

}  // namespace fovea::hub
