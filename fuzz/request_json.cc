// Bodies of requests: JSON or a form, read as every route reads them. Whatever
// comes is understood or refused with a message that can be sent back.
#include <cstdlib>

#include "fovea/serve/json_body.h"
#include "fovea/unicode/utf8.h"

namespace {

using namespace fovea;
using namespace fovea::serve;

/// Whether it is refused or not, what is said can be sent.
void attempt(const auto& act) {
  try {
    act();
  } catch (const ApiError& error) {
    if (error.status < 400 || error.status > 499) std::abort();
    if (!valid_utf8(error.what())) std::abort();
  }
}

void read(const Fields& fields) {
  for (const char* name : {"model", "prompt", "q", "input", "stop", "n", "stream", "attention"}) {
    attempt([&] { fields.text(name); });
    attempt([&] { fields.texts(name); });
    attempt([&] { fields.flag(name, false); });
    attempt([&] { fields.number(name, 0, 1); });
    attempt([&] { fields.whole(name, 0, 100); });
    attempt([&] { fields.refuse(name, "no"); });
    attempt([&] {
      if (const auto inner = fields.object(name)) inner->text("layers", "*");
    });
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string body(reinterpret_cast<const char*>(data), size);
  for (const char* type : {"application/json", "application/x-www-form-urlencoded"}) {
    const HttpRequest request{.headers = {{"content-type", type}}, .body = body};
    attempt([&] { read(Fields::of(request)); });
  }
  return 0;
}
