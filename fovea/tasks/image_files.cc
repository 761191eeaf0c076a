#include "fovea/tasks/image_files.h"

#include <algorithm>

#include "fovea/config/config.h"
#include "fovea/data/find_data.h"
#include "fovea/data/unpack.h"

namespace fovea {
namespace {

IdxFile read_idx(const std::string& spec) {
  const std::filesystem::path path = resolve(spec, ".").path;
  Unpacked bytes(path);
  return IdxFile::read(
      [&](std::span<std::uint8_t> to) {
        return bytes.read({reinterpret_cast<char*>(to.data()), to.size()});
      },
      path.string());
}

const std::vector<std::string>& image_and_label_files(const DataParts& data, Part part) {
  const std::vector<std::string>& files = files_of(data, part);
  FOVEA_CHECK(files.size() == 2, "data.", name_of(part),
              ": expected two idx files (images, labels), found ", files.size());
  return files;
}

}  // namespace

LabelledImages::LabelledImages(const DataParts& data, Part part)
    : files_(image_and_label_files(data, part)),
      images_(read_idx(files_[0])),
      labels_(read_idx(files_[1])),
      selector_(data, part) {
  FOVEA_CHECK(images_.shape().rank() == 3 && labels_.shape().rank() == 1, "data.", name_of(part),
              ": expected images (items, height, width) and labels (items), found ",
              images_.shape(), " in ", files_[0], " and ", labels_.shape(), " in ", files_[1]);
  FOVEA_CHECK(images_.size() == labels_.size(), files_[1], ": ", labels_.size(), " labels for ",
              images_.size(), " images of ", files_[0]);
}

bool LabelledImages::next(Item& item) {
  for (; at_ < images_.size(); ++at_) {
    const auto pixels = images_[at_];
    if (!selector_({reinterpret_cast<const char*>(pixels.data()), pixels.size()})) continue;
    item = {images_.image(at_), labels_[at_][0], at_ + 1};
    ++at_;
    return true;
  }
  return false;
}

Dim LabelledImages::classes() const {
  Dim classes = 0;
  for (Dim i = 0; i < labels_.size(); ++i) classes = std::max<Dim>(classes, labels_[i][0] + 1);
  return classes;
}

}  // namespace fovea
