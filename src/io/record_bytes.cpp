// A value is the number of its kind, and itself.
#include "io/record_bytes.hpp"

#include "result/bytes.hpp"

namespace libration {

namespace {

using Kind = std::uint8_t;
constexpr int deepest_record = 16;  // bytes that are not a record must not fill the stack

void put_record(ByteWriter& to, const Record& record);

void put_value(ByteWriter& to, const ResultValue& value) {
    to.put(static_cast<Kind>(value.content.index()));
    std::visit(
        [&](const auto& content) {
            using Content = std::decay_t<decltype(content)>;
            if constexpr (std::is_same_v<Content, std::vector<ResultValue>>) {
                to.put(std::uint64_t{content.size()});
                for (const auto& item : content) {
                    put_value(to, item);
                }
            } else if constexpr (std::is_same_v<Content, Record>) {
                put_record(to, content);
            } else if constexpr (!std::is_same_v<Content, std::monostate>) {
                to.put(content);
            }
        },
        value.content);
}

void put_record(ByteWriter& to, const Record& record) {
    to.put(std::uint64_t{record.entries.size()});
    for (const auto& entry : record.entries) {
        to.put(entry.name);
        to.put(entry.shown);
        put_value(to, entry.value);
    }
}

Record take_record(ByteReader& from, int depth);

template <std::size_t Index = 0>
ResultValue take_value(ByteReader& from, Kind kind, int depth) {
    using Content = decltype(ResultValue::content);
    if constexpr (Index == std::variant_size_v<Content>) {
        throw FileError("a record contains a value of unknown type");
    } else {
        if (kind != Index) {
            return take_value<Index + 1>(from, kind, depth);
        }
        using T = std::variant_alternative_t<Index, Content>;
        if constexpr (std::is_same_v<T, std::monostate>) {
            return {};
        } else if constexpr (std::is_same_v<T, std::vector<ResultValue>>) {
            std::vector<ResultValue> list;
            for (auto count = from.take<std::uint64_t>(); count > 0; --count) {
                list.push_back(take_value(from, from.take<Kind>(), depth));
            }
            return list;
        } else if constexpr (std::is_same_v<T, Record>) {
            return take_record(from, depth + 1);
        } else {
            return from.take<T>();
        }
    }
}

Record take_record(ByteReader& from, int depth) {
    if (depth > deepest_record) {
        throw FileError("records are nested too deeply");
    }
    Record record;
    for (auto count = from.take<std::uint64_t>(); count > 0; --count) {
        auto name = from.take<std::string>();
        const bool shown = from.take<bool>();
        record.add(name, take_value(from, from.take<Kind>(), depth), shown);
    }
    return record;
}

}  // namespace

std::vector<std::byte> bytes_of(const Record& record) {
    ByteWriter to;
    put_record(to, record);
    return {to.bytes().begin(), to.bytes().end()};
}

Record record_of_bytes(std::span<const std::byte> bytes) {
    ByteReader from(bytes);
    return take_record(from, 0);
}

}  // namespace libration
