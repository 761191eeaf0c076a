/// What people ask for who want to see where a model looked.
#pragma once

#include <string>
#include <vector>

#include "fovea/attention/probe.h"

namespace fovea {

/// Which weights to keep of the layers that a model computes an answer with.
struct RecordOptions {
  std::string layers = "*";     // their names; * stands for any characters
  std::vector<Dim> heads = {};  // rising; none named: all
  Keep keep = Keep::all;        // or top
  Dim top = 8;
  /// Bytes of one layer: beyond them not all weights are kept, but the top.
  std::size_t limit = std::size_t(64) << 20;
  bool words = false;  // pieces are joined to words, by models that read pieces

  ProbeConfig probe() const;
  /// How many words of a row are kept when pieces have been joined; 0: all.
  Dim top_words() const { return keep == Keep::top ? top : 0; }
};

}  // namespace fovea
