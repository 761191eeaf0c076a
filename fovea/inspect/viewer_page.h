/// The viewer of web/, built: one HTML file that needs nothing from anywhere.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>

#include "fovea/inspect/run_record.h"

namespace fovea {

/// As a server sends it: it asks that server for its data. web/INTERFACE.md.
std::string_view viewer_page();

/// The same with runs inside, their weights in 16 bits, to within 0.00001: a page to send around.
std::string page_of(std::span<const RunRecord> runs, const std::string& title);
void write_html(const std::filesystem::path& path, std::span<const RunRecord> runs,
                const std::string& title);

}  // namespace fovea
