/// Labelled images as data sets of images come.
#pragma once

#include <string>
#include <vector>

#include "fovea/image/idx.h"
#include "fovea/tasks/data_parts.h"

namespace fovea {

/// Two idx files, as MNIST has them: images (items, height, width) and labels (items), of which a
/// part of the data takes those whose pixels fall to it.
class LabelledImages {
 public:
  LabelledImages(const DataParts& data, Part part);

  struct Item {
    Image image;
    std::int32_t label = 0;
    std::int64_t number = 0;  // from 1
  };
  bool next(Item& item);

  Dim height() const { return images_.shape()[1]; }
  Dim width() const { return images_.shape()[2]; }
  /// The largest label, and one.
  Dim classes() const;

 private:
  std::vector<std::string> files_;
  IdxFile images_, labels_;
  PartSelector selector_;
  Dim at_ = 0;
};

}  // namespace fovea
