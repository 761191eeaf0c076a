/// The viewer's page as it is sent.
#pragma once

#include "fovea/serve/http_response.h"

namespace fovea::serve {

/// It may run its own scripts and ask this server, and nothing else.
HttpResponse page_response();

}  // namespace fovea::serve
