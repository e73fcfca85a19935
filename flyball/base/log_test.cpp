#include "flyball/base/log.hpp"

#include <limits>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "flyball/base/error.hpp"
#include "flyball/base/manual_clock.hpp"
#include "flyball/base/thread.hpp"

namespace flyball {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

struct ObjectKey {
  std::string namespace_;
  std::string name;
};
int formatted = 0;
std::string log_text(const ObjectKey& key) {
  ++formatted;
  return key.namespace_ + "/" + key.name;
}

class TerminalSink : public LogSink {
 public:
  void write(std::string_view line) override { text += line; }
  bool is_terminal() const override { return true; }
  std::string text;
};

class LogTest : public ::testing::Test {
 protected:
  Logger make(LogEncoding encoding, const std::string& levels = "info") {
    core_ = std::make_shared<LogCore>(clock_, sink_, LogCore::Options{.encoding = encoding, .levels = levels});
    return Logger(core_, "runtime");
  }

  ManualClock clock_;
  CapturingSink sink_;
  std::shared_ptr<LogCore> core_;
};

TEST_F(LogTest, WritesALineForPeople) {
  ManualClock clock;
  CapturingSink sink;
  // [snippet: log-basic]
  auto core = std::make_shared<LogCore>(clock, sink, LogCore::Options{.levels = "client=debug,info"});
  const Logger log = Logger(core, "runtime").with("controller", "memcached");
  log.info("reconciled", "object", "default/cache", "took", 1500us);
  EXPECT_EQ(
      sink.take(),
      "2026-01-01T00:00:00.000Z INFO  runtime: reconciled controller=memcached object=default/cache took=1.5ms\n");
  // [end]
}

TEST_F(LogTest, WritesJsonForMachines) {
  const Logger log = make(LogEncoding::json);
  log.warn("slow", "object", ObjectKey{"default", "cache"}, "tries", 3, "big",
           std::numeric_limits<std::uint64_t>::max(), "ratio", 0.5, "ok", false, "none", nullptr, "took", 90s, "why",
           Error("no route"), "letter", 'x', "maybe", std::optional<int>());
  EXPECT_EQ(sink_.take(),
            "{\"ts\":\"2026-01-01T00:00:00.000Z\",\"level\":\"warn\",\"room\":\"runtime\",\"msg\":\"slow\","
            "\"object\":\"default/cache\",\"tries\":3,\"big\":18446744073709551615,\"ratio\":0.5,\"ok\":false,"
            "\"none\":null,\"took\":\"1m30s\",\"why\":\"no route\",\"letter\":\"x\",\"maybe\":null}\n");
}

TEST_F(LogTest, JsonEscapesWhatItMustAndRepairsUtf8) {
  const Logger log = make(LogEncoding::json);
  log.info("a\"b\\c\n\x01", "bytes", "\xff\xc3\xa4\xed\xa0\x80");
  EXPECT_THAT(sink_.take(), HasSubstr("\"msg\":\"a\\\"b\\\\c\\n\\u0001\",\"bytes\":\"\uFFFDä\uFFFD\uFFFD\uFFFD\"}"));
  log.info("x", "inf", std::numeric_limits<double>::infinity(), "nan", std::numeric_limits<double>::quiet_NaN());
  EXPECT_THAT(sink_.take(), HasSubstr("\"inf\":\"+Inf\",\"nan\":\"NaN\""));
}

TEST_F(LogTest, AFieldCannotHideTheRecordsOwnKeys) {
  make(LogEncoding::json).info("real", "msg", "forged", "level", "off");
  EXPECT_THAT(sink_.take(), HasSubstr("\"msg\":\"real\",\"msg_\":\"forged\",\"level_\":\"off\""));
}

TEST_F(LogTest, TheLastFieldOfANameWins) {
  const Logger log = make(LogEncoding::console).with("object", "old", "kept", 1);
  log.info("x", "object", "new");
  EXPECT_THAT(sink_.take(), HasSubstr("x kept=1 object=new\n"));
}

TEST_F(LogTest, OneCallIsOneLineWhateverItHolds) {
  const Logger console = make(LogEncoding::console);
  console.info("two\nlines\x1b[31m", "value", "a b", "empty", "", "bad name", "x\ny");
  EXPECT_THAT(sink_.take(), HasSubstr("two\\nlines\\u001b[31m value=\"a b\" empty=\"\" \"bad name\"=\"x\\ny\"\n"));

  EXPECT_TRUE(rc::check([this](const std::string& message, const std::string& name, const std::string& value) {
    for (const LogEncoding encoding : {LogEncoding::console, LogEncoding::json}) {
      make(encoding).info(message, name, value);
      const std::string line = sink_.take();
      RC_ASSERT(line.find('\n') == line.size() - 1);
      for (const char c : line) RC_ASSERT(static_cast<unsigned char>(c) >= 0x20 || c == '\n');
    }
  }));
}

TEST_F(LogTest, ColoursOnlyForATerminal) {
  TerminalSink terminal;
  Logger(std::make_shared<LogCore>(clock_, terminal), "runtime").error("failed", "n", 1);
  EXPECT_EQ(terminal.text,
            "\x1b[2m2026-01-01T00:00:00.000Z\x1b[0m \x1b[31mERROR\x1b[0m runtime: failed \x1b[2mn=\x1b[0m1\n");
  make(LogEncoding::console).error("failed", "n", 1);
  EXPECT_EQ(sink_.take().find('\x1b'), std::string::npos);
}

TEST_F(LogTest, SecretsNeverPrint) {
  // [snippet: log-secret]
  const Secret token("s3cr3t");
  std::ostringstream out;
  out << token;
  EXPECT_EQ(out.str(), "[redacted]");
  // [end]
  const Logger log = make(LogEncoding::console).with("clientSecret", "s3cr3t");
  log.info("x", "value", token, "Authorization", "s3cr3t", "api-key", "s3cr3t", "db_password", std::string("s3cr3t"),
           "secretName", "db-credentials");
  const std::string line = sink_.take();
  EXPECT_EQ(line.find("s3cr3t"), std::string::npos) << line;
  EXPECT_THAT(line, HasSubstr("value=[redacted]"));
  EXPECT_THAT(line, HasSubstr("secretName=db-credentials"));
}

TEST(LooksSecret, GoesByTheName) {
  for (const char* name : {"token", "bearerToken", "PASSWORD", "db_passwd", "Authorization", "api_key", "client-secret",
                           "privateKey", "Set-Cookie", "aws.credentials"}) {
    EXPECT_TRUE(looks_secret(name)) << name;
  }
  for (const char* name : {"object", "secretName", "secret_ref", "tokenCount", "key", "secret.namespace", ""}) {
    EXPECT_FALSE(looks_secret(name)) << name;
  }
}

TEST_F(LogTest, LevelsArePerRoomAndChangeAtRunTime) {
  const Logger runtime = make(LogEncoding::console, "client=debug,warn");
  const Logger client = runtime.in_room("client");
  runtime.info("hidden");
  EXPECT_EQ(sink_.take(), "");
  client.debug("shown");
  EXPECT_THAT(sink_.take(), HasSubstr("client: shown"));

  core_->set_levels("runtime = trace , off");
  runtime.trace("shown");
  client.error("hidden");
  EXPECT_THAT(sink_.take(), HasSubstr("TRACE runtime: shown\n"));
  EXPECT_FALSE(Logger(core_, "new room").enabled(LogLevel::error));
}

TEST_F(LogTest, ADisabledLineFormatsNothing) {
  const Logger log = make(LogEncoding::console);
  formatted = 0;
  log.debug("hidden", "object", ObjectKey{"a", "b"});
  EXPECT_EQ(formatted, 0);
  log.info("shown", "object", ObjectKey{"a", "b"});
  EXPECT_EQ(formatted, 1);
  Logger().error("into the void", "object", ObjectKey{"a", "b"});
  Logger().with("a", 1).in_room("x").error("into the void");
  EXPECT_EQ(formatted, 1);
}

TEST_F(LogTest, AWrongSpecIsExplainedAndChangesNothing) {
  const Logger log = make(LogEncoding::console, "debug");
  const std::pair<const char*, const char*> cases[] = {
      {"client=debgu,info", "\"debgu\" is not a level; expected trace, debug, info, warn, error or off"},
      {"", "an item is empty"},
      {"info,,client=debug", "an item is empty"},
      {"info,warn", "there are two levels without a room"},
      {"=debug", "\"=debug\" names no room"},
      {"a=info,a=warn", "the room \"a\" comes twice"},
  };
  for (const auto& [spec, problem] : cases) {
    try {
      core_->set_levels(spec);
      FAIL() << spec;
    } catch (const InputError& e) {
      EXPECT_EQ(std::string(e.what()),
                "log levels \"" + std::string(spec) + "\": " + problem +
                    ". Write rooms with levels and one level for the rest, like \"client=debug,info\"");
    }
  }
  EXPECT_TRUE(log.enabled(LogLevel::debug));
}

TEST(LogLevels, ComeFromTheEnvironment) {
  unsetenv("FLYBALL_LOG");
  EXPECT_EQ(log_levels_from_environment(), "info");
  setenv("FLYBALL_LOG", "client=trace", 1);
  EXPECT_EQ(log_levels_from_environment(), "client=trace");
  unsetenv("FLYBALL_LOG");
}

TEST_F(LogTest, ThreadsWriteWholeLinesWhileLevelsChange) {
  const Logger log = make(LogEncoding::console);
  {
    std::vector<std::unique_ptr<Thread>> threads;
    for (int i = 0; i < 3; ++i) {
      threads.push_back(std::make_unique<Thread>(clock_, "writer", [&log, i] {
        const Logger mine = log.with("writer", i);
        for (int n = 0; n < 200; ++n) mine.info("line", "n", n);
      }));
    }
    for (int n = 0; n < 50; ++n) core_->set_levels(n % 2 == 0 ? "debug" : "info");
  }
  std::istringstream lines(sink_.take());
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) EXPECT_THAT(line, HasSubstr("runtime: line writer="));
  EXPECT_EQ(count, 600);
}

}  // namespace
}  // namespace flyball
