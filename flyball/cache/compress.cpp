#include "flyball/cache/detail/compress.hpp"

#include <zstd.h>

#include "flyball/base/error.hpp"

namespace flyball::cache::detail {

std::string compress_piece(std::string_view bytes) {
  ZSTD_CCtx* context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  std::string packed(ZSTD_compressBound(bytes.size()), '\0');
  const std::size_t size = ZSTD_compress2(context, packed.data(), packed.size(), bytes.data(), bytes.size());
  ZSTD_freeCCtx(context);
  if (ZSTD_isError(size) != 0) throw Error(std::string("packing failed: ") + ZSTD_getErrorName(size));
  packed.resize(size);
  return packed;
}

std::string decompress_piece(std::string_view packed, std::size_t limit) {
  const unsigned long long announced = ZSTD_getFrameContentSize(packed.data(), packed.size());
  // The two values for "unknown" and "no frame" are larger than any limit.
  if (announced > limit) throw InputError({}, {}, "a packed piece is damaged: its size makes no sense");
  std::string bytes(static_cast<std::size_t>(announced), '\0');
  const std::size_t size = ZSTD_decompress(bytes.data(), bytes.size(), packed.data(), packed.size());
  if (ZSTD_isError(size) != 0 || size != bytes.size()) throw InputError({}, {}, "a packed piece is damaged");
  return bytes;
}

}  // namespace flyball::cache::detail
