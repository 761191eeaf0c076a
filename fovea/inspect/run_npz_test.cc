#include "fovea/inspect/run_npz.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "fovea/inspect/run_testing.h"

namespace fovea {
namespace {

/// The bytes of one stored file, found by its name in the directory at the end.
std::string member(const std::string& zip, const std::string& name) {
  const auto number = [&](std::size_t at, int bytes) {
    std::size_t value = 0;
    for (int i = bytes; i-- > 0;) value = value << 8 | static_cast<unsigned char>(zip[at + i]);
    return value;
  };
  const std::size_t end = zip.rfind("PK\5\6");
  std::size_t at = number(end + 16, 4);
  for (std::size_t i = 0; i < number(end + 10, 2); ++i) {
    const std::size_t length = number(at + 28, 2);
    if (zip.substr(at + 46, length) == name) {
      const std::size_t local = number(at + 42, 4);
      return zip.substr(local + 30 + number(local + 26, 2), number(local + 22, 4));
    }
    at += 46 + length;
  }
  return {};
}

TEST(RunNpz, HoldsEveryLayerAsAnArray) {
  const RunRecord run = sample_run();
  const std::string array = member(npz_of(run), "decoder.3.cross.npy");
  ASSERT_GT(array.size(), 64U);
  EXPECT_TRUE(array.starts_with("\x93NUMPY"));
  EXPECT_NE(array.find("'descr': '<f4', 'fortran_order': False, 'shape': (2, 3, 4, )"), array.npos);
  const std::size_t body = array.find('\n') + 1;
  EXPECT_EQ(body % 64, 0U);
  ASSERT_EQ(array.size() - body, 2U * 3 * 4 * sizeof(float));
  std::vector<float> weights(24);
  std::memcpy(weights.data(), array.data() + body, array.size() - body);
  EXPECT_EQ(weights, run.layer("decoder.3.cross").weights);
}

TEST(RunNpz, HoldsTheTopWithItsKeys) {
  const std::string zip = npz_of(sample_run({.keep = Keep::top, .top = 2}));
  EXPECT_NE(member(zip, "decoder.3.cross.weights.npy").find("(2, 3, 2, )"), std::string::npos);
  EXPECT_NE(member(zip, "decoder.3.cross.keys.npy").find("'<i4'"), std::string::npos);
  EXPECT_TRUE(member(zip, "decoder.3.cross.npy").empty());
}

/// By Debian's Python, for which tools/setup installs NumPy; another may come first in PATH.
TEST(RunNpz, IsReadByNumpy) {
  const std::string python = "/usr/bin/python3";
  if (std::system((python + " -c 'import numpy' 2>/dev/null").c_str()) != 0) {
    GTEST_SKIP() << python << " has no numpy; tools/setup installs it";
  }
  const auto path = std::filesystem::path(testing::TempDir()) / "fovea_run.npz";
  RunRecord run = sample_run();
  run.sequences[0].tokens[0] = "größer";
  std::ofstream(path, std::ios::binary) << npz_of(run);
  const std::string check =
      "import numpy as np\n"
      "f = np.load('" +
      path.string() +
      "')\n"
      "assert f['decoder.3.cross'].shape == (2, 3, 4) and f['decoder.3.cross'].dtype == "
      "np.float32\n"
      "assert np.allclose(f['decoder.3.cross'].sum(-1), 1, atol=1e-5)\n"
      "assert f['tokens.source'][0] == 'größer' and list(f['decoder.0.self.heads']) == [0, 1]\n"
      "assert list(f['layers'][2]) == ['decoder.3.cross', 'target', 'source']\n";
  EXPECT_EQ(std::system((python + " -c \"" + check + "\"").c_str()), 0);
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace fovea
