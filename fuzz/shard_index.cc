// model.safetensors.index.json of weights in several files, beside one file that is right.
#include "folder.h"
#include "fovea/hub/weights.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fovea;
  static const fuzz::Folder folder;
  static const bool written = [] {
    const std::vector<NamedTensor> tensors = {{"a", Tensor::of<float>({2}, {1, 2})}};
    write_safetensors(folder.path() / "a.safetensors", tensors);
    return true;
  }();
  folder.write("model.safetensors.index.json", fuzz::text_of(data, size));
  return written ? fuzz::expect_read_or_error([&] {
    const HubWeights weights = HubWeights::open(folder.path());
    for (const std::string& name : weights.names()) weights(name);
  })
                 : 0;
}
