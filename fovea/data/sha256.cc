#include "fovea/data/sha256.h"

#include <openssl/evp.h>

#include <array>
#include <fstream>
#include <memory>
#include <vector>

#include "fovea/base/check.h"
#include "fovea/base/file_error.h"

namespace fovea {

std::string sha256_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  FOVEA_CHECK(file, file_error_kind(path), path.string(), ": cannot be opened");
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(),
                                                                        &EVP_MD_CTX_free);
  bool done = context && EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) == 1;
  std::vector<char> buffer(1 << 16);
  while (done && file) {
    file.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
    done = EVP_DigestUpdate(context.get(), buffer.data(),
                            static_cast<std::size_t>(file.gcount())) == 1;
  }
  FOVEA_CHECK(file.eof(), ErrorKind::bad_file, path.string(), ": cannot be read to its end");
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest = {};
  unsigned int size = 0;
  done = done && EVP_DigestFinal_ex(context.get(), digest.data(), &size) == 1;
  FOVEA_CHECK(done, ErrorKind::internal, "SHA-256 failed in libcrypto");
  std::string text;
  for (unsigned int i = 0; i < size; ++i) {
    text += "0123456789abcdef"[digest[i] >> 4];
    text += "0123456789abcdef"[digest[i] & 15];
  }
  return text;
}

}  // namespace fovea
