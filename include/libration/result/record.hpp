// A result as named values, the basis of JSON, Python, attributes of files and checkpoints.
//
// A result is described once, by a function that names its values in their order; RecordWriter and RecordReader walk
// it:
//
//     template <class Fields, class R>
//     void describe(Fields& fields, R& result) {
//         fields("steps", result.steps);
//         fields.group("energy", [&](auto& inner) { inner("initial", result.energy.initial); });
//     }
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace [[gnu::visibility("default")]] libration {

struct ResultValue;
struct ResultEntry;

// In the order in which they are shown.
struct Record {
    std::vector<ResultEntry> entries;

    [[nodiscard]] bool empty() const;
    [[nodiscard]] const ResultValue* find(std::string_view name) const;
    void add(std::string_view name, ResultValue value, bool shown = true);
};

// Nothing, a boolean, a number, a string, numbers, a list, or a record.
struct ResultValue {
    std::variant<std::monostate, bool, std::int64_t, double, std::string, std::vector<double>, std::vector<ResultValue>,
                 Record>
        content;

    ResultValue() = default;
    ResultValue(bool value) : content(value) {}
    template <class Integer>
        requires(std::is_integral_v<Integer> && !std::is_same_v<Integer, bool>)
    ResultValue(Integer value) : content(static_cast<std::int64_t>(value)) {}
    ResultValue(double value) : content(value) {}
    ResultValue(const char* text) : content(std::string(text)) {}
    ResultValue(std::string_view text) : content(std::string(text)) {}
    ResultValue(std::string text) : content(std::move(text)) {}
    ResultValue(std::vector<double> numbers) : content(std::move(numbers)) {}
    ResultValue(std::vector<ResultValue> list) : content(std::move(list)) {}
    ResultValue(const std::vector<std::string>& texts)
        : content(std::vector<ResultValue>(texts.begin(), texts.end())) {}
    ResultValue(Record record) : content(std::move(record)) {}

    template <class T>
    [[nodiscard]] const T* as() const {
        return std::get_if<T>(&content);
    }
};

struct ResultEntry {
    std::string name;
    ResultValue value;
    bool shown = true;  // false: stored in files, omitted from JSON and Python
};

// Values of a result into a record.
class RecordWriter {
  public:
    template <class T>
    void operator()(std::string_view name, const T& value) {
        record.add(name, ResultValue(value));
    }
    template <class T>
    void kept(std::string_view name, const T& value) {
        record.add(name, ResultValue(value), false);
    }
    // Follows from the others.
    template <class T>
    void derived(std::string_view name, const T& value) {
        (*this)(name, value);
    }
    // Nothing where there is no such value.
    template <class T>
    void when(bool there, std::string_view name, const T& value) {
        record.add(name, there ? ResultValue(value) : ResultValue());
    }
    template <class T, class ToText, class FromText>
    void word(std::string_view name, const T& value, ToText to_text, FromText /*from_text*/) {
        record.add(name, ResultValue(to_text(value)));
    }
    [[nodiscard]] static bool present(std::string_view /*name*/, bool there) { return there; }
    template <class Describe>
    void group(std::string_view name, Describe describe) {
        RecordWriter inner;
        describe(inner);
        record.add(name, std::move(inner.record));
    }
    // Of an optional: nothing where it is empty.
    template <class Optional, class Describe>
    void maybe(std::string_view name, const Optional& value, Describe describe) {
        if (value) {
            group(name, [&](RecordWriter& inner) { describe(inner, *value); });
        } else {
            record.add(name, ResultValue());
        }
    }
    // One record per item, under its name.
    template <class T, class Describe>
    void named(std::string_view name, const std::vector<T>& items, Describe describe) {
        group(name, [&](RecordWriter& all) {
            for (const auto& item : items) {
                all.group(item.name, [&](RecordWriter& one) { describe(one, item); });
            }
        });
    }

    Record record;
};

// And back. What the record does not have stays as it is; FileError for a value of another kind.
class RecordReader {
  public:
    explicit RecordReader(const Record& record) : record_(&record) {}

    template <class T>
    void operator()(std::string_view name, T& value) {
        const auto* found = record_->find(name);
        if (found == nullptr || found->as<std::monostate>() != nullptr) {
            return;
        }
        if constexpr (std::is_same_v<T, bool>) {
            // Attributes of files have no booleans, only 0 and 1.
            const auto* number = found->as<std::int64_t>();
            value = number != nullptr ? *number != 0 : get<bool>(name, *found);
        } else if constexpr (std::is_integral_v<T>) {
            value = static_cast<T>(get<std::int64_t>(name, *found));
        } else if constexpr (std::is_same_v<T, std::vector<std::string>>) {
            value.clear();
            for (const auto& text : get<std::vector<ResultValue>>(name, *found)) {
                value.push_back(get<std::string>(name, text));
            }
        } else {
            value = get<T>(name, *found);
        }
    }
    template <class T>
    void kept(std::string_view name, T& value) {
        (*this)(name, value);
    }
    template <class T>
    void derived(std::string_view /*name*/, const T& /*value*/) {}
    template <class T>
    void when(bool /*there*/, std::string_view name, T& value) {
        (*this)(name, value);
    }
    template <class T, class ToText, class FromText>
    void word(std::string_view name, T& value, ToText /*to_text*/, FromText from_text) {
        std::string text;
        (*this)(name, text);
        if (!text.empty()) {
            value = from_text(text);
        }
    }
    [[nodiscard]] bool present(std::string_view name, bool /*there*/) const { return record_->find(name) != nullptr; }
    template <class Describe>
    void group(std::string_view name, Describe describe) {
        if (const auto* found = record_->find(name)) {
            RecordReader inner(get<Record>(name, *found));
            describe(inner);
        }
    }
    template <class Optional, class Describe>
    void maybe(std::string_view name, Optional& value, Describe describe) {
        const auto* found = record_->find(name);
        if (found != nullptr && found->as<std::monostate>() == nullptr) {
            RecordReader inner(get<Record>(name, *found));
            describe(inner, value.emplace());
        }
    }
    template <class T, class Describe>
    void named(std::string_view name, std::vector<T>& items, Describe describe) {
        items.clear();
        if (const auto* found = record_->find(name)) {
            for (const auto& entry : get<Record>(name, *found).entries) {
                items.emplace_back().name = entry.name;
                RecordReader inner(get<Record>(entry.name, entry.value));
                describe(inner, items.back());
            }
        }
    }

  private:
    [[noreturn]] static void refuse(std::string_view name);
    template <class T>
    static const T& get(std::string_view name, const ResultValue& value) {
        const auto* found = value.as<T>();
        if (found == nullptr) {
            refuse(name);
        }
        return *found;
    }
    const Record* record_;
};

// What an optional holds; of one that is being read, made first.
template <class Optional>
auto& held(Optional& optional) {
    if constexpr (!std::is_const_v<Optional>) {
        if (!optional) {
            optional.emplace();
        }
    }
    return *optional;
}

}  // namespace libration
