/// All weights of a run as NumPy's archive: np.load("look.npz")["decoder.3.cross"][head].
#pragma once

#include <string>

#include "fovea/inspect/run_record.h"

namespace fovea {

/// A zip file without compression whose members are .npy files (format 1.0):
///   NAME              (heads, queries, keys) f32, of each layer; what was not kept is 0
///   NAME.heads        (heads) i32: their numbers
///   tokens.SEQUENCE   strings; of each sequence
///   layers            (layers, 3) strings: name, sequence of the queries, sequence of the keys
/// Of Keep::top, instead of the first: NAME.weights and NAME.keys, (heads, queries, top) f32 and
/// i32, where key -1 is nobody's. Beyond 4 GiB, which such a file cannot hold, an Error.
/// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
std::string npz_of(const RunRecord& record);

}  // namespace fovea
