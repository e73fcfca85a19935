#include "flyball/client/credentials.hpp"

#include <utility>

#include "flyball/base/error.hpp"
#include "flyball/base/mutex.hpp"
#include "flyball/client/detail/files.hpp"
#include "flyball/kube/bytes.hpp"

namespace flyball::client {
namespace {

class FixedHeader : public Credentials {
 public:
  explicit FixedHeader(Secret value) : value_(std::move(value)) {}
  void authorize(net::Headers& headers, const Stop& /*stop*/) override {
    headers.set("Authorization", value_.reveal());
  }

 private:
  const Secret value_;
};

class TokenFile : public Credentials {
 public:
  TokenFile(std::string path, TokenFileOptions options)
      : path_(std::move(path)), log_(std::move(options.log)), last_(std::move(options.first)) {}

  void authorize(net::Headers& headers, const Stop& /*stop*/) override {
    headers.set("Authorization", "Bearer " + read().reveal());
  }
  bool rejected(const net::Headers& sent) override { return sent.get("Authorization") != "Bearer " + read().reveal(); }

 private:
  Secret read() {
    MutexLock lock(mutex_);
    try {
      Secret token(detail::trimmed(detail::read_file(path_)));
      if (token.empty()) throw InputError({}, path_, "the file is empty; expected a token");
      last_ = std::move(token);
      warned_ = false;
    } catch (const InputError& error) {
      if (last_.empty()) throw;
      // Once per outage: this runs for every request.
      if (!warned_) log_.warn("cannot read the token file; the last token stays in use", "error", error);
      warned_ = true;
    }
    return last_;
  }

  // Constant after construction.
  const std::string path_;
  const Logger log_;

  Mutex mutex_;
  Secret last_ FLYBALL_GUARDED_BY(mutex_);
  bool warned_ FLYBALL_GUARDED_BY(mutex_) = false;
};

}  // namespace

std::shared_ptr<Credentials> bearer_token(const Secret& token) {
  return std::make_shared<FixedHeader>(Secret("Bearer " + token.reveal()));
}

std::shared_ptr<Credentials> basic_auth(const std::string& user, const Secret& password) {
  return std::make_shared<FixedHeader>(Secret("Basic " + kube::to_base64(user + ":" + password.reveal())));
}

std::shared_ptr<Credentials> token_file(std::string path, TokenFileOptions options) {
  return std::make_shared<TokenFile>(std::move(path), std::move(options));
}

}  // namespace flyball::client
