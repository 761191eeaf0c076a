// LibreTranslate's ways of asking: https://libretranslate.com/docs
#include <unicode/uloc.h>
#include <unicode/ustring.h>

#include <map>
#include <set>

#include "fovea/inspect/run_json.h"
#include "fovea/serve/asking.h"

namespace fovea::serve {
namespace {

/// "de" is "German".
std::string name_of(const std::string& code) {
  UChar name[100];
  UErrorCode status = U_ZERO_ERROR;
  const int32_t length = uloc_getDisplayLanguage(code.c_str(), "en", name, 100, &status);
  if (U_FAILURE(status) || length >= 100) return code;
  char utf8[400];
  int32_t bytes = 0;
  u_strToUTF8(utf8, sizeof utf8, &bytes, name, length, &status);
  return U_FAILURE(status) ? code : std::string(utf8, static_cast<std::size_t>(bytes));
}

std::size_t model_of_languages(const Api& api, const std::string& source,
                               const std::string& target) {
  std::string pairs;
  for (std::size_t i = 0; i < api.models().size(); ++i) {
    const Served& model = api.models()[i];
    if (model.target.empty()) continue;
    if (model.target == target && (source == "auto" || model.source == source)) return i;
    pairs += concat(pairs.empty() ? "" : ", ", model.source, " to ", model.target);
  }
  throw ApiError(400, pairs.empty()
                          ? "no model here says its languages by its name, as "
                            "multi30k-en-de does; "
                            "POST /v1/run takes any model by name"
                          : concat("source, target: no model translates these; there are ", pairs));
}

/// A text as lines: models read a line at a time.
struct Lines {
  std::vector<std::string> lines;
  std::vector<std::size_t> of_text;  // how many lines each text has

  void add(std::string_view text) {
    std::size_t count = 0;
    for (;; ++count) {
      const std::size_t end = text.find('\n');
      lines.emplace_back(text.substr(0, end));
      if (lines.back().ends_with('\r')) lines.back().pop_back();
      if (end == std::string_view::npos) break;
      text.remove_prefix(end + 1);
    }
    of_text.push_back(count + 1);
  }
};

Json answer_of(const Lines& asked, const std::vector<Said>& said, bool list, std::size_t others) {
  Json texts = Json::array(), alternatives = Json::array(), attention = Json::array();
  std::size_t at = 0;
  bool cut = false;
  for (const std::size_t count : asked.of_text) {
    std::string text;
    Json more = Json::array();
    for (std::size_t i = 0; i < count; ++i, ++at) {
      text += concat(i == 0 ? "" : "\n", said[at].text);
      cut = cut || said[at].cut;
      if (said[at].record) attention.push_back(run_json_with_weights(*said[at].record, ""));
    }
    // Of a text of one line, as LibreTranslate gives them.
    const auto& found = said[at - 1].texts;
    for (std::size_t i = 1; count == 1 && i < found.size() && i <= others; ++i) {
      more.push_back(found[i].text);
    }
    texts.push_back(std::move(text));
    alternatives.push_back(std::move(more));
  }
  Json answer = {{"translatedText", list ? texts : texts[0]}};
  if (others > 0) answer["alternatives"] = list ? alternatives : alternatives[0];
  if (!attention.empty()) answer["attention"] = std::move(attention);
  if (cut) answer["cut"] = true;
  return answer;
}

}  // namespace

void post_translate(Api& api, const ExchangePtr& exchange) {
  const Fields fields = Fields::of(exchange->request());
  const std::string source = fields.text("source", "auto"), target = fields.text("target");
  const std::size_t number =
      fields.has("model") ? model_of(api, fields) : model_of_languages(api, source, target);
  const Served& model = api.models()[number];
  expect_writer(model, "/translate");
  if (fields.text("format", "text") != "text") wrong("format", "only \"text\" is understood");
  WriteSettings settings = settings_of(api, model, fields);
  const Dim others = fields.whole("alternatives", 0, api.config().beam - 1).value_or(0);
  if (fields.has("alternatives")) {
    settings.decode.n_best = std::max(settings.decode.n_best, others + 1);
    settings.decode.beam = std::max(settings.decode.beam, settings.decode.n_best);
    if (settings.decode.search == Search::greedy && others > 0) {
      settings.decode.search = Search::beam;
    }
  }
  Lines lines;
  for (const std::string& text : fields.texts("q")) lines.add(text);
  const bool list = fields.at("q").is_array();
  auto asks = asks_of(api, lines.lines, settings, attention_of(fields));
  const Json detected =
      source == "auto" ? Json{{"confidence", 100}, {"language", model.source}} : Json();
  ask(api, exchange, number, std::move(asks),
      [exchange, lines, list, others, detected](std::vector<Said> said) {
        for (const Said& one : said) expect_seen(one);
        Json answer = answer_of(lines, said, list, static_cast<std::size_t>(others));
        if (!detected.is_null()) {
          answer["detectedLanguage"] =
              list ? Json(std::vector<Json>(lines.of_text.size(), detected)) : detected;
        }
        exchange->answer(answer);
      });
}

void get_languages(Api& api, const ExchangePtr& exchange) {
  std::map<std::string, std::set<std::string>> targets;
  for (const Served& model : api.models()) {
    if (model.target.empty()) continue;
    targets[model.source].insert(model.target);
    targets[model.target];
  }
  Json all = Json::array();
  for (const auto& [code, some] : targets) {
    all.push_back({{"code", code}, {"name", name_of(code)}, {"targets", some}});
  }
  exchange->answer(all);
}

}  // namespace fovea::serve
