#include "flyball/kube/owner.hpp"

#include <gtest/gtest.h>

#include "flyball/kube/apps/v1.hpp"
#include "flyball/kube/core/v1.hpp"
#include "flyball/kube/crd.hpp"
#include "flyball/kube/rbac/v1.hpp"
#include "flyball/reflect/encode.hpp"

namespace owner_example {

struct ShopSpec {
  bool open = false;
};
FLYBALL_DESCRIBE(ShopSpec, (open, "Whether it is."))
using Shop = flyball::CustomResource<"example.com", "v1", "Shop", ShopSpec>;
using OldShop = flyball::CustomResource<"example.com", "v1beta1", "Shop", ShopSpec>;
using Chain = flyball::CustomResource<"example.com", "v1", "Chain", ShopSpec>;
FLYBALL_RESOURCE(Chain, {.clusterScoped = true})

}  // namespace owner_example

namespace flyball::kube {
namespace {

using apps::v1::Deployment;
using core::v1::ConfigMap;
using owner_example::Chain;
using owner_example::Shop;

const Shop kShop{.metadata = {.name = "corner", .namespace_ = "town", .uid = "u-1"}, .spec = {}, .status = {}};
const Shop kRival{.metadata = {.name = "rival", .namespace_ = "town", .uid = "u-2"}, .spec = {}, .status = {}};

template <class F>
std::string error_of(F f) {
  try {
    f();
  } catch (const OwnerError& error) {
    return error.what();
  }
  return "no error";
}

TEST(OwnerTest, TheOwnerStandsInTheMetadataAsTheController) {
  // [snippet: set-owner]
  Deployment deployment{.metadata = {.name = "corner"}};
  set_owner(deployment, kShop);
  // [end]
  EXPECT_EQ(reflect::encode(deployment.metadata),
            R"({"name":"corner","namespace":"town","ownerReferences":[{"apiVersion":"example.com/v1","kind":"Shop",)"
            R"("name":"corner","uid":"u-1","controller":true,"blockOwnerDeletion":true}]})");
  EXPECT_TRUE(is_owned_by(deployment, kShop));
  EXPECT_TRUE(is_controlled_by(deployment, kShop));
  EXPECT_FALSE(is_owned_by(deployment, kRival));
  EXPECT_EQ(controller_of(deployment.metadata)->name, "corner");
}

TEST(OwnerTest, ASecondOwnerIsFineButNotASecondController) {
  ConfigMap map{.metadata = {.name = "shared", .namespace_ = "town"}};
  set_owner(map, kShop);
  EXPECT_EQ(error_of([&] { set_owner(map, kRival); }),
            "Shop town/rival cannot control ConfigMap town/shared: Shop corner (uid u-1) does already; set the owner "
            "with .controller = false, or choose another name");
  EXPECT_EQ(map.metadata.ownerReferences.size(), 1U);
  set_owner(map, kRival, {.controller = false, .blockOwnerDeletion = false});
  EXPECT_EQ(reflect::encode(map.metadata.ownerReferences.at(1)),
            R"({"apiVersion":"example.com/v1","kind":"Shop","name":"rival","uid":"u-2"})");
  EXPECT_TRUE(is_owned_by(map, kRival));
  EXPECT_FALSE(is_controlled_by(map, kRival));
}

TEST(OwnerTest, SettingItAgainChangesNothingAndAnOwnerMadeAnewTakesItsOldPlace) {
  ConfigMap map{.metadata = {.name = "shared", .namespace_ = "town"}};
  set_owner(map, kRival, {.controller = false});
  set_owner(map, kShop);
  const auto before = map;
  set_owner(map, kShop);
  EXPECT_EQ(map, before);

  const owner_example::OldShop anew{
      .metadata = {.name = "corner", .namespace_ = "town", .uid = "u-9"}, .spec = {}, .status = {}};
  set_owner(map, anew);
  ASSERT_EQ(map.metadata.ownerReferences.size(), 2U);
  EXPECT_EQ(map.metadata.ownerReferences[1].uid, "u-9");
  EXPECT_EQ(map.metadata.ownerReferences[1].apiVersion, "example.com/v1beta1");
  // Giving up control is a reference without the flag.
  set_owner(map, anew, {.controller = false});
  EXPECT_EQ(controller_of(map.metadata), nullptr);
}

TEST(OwnerTest, AnOwnerWithANamespaceOwnsOnlyWhatIsInIt) {
  ConfigMap elsewhere{.metadata = {.name = "far", .namespace_ = "sea"}};
  EXPECT_EQ(error_of([&] { set_owner(elsewhere, kShop); }),
            "Shop town/corner cannot own ConfigMap sea/far: an owner must be in the namespace of what it owns; use a "
            "finalizer to clean up instead");
  rbac::v1::ClusterRole role{.metadata = {.name = "reader"}};
  EXPECT_EQ(error_of([&] { set_owner(role, kShop); }),
            "Shop town/corner cannot own ClusterRole reader: the owner lives in a namespace, the object in none; use a "
            "finalizer to clean up instead");
  EXPECT_TRUE(elsewhere.metadata.ownerReferences.empty());

  const Chain chain{.metadata = {.name = "all", .uid = "u-3"}, .spec = {}, .status = {}};
  set_owner(elsewhere, chain);
  set_owner(role, chain);
  EXPECT_TRUE(is_owned_by(elsewhere, chain));
  EXPECT_EQ(elsewhere.metadata.namespace_, "sea");
  EXPECT_EQ(role.metadata.namespace_, "");
}

TEST(OwnerTest, AnOwnerThatWasNeverStoredOwnsNothing) {
  ConfigMap map{.metadata = {.generateName = "note-"}};
  const Shop fresh{.metadata = {.name = "new", .namespace_ = "town"}, .spec = {}, .status = {}};
  EXPECT_EQ(error_of([&] { set_owner(map, fresh); }),
            "Shop town/new cannot own anything yet: it has no uid; read it from the API server first");
  const Shop lost{.metadata = {.name = "lost", .uid = "u-4"}, .spec = {}, .status = {}};
  EXPECT_EQ(error_of([&] { set_owner(map, lost); }),
            "Shop lost cannot own ConfigMap note-…: the owner has no namespace, though its kind lives in one; read it "
            "from the API server first");
  // Objects that nobody owns do not belong to one that has no uid yet.
  map.metadata.ownerReferences = {{.kind = "Shop", .name = "x"}};
  EXPECT_FALSE(is_owned_by(map, fresh));
  EXPECT_FALSE(remove_owner(map, fresh));
}

TEST(OwnerTest, RemovingAnOwnerLeavesTheOthers) {
  ConfigMap map{.metadata = {.name = "shared", .namespace_ = "town"}};
  set_owner(map, kShop);
  set_owner(map, kRival, {.controller = false});
  EXPECT_TRUE(remove_owner(map, kShop));
  EXPECT_FALSE(remove_owner(map, kShop));
  ASSERT_EQ(map.metadata.ownerReferences.size(), 1U);
  EXPECT_EQ(find_owner(map.metadata, "u-2")->name, "rival");
  EXPECT_EQ(find_owner(map.metadata, "u-1"), nullptr);
}

}  // namespace
}  // namespace flyball::kube
