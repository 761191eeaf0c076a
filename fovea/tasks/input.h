/// What a trained model is given (a line of text, media, and options of this one request) and what
/// it answers.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "fovea/config/config.h"

namespace fovea {

/// An image or a sound, as its file has it.
struct Media {
  std::string name;  // for errors: "photo.png"
  std::string bytes;
};

struct Input {
  std::string text = {};          // of media: the name of the file
  std::vector<Media> media = {};  // images, sounds
  /// Options of the task: {"prefix": "Das"}. They may name files, so that no client sets them.
  Json fields = Json::object();
};

/// What a model answers to an input.
struct Answer {
  std::string text;
  Json json;         // the same and more, for programs
  bool cut = false;  // the input was longer than the model reads: only its beginning was answered
  std::string note = {};  // what else a person should know of it
};

/// A line of text each, with these options.
std::vector<Input> inputs_of(std::span<const std::string> lines,
                             const Json& fields = Json::object());
std::vector<std::string> texts_of(std::span<const Input> inputs);

/// A file of media as an input.
Input media_input(const std::filesystem::path& file);

/// Throws if an input has an option that is not among those of its task.
void expect_options(const Json& fields, const Json& known);

/// The options of an input as the struct of its task.
template <class Request>
Request request_of(const Input& input) {
  Request request;
  expect_options(input.fields, write_config(request));
  read_config(input.fields, request);
  return request;
}

/// The request of tasks without options.
struct NoOptions {
  template <class Visitor>
  void fields(Visitor&) {}
};

}  // namespace fovea
