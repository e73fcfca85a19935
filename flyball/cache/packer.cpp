#include "flyball/cache/packer.hpp"

#include <algorithm>
#include <utility>

#define ZSTD_STATIC_LINKING_ONLY   // by-reference dictionaries of a known size
#define ZDICT_STATIC_LINKING_ONLY  // the trainer that needs little memory
#include <zdict.h>
#include <zstd.h>

#include "flyball/base/error.hpp"

namespace flyball::cache {
namespace {

// Objects after which the dictionary's first ratio is known, and over which the recent one is averaged.
constexpr std::size_t kSettled = 256;
// A dictionary no longer fits when objects take this much more than they did at first.
constexpr double kDrift = 1.5;
// A new dictionary takes the old one's place when objects take at most this part of what they did.
constexpr double kBetter = 0.9;
// Objects to try a dictionary on.
constexpr std::size_t kTried = 16;
// How long the pieces are that a dictionary is made of.
constexpr unsigned kSegment = 1000;

}  // namespace

struct Packer::Dictionary {
  explicit Dictionary(std::string content)
      : text(std::move(content)), for_unpacking(ZSTD_createDDict_byReference(text.data(), text.size())) {}
  ~Dictionary() { ZSTD_freeDDict(for_unpacking); }
  Dictionary(const Dictionary&) = delete;
  Dictionary& operator=(const Dictionary&) = delete;

  std::size_t bytes_held() const { return text.size() + ZSTD_sizeof_DDict(for_unpacking); }

  const std::string text;
  ZSTD_DDict* const for_unpacking;
};

// What packing with a dictionary needs besides: half a megabyte, which old ones can do without.
struct Packer::Packing {
  Packing(std::shared_ptr<const Dictionary> with, int level)
      : dictionary(std::move(with)),
        tables(ZSTD_createCDict_byReference(dictionary->text.data(), dictionary->text.size(), level)) {}
  ~Packing() { ZSTD_freeCDict(tables); }
  Packing(const Packing&) = delete;
  Packing& operator=(const Packing&) = delete;

  const std::shared_ptr<const Dictionary> dictionary;
  ZSTD_CDict* const tables;
};

struct Packer::Contexts {
  Contexts() : packing(ZSTD_createCCtx()) {}
  ~Contexts() { ZSTD_freeCCtx(packing); }
  Contexts(const Contexts&) = delete;
  Contexts& operator=(const Contexts&) = delete;

  ZSTD_CCtx* const packing;
};

Packer::Packer(PackerOptions options) : options_(options), contexts_(std::make_unique<Contexts>()) {}
Packer::~Packer() = default;

Packed Packer::pack(std::string_view bytes) {
  if (sampling_) {
    ++seen_;
    seen_bytes_ += bytes.size();
  }
  const std::size_t size = compress(bytes, packing_.get());
  watch_ratio(bytes.size(), std::min(size, bytes.size()));
  if (size >= bytes.size()) return {.dictionary = kRaw, .bytes = bytes};
  return {.dictionary = newest_, .bytes = std::string_view(buffer_).substr(0, size)};
}

Packed Packer::repack(std::string_view bytes) {
  const std::size_t size = compress(bytes, packing_.get());
  if (size >= bytes.size()) return {.dictionary = kRaw, .bytes = bytes};
  return {.dictionary = newest_, .bytes = std::string_view(buffer_).substr(0, size)};
}

std::size_t Packer::compress(std::string_view bytes, const Packing* packing) {
  buffer_.resize(std::max(buffer_.size(), ZSTD_compressBound(bytes.size())));
  ZSTD_CCtx* context = contexts_->packing;
  ZSTD_CCtx_reset(context, ZSTD_reset_session_and_parameters);
  ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, options_.level);
  // We know whose it is: without magic, checksum and the dictionary's name an object is 10 bytes smaller.
  ZSTD_CCtx_setParameter(context, ZSTD_c_format, ZSTD_f_zstd1_magicless);
  ZSTD_CCtx_setParameter(context, ZSTD_c_dictIDFlag, 0);
  if (packing != nullptr) ZSTD_CCtx_refCDict(context, packing->tables);
  const std::size_t size = ZSTD_compress2(context, buffer_.data(), buffer_.size(), bytes.data(), bytes.size());
  if (ZSTD_isError(size) != 0) throw Error(std::string("packing an object failed: ") + ZSTD_getErrorName(size));
  return size;
}

std::string Packer::unpack(std::string_view packed, DictionaryId dictionary) const {
  if (dictionary == kRaw) return std::string(packed);
  const auto with = find(dictionary);
  if (dictionary != kAlone && with == nullptr) {
    throw Error("an object was packed with dictionary " + std::to_string(dictionary) + ", which is gone");
  }
  // One per thread: readers do not wait for each other, and the context is a hundred kilobytes.
  struct Context {
    ZSTD_DCtx* const context = ZSTD_createDCtx();
    Context() = default;
    ~Context() { ZSTD_freeDCtx(context); }
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;
  };
  thread_local const Context own;
  ZSTD_DCtx_reset(own.context, ZSTD_reset_session_and_parameters);
  ZSTD_DCtx_setParameter(own.context, ZSTD_d_format, ZSTD_f_zstd1_magicless);
  if (with != nullptr) ZSTD_DCtx_refDDict(own.context, with->for_unpacking);

  ZSTD_frameHeader header;
  const std::size_t read = ZSTD_getFrameHeader_advanced(&header, packed.data(), packed.size(), ZSTD_f_zstd1_magicless);
  constexpr std::uint64_t kLargest = std::uint64_t{1} << 30U;
  if (read != 0 || header.frameContentSize > kLargest)
    throw Error("a packed object is damaged: its head makes no sense");
  std::string bytes(static_cast<std::size_t>(header.frameContentSize), '\0');
  const std::size_t size = ZSTD_decompressDCtx(own.context, bytes.data(), bytes.size(), packed.data(), packed.size());
  if (ZSTD_isError(size) != 0 || size != bytes.size()) {
    throw Error(std::string("a packed object is damaged: ") +
                (ZSTD_isError(size) != 0 ? ZSTD_getErrorName(size) : "it is too short"));
  }
  return bytes;
}

const std::string& Packer::unpack_again(std::string_view packed, DictionaryId dictionary) const {
  // Known again by all that decides what comes out, not by where it lay: that may be in use for something else by now.
  struct Remembered {
    std::string packed = {};
    std::shared_ptr<const Dictionary> with = {};
    DictionaryId dictionary = kDelta;
    std::string bytes = {};
  };
  thread_local Remembered last;
  auto with = find(dictionary);
  if (last.dictionary == dictionary && last.with == with && last.packed == packed) return last.bytes;
  last.dictionary = kDelta;
  last.bytes = unpack(packed, dictionary);
  last.packed = packed;
  last.with = std::move(with);
  last.dictionary = dictionary;
  return last.bytes;
}

double Packer::ratio() const noexcept {
  constexpr double kUnknown = 0.3;
  return sampling_ || since_learned_ == 0 ? kUnknown : recent_ratio_;
}

bool Packer::wants_samples() const noexcept {
  return sampling_ && seen_ >= options_.fewest_samples && seen_bytes_ >= options_.sample_bytes;
}

void Packer::learn(std::string_view samples, const std::vector<std::size_t>& sizes) {
  sampling_ = false;
  seen_ = seen_bytes_ = 0;
  since_learned_ = 0;
  learned_ratio_ = 0;
  const std::size_t tried = sizes.size() >= 2 * kTried ? kTried : 0;
  std::size_t tried_bytes = 0;
  for (std::size_t i = 0; i < tried; ++i) tried_bytes += sizes[sizes.size() - 1 - i];
  const std::string_view learned = samples.substr(0, samples.size() - tried_bytes);
  auto made = std::make_shared<const Dictionary>(
      train(learned, {sizes.begin(), sizes.end() - static_cast<std::ptrdiff_t>(tried)}));
  auto packing = std::make_unique<const Packing>(made, options_.level);
  if (packing_ != nullptr) {
    std::size_t old_size = 0;
    std::size_t new_size = 0;
    std::string_view rest = samples.substr(learned.size());
    for (std::size_t i = sizes.size() - tried; i < sizes.size(); rest.remove_prefix(sizes[i++])) {
      old_size += compress(rest.substr(0, sizes[i]), packing_.get());
      new_size += compress(rest.substr(0, sizes[i]), packing.get());
    }
    if (static_cast<double>(new_size) > kBetter * static_cast<double>(old_size)) return;
  }
  adopt(std::move(made), std::move(packing));
}

std::string Packer::train(std::string_view samples, const std::vector<std::size_t>& sizes) const {
  std::string text(std::min(options_.dictionary_bytes, samples.size() / 4), '\0');
  ZDICT_fastCover_params_t parameters{};
  parameters.k = kSegment;
  parameters.d = 8;
  parameters.f = 18;  // tables of one megabyte, while it learns
  parameters.accel = 1;
  parameters.zParams.compressionLevel = options_.level;
  const std::size_t size = ZDICT_trainFromBuffer_fastCover(text.data(), text.size(), samples.data(), sizes.data(),
                                                           static_cast<unsigned>(sizes.size()), parameters);
  // Objects that are all but equal teach nothing new; then a few of them as they are do as well.
  return ZDICT_isError(size) == 0 ? text.substr(0, size) : std::string(samples.substr(0, text.size()));
}

void Packer::adopt(std::shared_ptr<const Dictionary> dictionary, std::unique_ptr<const Packing> packing) {
  // Numbers come round: those in use are passed over.
  DictionaryId next = newest_;
  const MutexLock lock(mutex_);
  do {
    next = next + 1 == kDelta ? DictionaryId{kAlone + 1} : static_cast<DictionaryId>(next + 1);
  } while (dictionaries_.contains(next));
  const auto before = dictionaries_.find(newest_);
  if (before != dictionaries_.end() && !stored_.contains(newest_)) dictionaries_.erase(before);
  dictionaries_[next] = std::move(dictionary);
  newest_ = next;
  packing_ = std::move(packing);
}

void Packer::watch_ratio(std::size_t bytes, std::size_t packed) {
  if (sampling_ || bytes == 0) return;
  const double ratio = static_cast<double>(packed) / static_cast<double>(bytes);
  recent_ratio_ = since_learned_ == 0 ? ratio
                                      : recent_ratio_ + (ratio - recent_ratio_) /
                                                            static_cast<double>(std::min(since_learned_ + 1, kSettled));
  if (++since_learned_ == kSettled) learned_ratio_ = recent_ratio_;
  if (since_learned_ > kSettled && recent_ratio_ > kDrift * learned_ratio_) sampling_ = true;
}

void Packer::retain(DictionaryId dictionary) { ++stored_[dictionary]; }

void Packer::release(DictionaryId dictionary) {
  if (--stored_[dictionary] != 0) return;
  stored_.erase(dictionary);
  if (dictionary == newest_) return;
  const MutexLock lock(mutex_);
  dictionaries_.erase(dictionary);
}

std::shared_ptr<const Packer::Dictionary> Packer::find(DictionaryId id) const {
  const MutexLock lock(mutex_);
  const auto found = dictionaries_.find(id);
  return found == dictionaries_.end() ? nullptr : found->second;
}

std::size_t Packer::bytes_held() const {
  std::size_t bytes = buffer_.capacity() + ZSTD_sizeof_CCtx(contexts_->packing);
  if (packing_ != nullptr) bytes += ZSTD_sizeof_CDict(packing_->tables);
  const MutexLock lock(mutex_);
  for (const auto& [id, dictionary] : dictionaries_) bytes += dictionary->bytes_held();
  return bytes;
}

}  // namespace flyball::cache
