/// A folder of Hugging Face's with an encoder of texts and a head, while a task makes a model of
/// it.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fovea/formats/safetensors.h"
#include "fovea/hub/head.h"
#include "fovea/tasks/import_hub.h"
#include "fovea/text/tokenizer.h"

namespace fovea {

class HubSource {
 public:
  /// Checks that the folder has the head that the task needs.
  HubSource(const HubImport& from, std::string_view task, HubHead head);

  const std::filesystem::path& folder() const { return from_.folder; }
  const Json& config() const { return config_; }
  const HubTextModel& net() const { return net_; }
  const HubHeadNames& head() const { return head_; }

  Tokenizer tokenizer() const;
  /// Each parameter of ours from theirs; one that is missing is an Error.
  std::unique_ptr<Params> params();
  /// The tokens of a text that fit beside the marks around it: at most `wanted`.
  Dim max_tokens(const Tokenizer& words, std::optional<Dim> wanted, bool pair) const;
  /// What the tokenizer's files say of it.
  std::optional<Dim> tokenizer_max_tokens() const;
  /// A recipe with its title.
  template <class Recipe>
  Recipe recipe() const {
    Recipe recipe;
    recipe.title = title();
    return recipe;
  }
  /// What a person should know of the import.
  void note(std::string text) { notes_.push_back(std::move(text)); }

  /// Writes make(*this) to `out`: a struct with `params` and save_rest(folder).
  template <class Make>
  Imported import(const std::filesystem::path& out, const Make& make) {
    note_unused();
    try {
      const auto model = make(*this);
      begin_writing();
      model.save_rest(out);
      parameters_ = write_weights(*model.params, out);
    } catch (const Error& error) {
      if (reading_->empty()) throw;
      fail(*reading_, ": ", error.what());
    }
    return {task_, net_.type, parameters_, notes_};
  }

 private:
  std::string title() const;
  void note_unused();
  void begin_writing();

  const HubImport& from_;
  std::string_view task_;
  Json config_;
  HubWeights weights_;
  HubTextModel net_;
  HubHeadNames head_;
  std::vector<std::string> notes_;
  Dim parameters_ = 0;
  std::shared_ptr<std::string> reading_ = std::make_shared<std::string>();  // a tensor of theirs
};

}  // namespace fovea
