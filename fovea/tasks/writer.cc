#include "fovea/tasks/writer.h"

namespace fovea {

std::vector<WrittenLine> Writer::admit(std::vector<WriteRequest> requests) {
  std::vector<WrittenLine> done;
  Decoding::Requests searching;
  std::map<Dim, std::unique_ptr<Line>> lines;
  std::vector<Line*> fresh;
  for (WriteRequest& request : requests) {
    const Dim key = request.key;
    try {
      Begun begun = begin(std::move(request));
      if (!begun.searching) {
        done.push_back(begun.line->answer({}));
        continue;
      }
      searching.push_back(std::move(begun.searching));
      fresh.push_back(begun.line.get());
      lines.emplace(key, std::move(begun.line));
    } catch (const Error& error) {
      done.push_back({.key = key, .error = error.what()});
    }
  }
  if (fresh.empty()) return done;
  std::vector<WrittenLine> quick;
  Decoding decoding;
  try {
    decoding = Decoding(stepper(fresh), std::move(searching));
    auto finished = decoding.step();
    lines_.merge(lines);
    quick = answers(std::move(finished));
  } catch (const Error& error) {
    for (const auto& [key, line] : lines) done.push_back({.key = key, .error = error.what()});
    return done;
  }
  std::move(quick.begin(), quick.end(), std::back_inserter(done));
  decoding_.join(std::move(decoding));
  return done;
}

std::vector<WrittenLine> Writer::step() { return answers(decoding_.step()); }

void Writer::drop(const std::function<bool(Dim)>& unwanted) {
  decoding_.drop(unwanted);
  std::erase_if(lines_, [&](const auto& entry) { return unwanted(entry.first); });
}

std::vector<WrittenLine> Writer::answers(Decoding::Requests done) {
  std::vector<WrittenLine> all;
  for (auto& one : done) {
    const auto at = lines_.find(one->job().key);
    all.push_back(at->second->answer(one->take_found()));
    lines_.erase(at);
  }
  return all;
}

}  // namespace fovea
