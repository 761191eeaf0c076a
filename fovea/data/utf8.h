#pragma once

#include <cstddef>
#include <string_view>

namespace fovea {

/// How many bytes from the beginning are UTF-8 (RFC 3629: no surrogates, nothing above U+10FFFF, no
/// longer form than needed); all of them if this is the size.
std::size_t valid_utf8(std::string_view text);

}  // namespace fovea
