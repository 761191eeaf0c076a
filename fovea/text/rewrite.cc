#include "fovea/text/rewrite.h"

#include <utility>

namespace fovea::text {

void replace_all(std::u32string& text, std::u32string_view from, std::u32string_view to) {
  std::size_t found = text.find(from);
  if (found == std::u32string::npos) return;
  std::u32string out;
  std::size_t done = 0;
  for (; found != std::u32string::npos; found = text.find(from, done)) {
    out.append(text, done, found - done).append(to);
    done = found + from.size();
  }
  text = std::move(out.append(text, done));
}

void rewrite(std::u32string& text, const Place& place, std::u32string_view with) {
  if (text.find(place.mark) == std::u32string::npos) return;
  std::u32string out;
  std::size_t done = 0;  // all before it is in `out`, and taken
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != place.mark) continue;
    if (place.before != nullptr && (at <= done || !place.before(text[at - 1]))) continue;
    if (place.after != nullptr && (at + 1 >= text.size() || !place.after(text[at + 1]))) continue;
    out.append(text, done, at - done).append(with);
    done = at + 1;
    if (place.after != nullptr) out += text[done++];
    at = done - 1;
  }
  text = std::move(out.append(text, done));
}

void join_spaces(std::u32string& text) {
  std::size_t kept = 0;
  for (const char32_t c : text) {
    if (c != U' ' || kept == 0 || text[kept - 1] != U' ') text[kept++] = c;
  }
  text.resize(kept);
}

void strip_spaces(std::u32string& text) {
  const std::size_t last = text.find_last_not_of(U' ');
  text.resize(last == std::u32string::npos ? 0 : last + 1);
  text.erase(0, text.find_first_not_of(U' '));
}

}  // namespace fovea::text
