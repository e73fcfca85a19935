// The cluster's DNS: answers one question from the names of a ServiceTable.
//
//   const std::string answer = dns_answer(question, table);      // both as they go over UDP; empty: say nothing
//
// A for services, pods of headless services and their hostnames; SRV for named ports. What ends in cluster.local and is
// not known does not exist; for the rest of the world nobody is asked, and the question is refused.
//
// Thread-safety: a pure function.
#pragma once

#include <string>
#include <string_view>

#include "flyball/cluster/node/service_table.hpp"

namespace flyball::cluster::node {

std::string dns_answer(std::string_view question, const ServiceTable& table);

}  // namespace flyball::cluster::node
