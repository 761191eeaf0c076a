/// The parts of the page that are the same for all data.
#pragma once

namespace fovea {

extern const char* const page_head;
extern const char* const page_style;
extern const char* const page_body;
extern const char* const page_script;

}  // namespace fovea
