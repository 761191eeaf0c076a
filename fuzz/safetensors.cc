// A file of weights: its header, and every tensor as models read it.
#include "fovea/formats/safetensors.h"

#include "folder.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fovea;
  static const fuzz::Folder folder;
  const auto path = folder.write("model.safetensors", fuzz::text_of(data, size));
  return fuzz::expect_read_or_error([&] {
    const SafeTensors file = SafeTensors::open(path);
    const Params::Source source = file.source();
    volatile std::uint8_t sum = 0;  // touches every byte that a tensor claims
    for (const std::string& name : file.names()) {
      const Tensor tensor = source(name);
      const auto* bytes = static_cast<const std::uint8_t*>(tensor.raw());
      for (std::size_t i = 0; i < tensor.bytes(); ++i) sum = sum + bytes[i];
    }
  });
}
