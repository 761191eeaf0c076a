#include <algorithm>
#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "fovea/formats/mapped_file.h"
#include "fovea/formats/safetensors.h"
#include "fovea/formats/safetensors_dtype.h"
#include "fovea/kernels/convert.h"

namespace fovea {

static_assert(std::endian::native == std::endian::little, "safetensors are mapped as they are");

namespace {

using Json = nlohmann::json;

// What the reference reader allows; a header of millions of tensors is far below it.
constexpr std::size_t kMaxHeader = 100'000'000;
constexpr std::string_view kMetadata = "__metadata__";

/// An object of objects of arrays of numbers, each name once: anything else is refused while it is
/// read, before it can take memory.
Json parse_header(const std::string& path, std::string_view text) {
  std::set<std::string> names;
  const auto check = [&](int depth, Json::parse_event_t event, Json& parsed) {
    FOVEA_CHECK(depth <= 3, ErrorKind::bad_file, path, ": the header is nested too deeply");
    if (event == Json::parse_event_t::key && depth == 1) {
      FOVEA_CHECK(names.insert(parsed.get<std::string>()).second, ErrorKind::bad_file, path,
                  ": two tensors are called ", parsed.get<std::string>());
    }
    return true;
  };
  try {
    Json header = Json::parse(text, check);
    FOVEA_CHECK(header.is_object(), ErrorKind::bad_file, path, ": the header is not a JSON object");
    return header;
  } catch (const Json::exception& error) {
    fail(ErrorKind::bad_file, path, ": the header is not valid JSON: ", error.what());
  }
}

/// Member `key` of `object` as a list of sizes.
std::vector<std::size_t> sizes(const std::string& where, const Json& object, const char* key) {
  const auto at = object.find(key);
  FOVEA_CHECK(at != object.end() && at->is_array(), ErrorKind::bad_file, where, ": ", key,
              " is not a list");
  std::vector<std::size_t> all;
  for (const Json& item : *at) {
    FOVEA_CHECK(item.is_number_unsigned() && item.get<std::uint64_t>() <= PTRDIFF_MAX,
                ErrorKind::bad_file, where, ": ", key, " holds ", item.dump(), ", expected a size");
    all.push_back(item.get<std::size_t>());
  }
  return all;
}

/// What is only for storage as f32, anything else as it is.
Tensor as_numbers(const Tensor& stored) {
  if (!stored.defined() || (stored.dtype() != DType::f16 && stored.dtype() != DType::bf16)) {
    return stored;
  }
  const auto* bits = static_cast<const std::uint16_t*>(stored.raw());
  Tensor numbers = Tensor::empty(stored.shape());
  const auto convert =
      stored.dtype() == DType::f16 ? kernels::half_to_float : kernels::bfloat_to_float;
  convert(bits, numbers.mutable_data<float>(), stored.size());
  return numbers;
}

}  // namespace

/// Reads and checks a header.
class SafeTensorsReader {
 public:
  explicit SafeTensorsReader(const std::filesystem::path& path) {
    contents_.path = path.string();
    contents_.file = MappedFile::open(path);
  }

  SafeTensors read() {
    const std::string_view header = header_text();
    const Json parsed = parse_header(contents_.path, header);
    for (const auto& [name, value] : parsed.items()) {
      if (name == kMetadata) {
        read_metadata(value);
      } else {
        contents_.entries.emplace(name, read_entry(name, value));
      }
    }
    check_places();
    return SafeTensors(std::make_shared<const SafeTensors::Contents>(std::move(contents_)));
  }

 private:
  std::string_view header_text() {
    const auto bytes = contents_.file->bytes();
    std::uint64_t length = 0;
    FOVEA_CHECK(bytes.size() >= sizeof(length), ErrorKind::bad_file, contents_.path, ": ",
                bytes.size(), " bytes are too few for a safetensors file; was it cut off?");
    std::memcpy(&length, bytes.data(), sizeof(length));
    const std::size_t rest = bytes.size() - sizeof(length);
    FOVEA_CHECK(length <= kMaxHeader && length <= rest, ErrorKind::bad_file, contents_.path,
                ": the header would have ", length, " bytes, the file has ", rest,
                " more; it is cut off or is not a safetensors file");
    contents_.data_begin = sizeof(length) + length;
    return {reinterpret_cast<const char*>(bytes.data() + sizeof(length)), length};
  }

  void read_metadata(const Json& value) {
    FOVEA_CHECK(value.is_object(), ErrorKind::bad_file, contents_.path, ": ", kMetadata,
                " is not a JSON object");
    for (const auto& [key, text] : value.items()) {
      FOVEA_CHECK(text.is_string(), ErrorKind::bad_file, contents_.path, ": ", kMetadata, ": ", key,
                  " is not a string");
      contents_.metadata.emplace(key, text.get<std::string>());
    }
  }

  SafeTensors::Entry read_entry(const std::string& name, const Json& value) {
    const std::string where = concat(contents_.path, ": tensor ", name);
    FOVEA_CHECK(value.is_object(), ErrorKind::bad_file, where, ": is not a JSON object");
    const auto dtype = value.find("dtype");
    FOVEA_CHECK(dtype != value.end() && dtype->is_string(), ErrorKind::bad_file, where,
                ": dtype is not a string");
    const std::vector<std::size_t> shape = sizes(where, value, "shape");
    const std::vector<std::size_t> place = sizes(where, value, "data_offsets");
    FOVEA_CHECK(place.size() == 2 && place[0] <= place[1], ErrorKind::bad_file, where,
                ": data_offsets are not a begin and an end");
    SafeTensors::Entry entry{
        dtype->get<std::string>(), {shape.begin(), shape.end()}, place[0], place[1]};
    check_size(where, entry);
    return entry;
  }

  static void check_size(const std::string& where, const SafeTensors::Entry& entry) {
    const std::optional<DType> dtype = safetensors_dtype(entry.dtype);
    if (!dtype) return;  // refused when it is asked for: other tensors of the file are of use
    auto bytes = static_cast<Dim>(size_of(*dtype));
    bool fits = true;
    for (Dim extent : entry.shape) fits = fits && !__builtin_mul_overflow(bytes, extent, &bytes);
    FOVEA_CHECK(fits, ErrorKind::bad_file, where, ": the shape is larger than any memory");
    const std::size_t held = entry.end - entry.begin;
    FOVEA_CHECK(static_cast<std::size_t>(bytes) == held, ErrorKind::bad_file, where,
                ": the shape asks for ", bytes, " bytes, the offsets hold ", held);
  }

  /// One after the other, without gaps or overlaps, up to the end of the file.
  void check_places() const {
    using Place = std::pair<std::size_t, std::size_t>;
    std::vector<std::pair<Place, const std::string*>> places;
    for (const auto& [name, entry] : contents_.entries) {
      places.push_back({{entry.begin, entry.end}, &name});
    }
    std::sort(places.begin(), places.end());
    const std::size_t held = contents_.file->bytes().size() - contents_.data_begin;
    std::size_t at = 0;
    for (const auto& [place, name] : places) {
      FOVEA_CHECK(place.second <= held, ErrorKind::bad_file, contents_.path, ": tensor ", *name,
                  ": ends at byte ", place.second, " of ", held, "; the file is cut off");
      FOVEA_CHECK(place.first == at, ErrorKind::bad_file, contents_.path, ": tensor ", *name,
                  ": begins at byte ", place.first, ", expected ", at,
                  (place.first < at ? ": it overlaps the one before" : ": there is a gap"));
      at = place.second;
    }
    FOVEA_CHECK(at == held, ErrorKind::bad_file, contents_.path, ": ", held - at,
                " bytes belong to no tensor");
  }

  SafeTensors::Contents contents_;
};

SafeTensors SafeTensors::open(const std::filesystem::path& path) {
  return SafeTensorsReader(path).read();
}

std::vector<std::string> SafeTensors::names() const {
  std::vector<std::string> names;
  for (const auto& [name, entry] : contents_->entries) names.push_back(name);
  return names;
}

Tensor SafeTensors::find(const std::string& name) const {
  const auto at = contents_->entries.find(name);
  if (at == contents_->entries.end()) return {};
  const Entry& entry = at->second;
  const std::optional<DType> dtype = safetensors_dtype(entry.dtype);
  FOVEA_CHECK(dtype, ErrorKind::bad_file, contents_->path, ": tensor ", name, ": ", entry.dtype,
              " is not supported");
  FOVEA_CHECK(entry.shape.size() <= Shape::max_rank, ErrorKind::bad_file, contents_->path,
              ": tensor ", name, ": ", entry.shape.size(), " extents, at most ", Shape::max_rank,
              " are supported");
  const std::byte* data = contents_->file->bytes().data() + contents_->data_begin + entry.begin;
  const Shape shape{std::span<const Dim>(entry.shape)};
  if (reinterpret_cast<std::uintptr_t>(data) % size_of(*dtype) == 0) {
    return Tensor::wrap(data, shape, *dtype, contents_->file, MappedFile::let_go);
  }
  Tensor aligned = Tensor::empty(shape, *dtype);  // the format does not promise alignment
  std::memcpy(aligned.mutable_raw(), data, aligned.bytes());
  return aligned;
}

Params::Source SafeTensors::source() const {
  return [file = *this](const std::string& name) { return as_numbers(file.find(name)); };
}

}  // namespace fovea
