#include "fovea/tasks/writer.h"

#include "fovea/data/batches.h"

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

std::vector<WrittenLine> Writer::step(Dim) { return answers(decoding_.step()); }

void Writer::drop(const std::function<bool(Dim)>& unwanted) {
  decoding_.drop(unwanted);
  std::erase_if(lines_, [&](const auto& entry) { return unwanted(entry.first); });
}

std::vector<WrittenLine> Writer::write(std::vector<WriteRequest> requests, Dim rows,
                                       const std::function<void(Dim)>& progress) const {
  std::vector<WrittenLine> all;
  std::vector<Begun> begun;
  std::vector<std::size_t> places;  // among all lines, of those that need a search
  std::vector<std::int32_t> lengths;
  for (WriteRequest& request : requests) {
    Begun one = begin(std::move(request));
    all.push_back(one.searching ? WrittenLine() : one.line->answer({}));
    if (!one.searching) continue;
    places.push_back(all.size() - 1);
    lengths.push_back(static_cast<std::int32_t>(one.line->source.size()));
    begun.push_back(std::move(one));
  }
  auto done = static_cast<Dim>(all.size() - begun.size());
  const Batches batches = Batches::unshuffled(lengths, {.rows = rows});
  for (Dim b = 0; b < batches.size(); ++b) {
    std::vector<Line*> lines;
    Decoding::Requests searching;
    std::map<const Searching*, std::size_t> numbers;
    for (const std::uint32_t i : batches[b]) {
      lines.push_back(begun[i].line.get());
      numbers[begun[i].searching.get()] = i;
      searching.push_back(std::move(begun[i].searching));
    }
    Decoding decoding(stepper(lines), std::move(searching));
    while (!decoding.empty()) {
      for (auto& one : decoding.step()) {
        const std::size_t i = numbers.at(one.get());
        all[places[i]] = begun[i].line->answer(one->take_found());
        begun[i].line.reset();
      }
    }
    done += std::ssize(batches[b]);
    if (progress) progress(done);
  }
  return all;
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
