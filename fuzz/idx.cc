// An idx file, plain or packed, and its first and last item.
#include "fovea/image/idx.h"

#include "folder.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fovea;
  static const fuzz::Folder folder;
  const auto path = folder.write("images", fuzz::text_of(data, size));
  return fuzz::expect_read_or_error([&] {
    const IdxFile file = IdxFile::read(path);
    volatile std::uint8_t sum = 0;
    for (const Dim item : {Dim{0}, file.size() - 1}) {
      for (const std::uint8_t byte : file[item]) sum = sum + byte;
      if (file.shape().rank() == 3) file.image(item).check("image");
    }
  });
}
