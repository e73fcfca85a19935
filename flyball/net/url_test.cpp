#include "flyball/net/url.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flyball/base/error.hpp"

namespace flyball::net {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string problem(std::string_view text) {
  try {
    (void)Url::parse(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

TEST(Url, TakesAnAddressApart) {
  const Url url = Url::parse("HTTPS://Kube.Example.com:6443/api/v1?watch=1&a=%20#part");
  EXPECT_EQ(url.scheme, "https");
  EXPECT_EQ(url.host, "kube.example.com");
  EXPECT_EQ(url.port, 6443);
  EXPECT_EQ(url.path, "/api/v1");
  EXPECT_EQ(url.query, "watch=1&a=%20");
  EXPECT_EQ(url.target(), "/api/v1?watch=1&a=%20");
  EXPECT_EQ(url.text(), "https://kube.example.com:6443/api/v1?watch=1&a=%20");
}

TEST(Url, KnowsTheSchemesOwnPort) {
  const Url url = Url::parse("https://kube");
  EXPECT_EQ(url.effective_port(), 443);
  EXPECT_EQ(url.host_header(), "kube");
  EXPECT_EQ(url.origin(), "https://kube:443");
  EXPECT_EQ(url.target(), "/");
  EXPECT_EQ(Url::parse("https://kube:443").host_header(), "kube");
  EXPECT_EQ(Url::parse("http://kube:443").host_header(), "kube:443");
  EXPECT_EQ(Url::parse("http://kube?x=1").target(), "/?x=1");
  EXPECT_EQ(Url::parse("socks5://proxy").effective_port(), 1080);
}

TEST(Url, ReadsIpv6InBrackets) {
  const Url url = Url::parse("https://[fd00::1]:8443/x");
  EXPECT_EQ(url.host, "fd00::1");
  EXPECT_EQ(url.port, 8443);
  EXPECT_EQ(url.host_header(), "[fd00::1]:8443");
  EXPECT_EQ(Url::parse("https://[::1]").host_header(), "[::1]");
  EXPECT_EQ(url.origin(), "https://[fd00::1]:8443");
}

TEST(Url, ReadsUserAndPasswordAndDoesNotPrintThem) {
  const Url url = Url::parse("http://me:p%40ss@proxy:3128");
  EXPECT_EQ(url.user, "me");
  EXPECT_EQ(url.password.reveal(), "p@ss");
  EXPECT_EQ(url.text(), "http://proxy:3128/");
  EXPECT_THAT(problem("http://me:hunter2@proxy:x"), Not(HasSubstr("hunter2")));
}

TEST(Url, SaysWhatIsWrong) {
  EXPECT_THAT(problem("kube:6443"), HasSubstr("does not begin with a scheme"));
  EXPECT_THAT(problem("https://"), HasSubstr("host is missing"));
  EXPECT_THAT(problem("https://:6443"), HasSubstr("host is missing"));
  EXPECT_THAT(problem("https://kube:0"), HasSubstr("1 to 65535"));
  EXPECT_THAT(problem("https://kube:65536"), HasSubstr("1 to 65535"));
  EXPECT_THAT(problem("https://kube:"), HasSubstr("1 to 65535"));
  EXPECT_THAT(problem("https://::1:6443"), HasSubstr("in brackets"));
  EXPECT_THAT(problem("https://[::1"), HasSubstr("not closed"));
  EXPECT_THAT(problem("https://[kube]"), HasSubstr("no IPv6 address"));
  EXPECT_THAT(problem("https://[::1]x"), HasSubstr("only a port"));
  EXPECT_THAT(problem("https://ku be"), HasSubstr("percent-encode"));
  EXPECT_THAT(problem("https://ku%62e"), HasSubstr("no host name"));
}

TEST(Query, EncodesSoThatEveryServerReadsTheSame) {
  // [snippet: query]
  Query query;
  query.add("labelSelector", "app in (a, b)").add("x", "1+1=2&ü");
  EXPECT_EQ(query.text(), "labelSelector=app%20in%20%28a%2C%20b%29&x=1%2B1%3D2%26%C3%BC");
  // [end]
  const auto pairs = Query::parse(query.text());
  ASSERT_EQ(pairs.size(), 2U);
  EXPECT_EQ(pairs[0].second, "app in (a, b)");
  EXPECT_EQ(pairs[1].second, "1+1=2&ü");
  EXPECT_EQ(Query::parse("a+b=c+d&&flag")[0].first, "a b");
  EXPECT_EQ(Query::parse("flag")[0].second, "");
  EXPECT_THROW((void)Query::parse("a=%2"), InputError);
}

TEST(Percent, KeepsWhatItIsTold) {
  EXPECT_EQ(percent_encode("/a b/~c", "/"), "/a%20b/~c");
  EXPECT_EQ(percent_decode("%41+%zz"), std::nullopt);
  EXPECT_EQ(percent_decode("%41+"), "A+");
}

}  // namespace
}  // namespace flyball::net
