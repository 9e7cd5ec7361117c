// Naming rows, and the joints that they belong to.
#include "row_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace libration {

namespace {

constexpr std::size_t most_names_in_line = 12;
// Of sets with more rows than this a reader looks for the joints.
constexpr std::size_t most_rows_told_apart = 8;

const Joint* joint_of_row(const Model& model, std::size_t row) {
    const auto found = std::ranges::find_if(model.joints, [row](const Joint& joint) {
        return row >= joint.first_row && row < joint.first_row + joint.rows.size();
    });
    return found == model.joints.end() ? nullptr : &*found;
}

bool is_of_body(const Model& model, std::size_t row) {
    return std::ranges::any_of(
        model.bodies, [row](const Body& body) { return row >= body.first_row && row < body.first_row + body.rows(); });
}

}  // namespace

std::string names_of_rows(const Model& model, std::span<const std::size_t> rows) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < std::min(rows.size(), most_names_in_line); ++i) {
        names.push_back(model.constraint_name(rows[i]));
    }
    return fmt::format(
        "{}{}", fmt::join(names, ", "),
        rows.size() > most_names_in_line ? fmt::format(", ... ({} more)", rows.size() - most_names_in_line) : "");
}

// Joints know the rows of the whole model.
std::vector<std::string> joints_of_rows(const Model& model, std::span<const std::size_t> rows) {
    if (model.carried) {
        return {};
    }
    std::vector<std::string> names;
    for (const auto row : rows) {
        const auto* joint = joint_of_row(model, row);
        if (joint != nullptr && std::ranges::find(names, joint->name()) == names.end()) {
            names.push_back(joint->name());
        }
    }
    return names;
}

// Rows that hold bodies together are no choice of a user's; other rows are named one by one.
std::string names_of_set(const Model& model, std::span<const std::size_t> rows) {
    const auto joints = joints_of_rows(model, rows);
    if (joints.empty() || rows.size() <= most_rows_told_apart) {
        return names_of_rows(model, rows);
    }
    std::vector<std::size_t> others;
    std::ranges::copy_if(rows, std::back_inserter(others), [&](std::size_t row) {
        return joint_of_row(model, row) == nullptr && !is_of_body(model, row);
    });
    return fmt::format("rows of the joint{} {}{}{}", joints.size() == 1 ? "" : "s", fmt::join(joints, ", "),
                       others.empty() ? "" : ", and ", names_of_rows(model, others));
}

std::string lines_of_sets(const Model& model, std::span<const std::vector<std::size_t>> sets) {
    std::vector<std::pair<std::string, std::size_t>> lines;
    for (const auto& set : sets) {
        auto words = names_of_set(model, set);
        const auto same = std::ranges::find(lines, words, &std::pair<std::string, std::size_t>::first);
        if (same == lines.end()) {
            lines.emplace_back(std::move(words), 1);
        } else {
            ++same->second;
        }
    }
    std::string text;
    for (const auto& [words, count] : lines) {
        text +=
            fmt::format("  {} are linearly dependent{}\n", words, count == 1 ? "" : fmt::format(" in {} ways", count));
    }
    return text;
}

}  // namespace libration
