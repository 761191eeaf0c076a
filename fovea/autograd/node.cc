#include "fovea/autograd/node.h"

namespace fovea {
namespace {

std::uint64_t next_order() {
  static std::atomic<std::uint64_t> order = 0;
  return order.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace

Node::Node(std::string_view name, std::size_t outputs)
    : name(name), order(next_order()), outputs(outputs) {}

NodeRef::NodeRef(Node* node) : node_(node) {}

NodeRef::NodeRef(const NodeRef& other) : node_(other.node_) {
  if (node_) node_->count_.fetch_add(1, std::memory_order_relaxed);
}

NodeRef::~NodeRef() {
  if (!node_ || node_->count_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  // The tape of a recurrent model is a chain of many thousand nodes: a node that dies hands its
  // inputs to the loop that is already running instead of recursing into them.
  thread_local ArenaVector<Node*>* dying = nullptr;
  if (dying) {
    dying->push_back(node_);
    return;
  }
  ArenaVector<Node*> list = {node_};
  dying = &list;
  while (!list.empty()) {
    Node* node = list.back();
    list.pop_back();
    node->~Node();
    Arena::shared().release(node);
  }
  dying = nullptr;
}

}  // namespace fovea
