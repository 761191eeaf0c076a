#include "fovea/serve/page.h"

#include "fovea/inspect/viewer_page.h"

namespace fovea::serve {

HttpResponse page_response() {
  return {.type = "text/html; charset=utf-8",
          .body = std::string(viewer_page()),
          .headers = {{"Content-Security-Policy",
                       "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
                       "img-src data: blob:; connect-src 'self'; base-uri 'none'; "
                       "form-action 'none'; frame-ancestors 'none'"},
                      {"Referrer-Policy", "no-referrer"},
                      {"Cache-Control", "no-cache"}}};
}

}  // namespace fovea::serve
