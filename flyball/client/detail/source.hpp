// Errors that say where the configuration came from that led to them.
#pragma once

#include <string>

#include "flyball/base/error.hpp"
#include "flyball/base/stop.hpp"
#include "flyball/net/http_parser.hpp"
#include "flyball/net/stream.hpp"

namespace flyball::client::detail {

// " (from context "kind" of /home/me/.kube/config)"; nothing when the source is not known.
inline std::string from_source(const std::string& source) { return source.empty() ? "" : " (from " + source + ")"; }

// What `call` returns; its errors with the source behind them.
template <class Call>
auto with_source(const std::string& source, Call&& call) -> decltype(call()) {
  try {
    return call();
  } catch (const net::NetError& error) {
    throw net::NetError(error.kind(), error.what() + from_source(source));
  } catch (const net::ProtocolError& error) {
    throw net::ProtocolError(error.what() + from_source(source), error.status());
  } catch (const InputError& error) {
    throw InputError(error.position(), error.path(), error.problem() + from_source(source));
  } catch (const Stopped&) {
    throw;
  } catch (const Error& error) {
    throw Error(error.what() + from_source(source));
  }
}

}  // namespace flyball::client::detail
