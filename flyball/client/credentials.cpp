#include "flyball/client/credentials.hpp"

#include <utility>

namespace flyball::client {
namespace {

class BearerToken : public Credentials {
 public:
  explicit BearerToken(Secret token) : token_(std::move(token)) {}
  void authorize(net::Headers& headers, const Stop& /*stop*/) override {
    headers.set("Authorization", "Bearer " + token_.reveal());
  }

 private:
  const Secret token_;
};

}  // namespace

std::shared_ptr<Credentials> bearer_token(Secret token) { return std::make_shared<BearerToken>(std::move(token)); }

}  // namespace flyball::client
