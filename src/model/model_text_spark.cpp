// The text of [spark].
#include "model_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace libration {

namespace {

std::string weights_text(const LobattoWeights& weights) {
    std::vector<std::pair<std::string, std::string>> entries;
    for (std::size_t k = 0; k < lobatto_kinds; ++k) {
        if (weights[k] != Expression(0)) {
            entries.emplace_back(lobatto_letters[k], toml_formula(weights[k]));
        }
    }
    if (entries.size() == 1 && entries[0].second == "1") {
        return toml_quoted(entries[0].first);
    }
    return toml_inline_table(entries);
}

}  // namespace

void ModelText::write_spark() {
    std::vector<std::string> terms;
    for (const auto& choice : model_.treatment.choices) {
        if (std::ranges::find(terms, choice.term) == terms.end()) {
            terms.push_back(choice.term);
        }
    }
    // A mix of weights would be read as one choice a coordinate where a coordinate is called like a letter.
    const bool letters_are_coordinates = std::ranges::any_of(
        lobatto_letters, [&](const char* letter) { return model_.coordinate_number(letter).has_value(); });
    Entries whole;
    for (const auto& term : terms) {
        const LobattoWeights* of_all = nullptr;
        std::vector<const LobattoWeights*> of_each(model_.dimension, nullptr);
        bool single = false;
        for (const auto& choice : model_.treatment.choices) {
            if (choice.term != term) {
                continue;
            }
            (choice.coordinate ? of_each[*choice.coordinate] : of_all) = &choice.weights;  // the last one counts
            single = single || choice.coordinate.has_value();
        }
        const auto key = term == "position" ? term : "force." + toml_key(term);
        if (!single && !(letters_are_coordinates && weights_text(*of_all).front() == '{')) {
            whole.emplace_back(key, weights_text(*of_all));
            continue;
        }
        Entries choices;
        for (std::size_t k = 0; k < model_.dimension; ++k) {
            const auto* weights = of_each[k] != nullptr ? of_each[k] : of_all;
            if (weights != nullptr) {
                choices.emplace_back(model_.coordinate_name(k), weights_text(*weights));
            }
        }
        whole.emplace_back(key, toml_inline_table(choices));
    }
    if (model_.treatment.full_newton) {
        whole.emplace_back("newton", "\"full\"");
    }
    if (whole.empty()) {
        return;
    }
    text_ += "[spark]\n";
    for (const auto& [key, value] : whole) {
        text_ += fmt::format("{} = {}\n", key, value);
    }
    text_ += '\n';
}

}  // namespace libration
