#include "fovea/tasks/marked_text.h"

#include <algorithm>

namespace fovea {
namespace {

void add(MarkedText& text, std::span<const std::int32_t> ids, std::int32_t kind) {
  text.ids.insert(text.ids.end(), ids.begin(), ids.end());
  text.kinds.insert(text.kinds.end(), ids.size(), kind);
}

}  // namespace

MarkedText marked_text(std::span<const std::int32_t> text, const TextLayout& layout) {
  MarkedText all;
  add(all, layout.before, 0);
  add(all, text, 0);
  add(all, layout.after, 0);
  return all;
}

MarkedText marked_pair(std::span<const std::int32_t> first, std::span<const std::int32_t> second,
                       const TextLayout& layout) {
  MarkedText all;
  add(all, layout.before, 0);
  add(all, first, 0);
  add(all, layout.between, 0);
  add(all, second, layout.second_kind);
  add(all, layout.behind, layout.second_kind);
  return all;
}

Ids marked(Ids text, const TextLayout& layout, Dim most, bool* cut) {
  const auto room = static_cast<std::size_t>(std::max<Dim>(most - layout.single_count(), 0));
  if (cut) *cut = text.size() > room;
  text.resize(std::min(text.size(), room));
  return marked_text(text, layout).ids;
}

}  // namespace fovea
