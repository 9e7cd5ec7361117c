// Finding programs by the addresses of what they compute.
#include "program_store.hpp"

#include <algorithm>
#include <mutex>
#include <optional>

namespace libration {

namespace {

// Far more than a model has formulas; a program that varies its formulas without end does not fill the memory. Single
// formulas, which are compiled quickly, leave room for all others.
constexpr std::size_t most_formulas = 4096, most_keys = 4 * most_formulas;
// Longer lists, the parameters of models with many angles, are kept once and are known by a number.
constexpr std::size_t longest_written_out = 64;

}  // namespace

std::size_t ProgramStore::Hash::operator()(const Addresses& key) const {
    std::size_t h = key.size();
    for (const auto word : key) {
        h = (h ^ word) * 0x9E3779B97F4A7C15ULL;
        h ^= h >> 29U;
    }
    return h;
}

std::uintptr_t ProgramStore::number_of(std::span<const Expression> list) {
    std::size_t h = list.size();
    for (const auto& expression : list) {
        h = (h ^ reinterpret_cast<std::uintptr_t>(expression.node())) * 0x9E3779B97F4A7C15ULL;
    }
    const auto known = [&]() -> std::optional<std::uintptr_t> {
        const auto [first, last] = long_lists_.equal_range(h);
        for (auto entry = first; entry != last; ++entry) {
            if (std::ranges::equal(entry->second.list, list)) {
                return entry->second.number;
            }
        }
        return std::nullopt;
    };
    {
        const std::shared_lock lock(mutex_);
        if (const auto number = known()) {
            return *number;
        }
    }
    const std::unique_lock lock(mutex_);
    if (const auto number = known()) {
        return *number;
    }
    const auto number = static_cast<std::uintptr_t>(long_lists_.size());
    long_lists_.emplace(h, LongList{{list.begin(), list.end()}, number});
    return number;
}

std::shared_ptr<const ProgramStore::Programs> ProgramStore::find(ProgramPurpose purpose, Lists key,
                                                                 const std::function<Programs()>& make) {
    thread_local Addresses addresses;
    addresses.assign(1, static_cast<std::uintptr_t>(purpose));
    for (const auto& list : key) {
        addresses.push_back(list.size());
        if (list.size() > longest_written_out) {
            addresses.push_back(number_of(list));
            continue;
        }
        for (const auto& expression : list) {
            addresses.push_back(reinterpret_cast<std::uintptr_t>(expression.node()));
        }
    }
    {
        const std::shared_lock lock(mutex_);
        if (const auto found = entries_.find(addresses); found != entries_.end()) {
            return found->second.programs;
        }
    }
    auto own = addresses;  // `make` may ask a store, too
    Entry entry;
    entry.programs = std::make_shared<const Programs>(make());
    for (const auto& list : key) {
        if (list.size() <= longest_written_out) {
            entry.alive.insert(entry.alive.end(), list.begin(), list.end());
        }
    }
    const std::unique_lock lock(mutex_);
    if (entries_.size() >= (purpose == ProgramPurpose::formula ? most_formulas : most_keys)) {
        return entry.programs;
    }
    return entries_.try_emplace(std::move(own), std::move(entry)).first->second.programs;
}

std::shared_ptr<const ProgramStore::Programs> stored(ProgramStore* store, ProgramPurpose purpose,
                                                     ProgramStore::Lists key,
                                                     const std::function<ProgramStore::Programs()>& make) {
    return store != nullptr ? store->find(purpose, key, make) : std::make_shared<const ProgramStore::Programs>(make());
}

SharedProgram compiled(ProgramStore* store, std::span<const Expression> outputs, std::span<const Expression> inputs,
                       std::span<const Expression> parameters) {
    const auto make = [&] { return std::make_shared<const Program>(compile(outputs, inputs, parameters)); };
    if (store == nullptr) {
        return make();
    }
    return store
        ->find(ProgramPurpose::formula, {outputs, inputs, parameters}, [&] { return ProgramStore::Programs{make()}; })
        ->front();
}

}  // namespace libration
