#include "pairs.hpp"

#include <libration/kit/make_system.hpp>
#include <libration/kit/method_record.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

namespace libration::conformance {
namespace {

std::string trimmed(std::string text) {
    std::erase_if(text, [](char c) { return c == '`'; });
    const auto first = text.find_first_not_of(' '), last = text.find_last_not_of(' ');
    return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

std::vector<std::string> cells(const std::string& line) {
    std::vector<std::string> result;
    std::istringstream stream(line.substr(1));
    for (std::string cell; std::getline(stream, cell, '|');) {
        result.push_back(trimmed(cell));
    }
    return result;
}

using Record = std::map<std::pair<std::string, std::string>, std::vector<std::string>>;

// The claims that docs/certificates.md shows as measured, for each method and problem.
Record read_record() {
    std::ifstream file(LIBRATION_SOURCE_DIR "/docs/certificates.md");
    std::vector<std::string> head;
    Record record;
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with("|") || line.starts_with("|--")) {
            continue;
        }
        const auto row = cells(line);
        if (head.empty()) {
            head = row;
            continue;
        }
        auto& claims = record[{row.at(0), row.at(1)}];
        for (std::size_t k = 2; k + 1 < head.size(); ++k) {  // the last column is the verdict
            if (row.at(k) != "-") {
                claims.push_back(head[k]);
            }
        }
    }
    return record;
}

// What tells problems apart for methods.
std::string sort_of(const CertifiedProblem& problem) {
    static std::map<std::string_view, std::string> known;
    auto& sort = known[problem.model];
    if (sort.empty()) {
        const auto system = make_system<double>(Model::load(std::string(problem.model)));
        const auto& p = system->properties();
        const std::pair<bool, const char*> words[] = {{p.hamiltonian, "hamiltonian"},
                                                      {p.separable, "separable"},
                                                      {p.partitioned, "partitioned"},
                                                      {p.conservative, "conservative"},
                                                      {p.depends_on_time, "with time"},
                                                      {p.moving_constraints, "moving constraints"},
                                                      {p.forced, "forced"},
                                                      {p.reactions_in_forces, "friction"},
                                                      {p.nonholonomic > 0, "nonholonomic"},
                                                      {p.added > 0, "singular mass"},
                                                      {p.parts != 0, "in parts"},
                                                      {!p.blocks.empty(), "divergence-free"},
                                                      {!system->bodies().empty(), "rigid bodies"},
                                                      {system->constraints() > 0, "constrained"}};
        sort = "a problem that is";
        for (const auto& [applies, word] : words) {
            sort += applies ? fmt::format(" {},", word) : "";
        }
    }
    return sort;
}

}  // namespace

const std::vector<Pair>& all_pairs() {
    static const auto pairs = [] {
        std::vector<Pair> result;
        for (const auto& problem : certified_problems()) {
            if (problem.on_demand) {
                continue;
            }
            const auto system = make_system<double>(Model::load(std::string(problem.model)));
            for (const auto* record : methods()) {
                for (const auto& spec : examples(*record)) {
                    if (method(spec).claims().order <= problem.highest_order &&
                        unmet_needs(method(spec), system->properties(), system->constraints()).empty()) {
                        result.push_back({spec, &problem});
                    }
                }
            }
        }
        return result;
    }();
    return pairs;
}

std::set<std::string> facts_of(const Pair& pair) {
    static const auto record = read_record();
    const std::string problem(pair.problem->model);
    std::set<std::string> facts{problem,
                                fmt::format("{} meets {}", method(pair.spec).record().name, sort_of(*pair.problem))};
    const auto known = record.find({pair.spec, problem});
    if (known == record.end()) {
        facts.insert(fmt::format("{} on {}", pair.spec, problem));
    } else {
        for (const auto& claim : known->second) {
            facts.insert(fmt::format("{}: {}", pair.spec, claim));
        }
    }
    return facts;
}

// Greedily: always the pair that adds most to what is known.
std::vector<Pair> chosen_pairs() {
    std::vector<std::pair<const Pair*, std::set<std::string>>> left;
    for (const auto& pair : all_pairs()) {
        left.emplace_back(&pair, facts_of(pair));
    }
    std::set<std::string> known;
    std::vector<Pair> chosen;
    while (true) {
        const Pair* best = nullptr;
        std::size_t most = 0;
        for (auto& [pair, facts] : left) {
            std::erase_if(facts, [&](const std::string& fact) { return known.contains(fact); });
            if (facts.size() > most) {
                most = facts.size();
                best = pair;
            }
        }
        if (best == nullptr) {
            return chosen;
        }
        chosen.push_back(*best);
        known.merge(facts_of(*best));
    }
}

std::vector<Pair> pairs_to_run() {
    const char* variable = std::getenv("LIBRATION_PAIRS");
    const std::string wanted = variable == nullptr ? "chosen" : variable;
    if (wanted == "chosen") {
        return chosen_pairs();
    }
    if (wanted == "all") {
        return all_pairs();
    }
    std::size_t slice = 0, slices = 0;
    const char* end = wanted.data() + wanted.size();
    const auto [slash, fault] = std::from_chars(wanted.data(), end, slice);
    if (fault != std::errc{} || slash == end || *slash != '/' || std::from_chars(slash + 1, end, slices).ptr != end ||
        slice < 1 || slice > slices) {
        throw InputError(
            fmt::format("LIBRATION_PAIRS is '{}': it must be chosen, all, or K/N with 1 <= K <= N", wanted));
    }
    std::vector<Pair> result;
    for (std::size_t k = slice - 1; k < all_pairs().size(); k += slices) {
        result.push_back(all_pairs()[k]);
    }
    return result;
}

std::string pair_name(const testing::TestParamInfo<Pair>& info) {
    std::string name = info.param.spec + "_on_" + std::string(info.param.problem->model);
    for (auto& c : name) {
        c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    }
    return name;
}

}  // namespace libration::conformance
