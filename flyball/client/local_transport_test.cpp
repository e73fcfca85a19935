#include "flyball/client/local_transport.hpp"

#include <deque>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/base/condition.hpp"
#include "flyball/base/manual_clock.hpp"
#include "flyball/base/mutex.hpp"
#include "flyball/base/random.hpp"
#include "flyball/client/client.hpp"
#include "flyball/client/whole_body.hpp"
#include "flyball/kube/core/v1.hpp"

namespace flyball::client {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr std::string_view kPods = R"({"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"7"},"items":[)"
                                   R"({"metadata":{"name":"a","namespace":"default","resourceVersion":"5"}},)"
                                   R"({"metadata":{"name":"b","namespace":"default","resourceVersion":"6"}}]})";

// A server of two Pods, which says who asked, and whose watch gives two pieces and is silent then.
class TwoPods : public Service {
 public:
  explicit TwoPods(Clock& clock) : silence_(clock) {}

  net::Response handle(const net::Request& request, const net::PeerIdentity& caller, const Stop& stop) override {
    if (request.target == "/whoami") return {.body = caller.common_name};
    if (request.target == "/wrong") throw Error("the disk is full");
    if (request.target == "/slow") stop.throw_if_stopped();
    return {.headers = {{"Content-Type", "application/json"}}, .body = std::string(kPods)};
  }
  std::unique_ptr<BodyStream> open(const net::Request& request, const net::PeerIdentity& /*caller*/,
                                   const Stop& /*stop*/) override {
    if (request.target == "/wrong") throw Error("the disk is full");
    return std::make_unique<Pieces>(*this);
  }

 private:
  class Pieces : public BodyStream {
   public:
    explicit Pieces(TwoPods& server) : server_(server) {}
    const net::Response& head() const noexcept override { return head_; }
    std::string read(const Stop& stop) override {
      if (!pieces_.empty()) {
        std::string piece = pieces_.front();
        pieces_.pop_front();
        return piece;
      }
      const MutexLock lock(server_.mutex_);
      server_.silence_.wait(server_.mutex_, stop, [] { return false; });
      throw Stopped(stop.reason());
    }

   private:
    TwoPods& server_;
    net::Response head_ = {.status = 200};
    std::deque<std::string> pieces_ = {"one", "two"};
  };

  Mutex mutex_;
  Condition silence_;
};

struct LocalTransportTest : ::testing::Test {
  RealClock clock;
  TwoPods server{clock};
  LocalTransport transport{clock, server, {.caller = {.common_name = "alice", .organizations = {"staff"}}}};
};

TEST_F(LocalTransportTest, TheServerAnswersAndKnowsWhoAsks) {
  EXPECT_EQ(transport.send({.target = "/whoami"}, {}).body, "alice");
}

TEST_F(LocalTransportTest, AClientCannotTellItFromHttp) {
  Random random(1);
  const Client client(transport, clock, random);
  std::vector<std::string> names;
  for (const auto& pod : client.list<kube::core::v1::Pod>()) names.push_back(pod.metadata.name);
  EXPECT_THAT(names, ::testing::ElementsAre("a", "b"));
}

TEST_F(LocalTransportTest, AServerThatFailsIsAnInternalErrorWithItsWords) {
  const net::Response answer = transport.send({.target = "/wrong"}, {});
  EXPECT_EQ(answer.status, 500);
  EXPECT_THAT(answer.body, HasSubstr("GET /wrong: the disk is full"));
  const auto stream = transport.open({.target = "/wrong"}, {});
  EXPECT_EQ(stream->head().status, 500);
  EXPECT_THAT(stream->read({}), HasSubstr("the disk is full"));
  EXPECT_EQ(stream->read({}), "");
}

TEST_F(LocalTransportTest, AStreamComesPieceByPieceAndEndsAtTheStop) {
  const auto stream = transport.open({.target = "/watch"}, {});
  EXPECT_EQ(stream->read({}), "one");
  EXPECT_EQ(stream->read({}), "two");
  StopSource stop;
  stop.request_stop("enough");
  EXPECT_THAT([&] { stream->read(stop.stop()); }, ThrowsMessage<Stopped>(HasSubstr("enough")));
  EXPECT_THROW(transport.send({.target = "/"}, stop.stop()), Stopped);
  EXPECT_THROW(transport.open({.target = "/"}, stop.stop()), Stopped);
}

TEST_F(LocalTransportTest, ASilentStreamIsATimeoutThatNamesTheRequest) {
  const auto stream = transport.open({.target = "/watch"}, {}, {.idle_timeout = std::chrono::milliseconds(1)});
  stream->read({});
  stream->read({});
  EXPECT_THAT([&] { stream->read({}); }, ThrowsMessage<net::NetError>(HasSubstr("GET /watch: nothing came for")));
}

TEST(WholeBody, IsThereAlsoForOneWhoHasNoTimeToWait) {
  ManualClock clock;
  const Stop no_time = Stop().with_deadline(clock, clock.now());
  WholeBody body({.status = 404, .body = "no such thing"});
  EXPECT_EQ(body.read(no_time), "no such thing");
  EXPECT_EQ(body.read(no_time), "") << "its end";
}

}  // namespace
}  // namespace flyball::client
