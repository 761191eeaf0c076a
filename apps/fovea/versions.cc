#include "versions.h"

#include <curl/curl.h>
#include <lzma.h>
#include <openssl/crypto.h>
#include <toml++/toml.h>
#include <unicode/uchar.h>
#include <unicode/uversion.h>
#include <zlib.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "fovea/base/check.h"
#include "hwy/highway.h"

namespace fovea::app {
namespace {

std::string icu_version() {
  UVersionInfo version;
  char text[U_MAX_VERSION_STRING_LENGTH];
  u_getVersion(version);
  u_versionToString(version, text);
  return text;
}

template <class Part>
std::string dotted(Part major, Part minor, Part patch) {
  return concat(major, ".", minor, ".", patch);
}

}  // namespace

std::vector<std::pair<std::string, std::string>> library_versions() {
  return {{"fovea", FOVEA_VERSION},
          {"Highway", dotted(HWY_MAJOR, HWY_MINOR, HWY_PATCH)},
          {"SentencePiece", SENTENCEPIECE_VERSION},
          {"ICU", icu_version()},
          {"libcurl", curl_version_info(CURLVERSION_NOW)->version},
          {"OpenSSL", OpenSSL_version(OPENSSL_VERSION_STRING)},
          {"zlib", zlibVersion()},
          {"xz", lzma_version_string()},
          {"toml++", dotted(TOML_LIB_MAJOR, TOML_LIB_MINOR, TOML_LIB_PATCH)},
          {"CLI11", CLI11_VERSION},
          {"nlohmann json", dotted(NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR,
                                   NLOHMANN_JSON_VERSION_PATCH)}};
}

}  // namespace fovea::app
