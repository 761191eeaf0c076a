#include "fovea/train/checkpoint.h"

#include <zlib.h>

#include <cstring>

#include "fovea/base/atomic_file.h"
#include "fovea/formats/mapped_file.h"

namespace fovea {
namespace {

namespace fs = std::filesystem;

constexpr const char* kChecksum = "checksum";

std::uint32_t crc_of(std::uint32_t before, const void* data, std::size_t bytes) {
  return static_cast<std::uint32_t>(crc32_z(before, static_cast<const Bytef*>(data), bytes));
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
  FOVEA_CHECK(bytes.size() > sizeof(found), ErrorKind::bad_file, path.string(), ": ", bytes.size(),
              " bytes are too few for a checkpoint");
  const std::size_t rest = bytes.size() - sizeof(found);
  std::memcpy(&found, bytes.data() + rest, sizeof(found));
  FOVEA_CHECK(crc_of(0, bytes.data(), rest) == found, ErrorKind::bad_file, path.string(),
              ": the checksum does not fit; the file is damaged");
  return SafeTensors::open(path);
}

}  // namespace fovea
