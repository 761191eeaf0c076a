#include "fovea/data/extract_chnsenticorp.h"

#include <string>

#include "fovea/base/atomic_file.h"
#include "fovea/base/check.h"
#include "fovea/data/zip.h"

namespace fovea {

void extract_chnsenticorp(const std::filesystem::path& zip, const std::filesystem::path& folder) {
  constexpr std::string_view names = "label\ttext_a";
  std::filesystem::create_directories(folder);
  for (const std::string name : {"train.tsv", "dev.tsv", "test.tsv"}) {
    const std::string table = read_zip(zip, name);
    const std::size_t end = table.find('\n');
    FOVEA_CHECK(table.starts_with(names) && end != std::string::npos, ErrorKind::bad_file,
                zip.string(), ": ", name, ": expected a first line of '", names, "', found '",
                table.substr(0, 40), "'");
    write_atomically(folder / name, table.substr(end + 1));
  }
}

}  // namespace fovea
