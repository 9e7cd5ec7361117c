// Which parts of a graph get a name.
#include "shared_text.hpp"

#include "printer.hpp"

#include <algorithm>
#include <unordered_set>

namespace libration {

namespace {

// Shorter texts are repeated: a name would not make the whole easier to read.
constexpr std::uint64_t long_text = 60;
constexpr std::uint64_t deep_nesting = 60;  // well below the limit of the parser

class Names {
  public:
    Names(std::span<const std::string> taken, std::span<const Expression> nodes) : taken_(taken.begin(), taken.end()) {
        for (const auto& node : nodes) {
            if (node.is(Op::symbol)) {
                taken_.insert(node.text());
            }
        }
    }
    std::string next() {
        std::string name;
        do {
            name = "s" + std::to_string(++count_);
        } while (taken_.contains(name));
        return name;
    }

  private:
    std::unordered_set<std::string> taken_;
    std::uint64_t count_ = 0;
};

}  // namespace

SharedText shared_text(std::span<const Expression> expressions, std::span<const std::string> taken,
                       const std::unordered_map<Expression, std::string>& named,
                       const std::unordered_map<Expression, std::string>& leaves) {
    Printer printer(expressions, leaves);
    Names names(taken, printer.nodes());
    std::unordered_map<Expression, int> uses;
    const auto use = [&uses](const Expression& e) { uses[e] = std::min(uses[e] + 1, 2); };
    std::ranges::for_each(expressions, use);
    for (const auto& node : printer.nodes()) {
        if (!leaves.contains(node)) {
            std::ranges::for_each(node.arguments(), use);
        }
    }
    SharedText result;
    for (const auto& node : printer.nodes()) {
        if (leaves.contains(node)) {
            continue;
        }
        const auto extent = printer.measure(node);
        const bool shared = uses[node] > 1 && extent.length > long_text;
        const auto own = named.find(node);
        if (own != named.end() || (!node.arguments().empty() && (shared || extent.nesting > deep_nesting))) {
            result.definitions.emplace_back(own != named.end() ? own->second : names.next(), printer.write(node));
            printer.name(node, result.definitions.back().first);
        }
    }
    for (const auto& e : expressions) {
        const auto* const name = printer.name_of(e);
        result.texts.push_back(name != nullptr ? *name : printer.write(e));
    }
    return result;
}

}  // namespace libration
