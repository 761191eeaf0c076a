#include "fovea/train/checkpoint.h"

#include <zlib.h>

#include <algorithm>
#include <charconv>
#include <cstring>

#include "fovea/base/atomic_file.h"
#include "fovea/formats/mapped_file.h"

namespace fovea {
namespace {

namespace fs = std::filesystem;

constexpr const char* kChecksum = "checksum";
constexpr std::string_view kPrefix = "step-", kSuffix = ".safetensors";

std::uint32_t crc_of(std::uint32_t before, const void* data, std::size_t bytes) {
  return static_cast<std::uint32_t>(crc32_z(before, static_cast<const Bytef*>(data), bytes));
}

/// -1 if the file is no checkpoint.
Dim step_of(const std::string& name) {
  if (!name.starts_with(kPrefix) || !name.ends_with(kSuffix)) return -1;
  const char* begin = name.data() + kPrefix.size();
  const char* end = name.data() + name.size() - kSuffix.size();
  Dim step = -1;
  const auto [stop, error] = std::from_chars(begin, end, step);
  return error == std::errc{} && stop == end ? step : -1;
}

void remove_parts(const fs::path& folder) {
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".part") fs::remove(entry.path());
  }
}

}  // namespace

void write_checkpoint(const fs::path& path, std::vector<NamedTensor> tensors,
                      const SafeTensors::Metadata& metadata) {
  Tensor checksum = Tensor::zeros({4}, DType::u8);
  tensors.push_back({kChecksum, checksum});
  AtomicFile file(path);
  std::uint32_t crc = 0;
  const auto sink = [&](const void* data, std::size_t bytes) {
    file.write(data, bytes);
    crc = crc_of(crc, data, bytes);
    std::memcpy(checksum.mutable_raw(), &crc, sizeof(crc));  // when its turn comes it is complete
  };
  write_safetensors(path.string(), sink, tensors, metadata);
  file.commit();
}

SafeTensors open_checkpoint(const fs::path& path) {
  const auto file = MappedFile::open(path);
  const std::span<const std::byte> bytes = file->bytes();
  std::uint32_t found = 0;
  FOVEA_CHECK(bytes.size() > sizeof(found), path.string(), ": ", bytes.size(),
              " bytes are too few for a checkpoint");
  const std::size_t rest = bytes.size() - sizeof(found);
  std::memcpy(&found, bytes.data() + rest, sizeof(found));
  FOVEA_CHECK(crc_of(0, bytes.data(), rest) == found, path.string(),
              ": the checksum does not fit; the file is damaged");
  return SafeTensors::open(path);
}

fs::path RunFolder::checkpoint(Dim step) const {
  std::string digits = std::to_string(step);
  digits.insert(0, 8 - std::min<std::size_t>(8, digits.size()), '0');
  return checkpoints() / concat(kPrefix, digits, kSuffix);
}

std::vector<Dim> RunFolder::steps() const {
  std::vector<Dim> steps;
  if (!fs::is_directory(checkpoints())) return steps;
  for (const fs::directory_entry& entry : fs::directory_iterator(checkpoints())) {
    const Dim step = step_of(entry.path().filename().string());
    if (step >= 0) steps.push_back(step);
  }
  std::sort(steps.begin(), steps.end());
  return steps;
}

bool RunFolder::used() const { return fs::exists(model()) || !steps().empty(); }

void RunFolder::prepare() const {
  std::error_code error;
  fs::create_directories(checkpoints(), error);
  FOVEA_CHECK(!error, checkpoints().string(), ": cannot be made: ", error.message());
  remove_parts(path_);
  remove_parts(checkpoints());
}

void RunFolder::clear() const {
  keep_only({});
  for (const fs::path& file : {model(), metrics(), events(), curve(), figure()}) fs::remove(file);
}

void RunFolder::keep_only(const std::set<Dim>& steps) const {
  for (const Dim step : this->steps()) {
    if (!steps.contains(step)) fs::remove(checkpoint(step));
  }
}

}  // namespace fovea
