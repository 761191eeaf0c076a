#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include <algorithm>

#include "fovea/base/check.h"
#include "fovea/tokenizers/char_class.h"
#include "fovea/tokenizers/normalizer.h"

namespace fovea::hub {
namespace {

const icu::Normalizer2& tables(bool compatible) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* found = compatible ? icu::Normalizer2::getNFKCInstance(status)
                                             : icu::Normalizer2::getNFCInstance(status);
  FOVEA_CHECK(U_SUCCESS(status), ErrorKind::internal,
              "ICU has no normaliser: ", u_errorName(status), "; is its data installed?");
  return *found;
}

/// The version of the tables: what came later is neither taken apart nor put together.
bool is_known(char32_t c) { return c < 0x300 || is_of_unicode(c, 9); }

int combining_class(char32_t c) {
  const int found = c < 0x300 ? 0 : u_getCombiningClass(static_cast<UChar32>(c));
  return found != 0 && is_known(c) ? found : 0;
}

/// Each character taken apart, and marks in the order of their combining classes. A mark keeps its
/// change on the way.
std::vector<Change> decomposed(std::string_view text, const icu::Normalizer2& table) {
  std::vector<Change> changes;
  changes.reserve(text.size());
  std::size_t marks = 0;  // where the marks begin that may change places
  const auto put = [&](char32_t c, int change) {
    changes.push_back({c, change});
    if (combining_class(c) != 0) return;
    const auto by_class = [](const Change& a, const Change& b) {
      return combining_class(a.character) < combining_class(b.character);
    };
    std::stable_sort(changes.begin() + static_cast<std::ptrdiff_t>(marks), changes.end() - 1,
                     by_class);
    marks = changes.size();
  };
  icu::UnicodeString parts;
  for_each_character(text, [&](char32_t c, std::size_t, std::size_t) {
    if (c < 0xA0 || !table.getDecomposition(static_cast<UChar32>(c), parts) || !is_known(c)) {
      put(c, 0);
      return;
    }
    for (std::int32_t i = 0; i < parts.length(); i = parts.moveIndex32(i, 1)) {
      put(static_cast<char32_t>(parts.char32At(i)), i == 0 ? 0 : 1);
    }
  });
  put(0, 0);  // ends the last run of marks
  changes.pop_back();
  return changes;
}

/// The canonical composition of Unicode Standard Annex #15: a mark joins the last starter unless
/// one between them blocks it. What joins counts as one character less.
void compose(std::vector<Change>& changes, const icu::Normalizer2& table) {
  constexpr std::size_t none = static_cast<std::size_t>(-1);
  std::size_t starter = none, end = 0;
  int last_class = 0;  // of what stands between the starter and here
  for (const Change next : changes) {
    const int its_class = combining_class(next.character);
    const bool adjacent = starter != none && starter + 1 == end;
    if (starter != none && (adjacent || last_class < its_class)) {
      const UChar32 joined = table.composePair(static_cast<UChar32>(changes[starter].character),
                                               static_cast<UChar32>(next.character));
      if (joined >= 0 && is_known(static_cast<char32_t>(joined))) {
        changes[starter] = {static_cast<char32_t>(joined),
                            changes[starter].change + next.change - 1};
        continue;
      }
    }
    if (its_class == 0) starter = end;
    last_class = its_class;
    changes[end++] = next;
  }
  changes.resize(end);
}

class UnicodeForm : public Normalizer {
 public:
  explicit UnicodeForm(NormalForm form) : form_(form) {}
  void operator()(AlignedText& text) const override { put_normal_form(text, form_); }

 private:
  NormalForm form_;
};

}  // namespace

void put_normal_form(AlignedText& text, NormalForm form) {
  if (is_ascii(text.text())) return;
  const icu::Normalizer2& table = tables(form.compatible);
  std::vector<Change> changes = decomposed(text.text(), table);
  if (form.composed) compose(changes, table);
  apply_changes(changes, text);
}

std::unique_ptr<Normalizer> unicode_form(NormalForm form) {
  return std::make_unique<UnicodeForm>(form);
}

}  // namespace fovea::hub
