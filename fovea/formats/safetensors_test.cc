#include "fovea/formats/safetensors.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <fstream>

#include "fovea/base/error_testing.h"

namespace fovea {
namespace {

/// A path of this test's own, removed at the end.
class SafeTensorsTest : public ::testing::Test {
 protected:
  SafeTensorsTest()
      : path_(std::filesystem::path(::testing::TempDir()) /
              concat(::testing::UnitTest::GetInstance()->current_test_info()->name(),
                     ".safetensors")) {}
  ~SafeTensorsTest() override { std::filesystem::remove(path_); }

  /// A file with this header and this many bytes of data.
  void write_raw(const std::string& header, std::size_t data) {
    std::ofstream out(path_, std::ios::binary);
    const std::uint64_t length = header.size();
    out.write(reinterpret_cast<const char*>(&length), sizeof(length));
    out << header << std::string(data, '\1');
  }

  std::string message_of_opening() {
    try {
      SafeTensors::open(path_);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::bad_file) << error.what();
      return error.what();
    }
    return "opened";
  }

  void expect_refused(const std::string& header, std::size_t data, const std::string& why) {
    write_raw(header, data);
    const std::string message = message_of_opening();
    EXPECT_NE(message.find(why), std::string::npos) << header << "\ngave: " << message;
    EXPECT_NE(message.find(path_.string()), std::string::npos) << "names no file: " << message;
  }

  std::filesystem::path path_;
};

TEST_F(SafeTensorsTest, AMissingFileIsNotFound) {
  EXPECT_EQ(kind_thrown_by([&] { SafeTensors::open(path_); }), ErrorKind::not_found);
  EXPECT_EQ(kind_thrown_by([&] { SafeTensors::open(path_.parent_path()); }), ErrorKind::bad_file);
}

TEST_F(SafeTensorsTest, HoldsTheSameAfterItWasLetGo) {
  const NamedTensor weight = {"weight", Tensor::full({3000, 7}, 1.5)};
  write_safetensors(path_, std::span(&weight, 1));
  const Tensor mapped = SafeTensors::open(path_).find("weight");
  EXPECT_TRUE(identical(mapped, weight.tensor));
  mapped.let_go();
  EXPECT_TRUE(identical(mapped, weight.tensor));
}

TEST_F(SafeTensorsTest, GivesBackWhatWasWritten) {
  const std::vector<NamedTensor> tensors = {
      {"bytes", Tensor::of<std::uint8_t>({3}, {1, 2, 255})},
      {"encoder.0.weight", Tensor::of<float>({2, 3}, {1, 2, 3, 4, 5, 6})},
      {"exact", Tensor::of<double>({2}, {0.1, -1e300})},
      {"ids", Tensor::of<std::int32_t>({2}, {-1, 7})},
      {"lengths", Tensor::of<std::int64_t>({1, 2}, {3, std::int64_t{1} << 40})},
      {"half", Tensor::of<Half>({2}, {Half{0x3c00}, Half{0xc000}})},
      {"brain", Tensor::of<BFloat>({1}, {BFloat{0x3f80}})},
      {"nothing", Tensor::empty({0, 4})},
      {"number \"quoted\" \u00e9", Tensor::full({}, 42)},
  };
  write_safetensors(path_, tensors, {{"format", "pt"}});
  const SafeTensors file = SafeTensors::open(path_);
  EXPECT_EQ(file.names().size(), tensors.size());
  EXPECT_EQ(file.metadata().at("format"), "pt");
  for (const auto& [name, tensor] : tensors) {
    EXPECT_TRUE(identical(file.find(name), tensor)) << name;
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(file.find(name).raw()) % size_of(tensor.dtype()),
              0U);
  }
  EXPECT_FALSE(file.find("missing").defined());
}

TEST_F(SafeTensorsTest, TensorsShareTheMappingAndOutliveTheFile) {
  write_safetensors(path_, std::vector<NamedTensor>{{"x", Tensor::full({1000}, 3)}});
  Tensor x;
  {
    const SafeTensors file = SafeTensors::open(path_);
    x = file.find("x");
    EXPECT_TRUE(x.same_memory(file.find("x"))) << "copied";
  }
  std::filesystem::remove(path_);
  EXPECT_TRUE(identical(x, Tensor::full({1000}, 3)));
}

TEST_F(SafeTensorsTest, IsASourceOfParameters) {
  write_safetensors(path_, std::vector<NamedTensor>{{"layer.w", Tensor::full({2, 2}, 5)}});
  Params params(SafeTensors::open(path_).source());
  const Var w = (params.scope() / "layer").param("w", {2, 2}, init::zeros());
  EXPECT_TRUE(identical(w.value(), Tensor::full({2, 2}, 5)));
  EXPECT_THROW((params.scope() / "layer").param("b", {2}, init::zeros()), Error);
}

TEST_F(SafeTensorsTest, GivesParametersNumbersWhereItStoresHalves) {
  const std::vector<NamedTensor> tensors = {
      {"half", Tensor::of<Half>({2}, {Half{0x3c00}, Half{0xc000}})},
      {"brain", Tensor::of<BFloat>({2}, {BFloat{0x3f80}, BFloat{0xc000}})}};
  write_safetensors(path_, tensors);
  Params params(SafeTensors::open(path_).source());
  for (const NamedTensor& t : tensors) {
    const Var loaded = params.scope().param(t.name, {2}, init::zeros());
    EXPECT_TRUE(identical(loaded.value(), Tensor::of<float>({2}, {1, -2}))) << t.name;
  }
}

TEST_F(SafeTensorsTest, ReadsWhatIsNotAligned) {
  write_raw(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},)"
            R"("b":{"dtype":"F64","shape":[1],"data_offsets":[1,9]}})",
            9);
  const double expected = std::bit_cast<double>(0x0101010101010101U);
  EXPECT_EQ(SafeTensors::open(path_).find("b").item(), expected);
}

TEST_F(SafeTensorsTest, RefusesAFileThatIsCutOffAnywhere) {
  write_safetensors(
      path_, std::vector<NamedTensor>{{"x", Tensor::full({5}, 1)}, {"y", Tensor::full({2, 2}, 2)}});
  const auto whole = std::filesystem::file_size(path_);
  for (auto size = whole; size-- > 0;) {
    std::filesystem::resize_file(path_, size);
    EXPECT_NE(message_of_opening().find("cut off"), std::string::npos) << size << " bytes";
  }
}

TEST_F(SafeTensorsTest, RefusesBadHeaders) {
  const auto entry = [](const std::string& shape, const std::string& offsets) {
    return R"({"w":{"dtype":"F32","shape":)" + shape + R"(,"data_offsets":)" + offsets + "}}";
  };
  expect_refused("{", 0, "not valid JSON");
  expect_refused("\xff\xfe", 0, "not valid JSON");
  expect_refused("[]", 0, "not a JSON object");
  expect_refused(std::string(100000, '['), 0, "nested too deeply");
  expect_refused(R"({"w":[]})", 0, "tensor w: is not a JSON object");
  expect_refused(R"({"w":{}})", 0, "tensor w: dtype");
  expect_refused(R"({"w":{"dtype":"F32","shape":3,"data_offsets":[0,4]}})", 4, "tensor w: shape");
  expect_refused(R"({"__metadata__":{"a":1}})", 0, "a is not a string");
  expect_refused(entry("[1]", "[0]"), 4, "tensor w: data_offsets");
  expect_refused(entry("[1]", "[4,0]"), 4, "tensor w: data_offsets");
  expect_refused(entry("[-1]", "[0,4]"), 4, "tensor w: shape holds -1");
  expect_refused(entry("[1.5]", "[0,4]"), 4, "tensor w: shape holds 1.5");
  expect_refused(entry("[2]", "[0,4]"), 4, "tensor w: the shape asks for 8 bytes");
  expect_refused(entry("[9223372036854775807,4]", "[0,4]"), 4, "larger than any memory");
  expect_refused(entry("[4611686018427387904]", "[0,0]"), 4, "larger than any memory");
  expect_refused(entry("[18446744073709551615]", "[0,4]"), 4, "tensor w: shape holds");
  expect_refused(entry("[1]", "[9223372036854775800,9223372036854775804]"), 4, "cut off");
  expect_refused(entry("[1]", "[4,8]"), 8, "a gap");
  expect_refused(entry("[1]", "[0,4]"), 6, "2 bytes belong to no tensor");
  expect_refused(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
                 R"("b":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}})",
                 12, "tensor b: begins at byte 4, expected 8: it overlaps");
  expect_refused(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
                 R"("a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})",
                 4, "two tensors are called a");
}

TEST_F(SafeTensorsTest, RefusesAHugeHeaderLengthBeforeReadingIt) {
  for (const std::uint64_t length : {std::uint64_t{9}, std::uint64_t{1} << 40, ~std::uint64_t{0}}) {
    std::ofstream(path_, std::ios::binary).write(reinterpret_cast<const char*>(&length), 8);
    EXPECT_NE(message_of_opening().find("the header would have"), std::string::npos) << length;
  }
}

TEST_F(SafeTensorsTest, RefusesATensorItCannotHoldOnlyWhenAsked) {
  write_raw(R"({"a":{"dtype":"BOOL","shape":[1],"data_offsets":[0,1]},)"
            R"("b":{"dtype":"U8","shape":[1,1,1,1,1,1],"data_offsets":[1,2]},)"
            R"("c":{"dtype":"U8","shape":[1],"data_offsets":[2,3]}})",
            3);
  const SafeTensors file = SafeTensors::open(path_);
  EXPECT_EQ(file.find("c").item(), 1);
  EXPECT_THROW(file.find("a"), Error);
  EXPECT_THROW(file.find("b"), Error);
}

TEST_F(SafeTensorsTest, AFailedWriteLeavesTheOldFile) {
  write_safetensors(path_, std::vector<NamedTensor>{{"x", Tensor::full({2}, 1)}});
  const std::vector<NamedTensor> twice = {{"x", Tensor::full({2}, 2)}, {"x", Tensor()}};
  EXPECT_THROW(write_safetensors(path_, twice), Error);
  const std::vector<NamedTensor> not_utf8 = {{"\xff", Tensor::full({2}, 2)}};
  EXPECT_THROW(write_safetensors(path_, not_utf8), Error);
  EXPECT_TRUE(identical(SafeTensors::open(path_).find("x"), Tensor::full({2}, 1)));
  EXPECT_THROW(write_safetensors("/no/such/directory/x.safetensors", {}), Error);
  EXPECT_THROW(SafeTensors::open("/no/such/file.safetensors"), Error);
  EXPECT_THROW(SafeTensors::open(::testing::TempDir()), Error) << "a directory";
}

}  // namespace
}  // namespace fovea
