#include "fovea/tasks/hub_source.h"

#include <algorithm>

#include "fovea/tasks/model_folder.h"

namespace fovea {

HubSource::HubSource(const HubImport& from, std::string_view task, HubHead head)
    : from_(from),
      task_(task),
      config_(parse_json_file(from.folder / "config.json")),
      weights_(from.weights.empty() ? HubWeights::open(from.folder)
                                    : HubWeights::open_file(from.weights)),
      net_(hub_text_model(config_, weights_, "encoder")) {
  const HubHead has = hub_head(config_);
  FOVEA_CHECK(head == HubHead::none || head == has, "import: --task ", task, " needs a head of ",
              name_of(head), ", but config.json's architectures name one of ", name_of(has));
  head_ = hub_head_names(net_, head, config_, weights_);
}

void HubSource::note_unused() {
  const std::vector<std::string> unused = hub_unused(net_, head_, weights_);
  if (unused.empty()) return;
  note(concat(unused.size(), " tensors of another head are left out: ", unused.front(),
              unused.size() > 1 ? ", ..." : ""));
}

Tokenizer HubSource::tokenizer() const {
  return Tokenizer::of(HubTokenizer::load(from_.folder), net_.encoder.vocabulary);
}

std::unique_ptr<Params> HubSource::params() {
  NameMap names = net_.names;
  names.insert(head_.names.begin(), head_.names.end());
  const auto all = static_cast<double>(names.size());
  auto done = std::make_shared<double>(0);
  const Params::Source source = source_of(weights_, names);
  return std::make_unique<Params>(0, [=, reading = reading_,
                                      progress = from_.progress](const std::string& name) {
    const auto at = names.find(name);
    FOVEA_CHECK(at != names.end(), "import: ", name, ": nothing in the checkpoint stands for it");
    *reading = at->second.names.front();
    if (progress) progress(*done / all, "reading " + *reading);
    ++*done;
    return source(name);
  });
}

Dim HubSource::max_tokens(const Tokenizer& words, std::optional<Dim> wanted, bool pair) const {
  const Dim marks = pair ? words.layout().pair_count() : words.layout().single_count();
  const Dim most = std::min(net_.encoder.longest, wanted.value_or(net_.encoder.longest)) - marks;
  FOVEA_CHECK(most > 0, "config.json: ", net_.encoder.longest,
              " places are too few for the marks around a text");
  return most;
}

std::optional<Dim> HubSource::tokenizer_max_tokens() const {
  return HubTokenizer::load(from_.folder).max_length();
}

std::string HubSource::title() const {
  return concat(net_.type, " of ", from_.folder.filename().string());
}

void HubSource::begin_writing() {
  reading_->clear();
  if (from_.progress) from_.progress(1, "writing");
}

}  // namespace fovea
