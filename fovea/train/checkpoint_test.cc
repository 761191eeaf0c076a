#include "fovea/train/checkpoint.h"

#include <fstream>

#include "fovea/base/error_testing.h"
#include "fovea/base/rng.h"
#include "fovea/train/trainer_testing.h"

namespace fovea {
namespace {

std::string read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

std::vector<NamedTensor> tensors() {
  return {{"weights.a", Tensor::of<float>({2, 2}, {1, 2, 3, 4})},
          {"optimizer.steps", Tensor::of<std::int64_t>({1}, {7})},
          {"bytes", Tensor::of<std::uint8_t>({3}, {1, 2, 3})}};
}

TEST(Checkpoint, HoldsWhatWasWrittenAndIsSafetensors) {
  const TestFolder folder;
  const std::filesystem::path path = folder / "x.safetensors";
  write_checkpoint(path, tensors(), {{"state", "{\"step\": 3}"}});
  const SafeTensors file = open_checkpoint(path);
  for (const auto& [name, tensor] : tensors()) EXPECT_TRUE(identical(file.find(name), tensor));
  EXPECT_EQ(file.metadata().at("state"), "{\"step\": 3}");
}

TEST(Checkpoint, NoDamagedByteGoesUnnoticed) {
  const TestFolder folder;
  const std::filesystem::path path = folder / "x.safetensors";
  write_checkpoint(path, tensors(), {});
  const std::string whole = read(path);
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] ^= static_cast<char>(1 << at % 8);
    write(path, damaged);
    EXPECT_EQ(kind_thrown_by([&] { open_checkpoint(path); }), ErrorKind::bad_file) << "byte " << at;
  }
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{4}, std::size_t{100}, whole.size() - 1}) {
    write(path, whole.substr(0, size));
    EXPECT_EQ(kind_thrown_by([&] { open_checkpoint(path); }), ErrorKind::bad_file)
        << size << " bytes";
  }
}

}  // namespace
}  // namespace fovea
