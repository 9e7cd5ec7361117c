// From a tree of values to the document that the reader of model files reads.
#include "tree.hpp"

#include "reader.hpp"

#include <libration/model/to_text.hpp>

#include <charconv>

namespace libration {

namespace {

// Line 1 of what was given under that name; no place without a name.
Place argument_place(const std::string& argument, const std::string& text) {
    if (argument.empty()) {
        return {};
    }
    return {std::make_shared<const Source>(Source{argument, text, true}), 1, 1, nullptr};
}

// Numbers are numbers, as they are in a file.
void put_number(Document& document, const Expression& value) {
    document.kind = Document::Kind::expression;
    document.expression = value;
    if (!value.is(Op::constant)) {
        return;
    }
    const auto& text = value.text();
    const auto* end = text.data() + text.size();
    std::int64_t integer = 0;
    double number = 0;
    if (const auto read = std::from_chars(text.data(), end, integer); read.ec == std::errc{} && read.ptr == end) {
        document.kind = Document::Kind::integer;
        document.integer = integer;
        if (std::abs(integer) >= (std::int64_t{1} << 53)) {
            document.kind = Document::Kind::expression;
        }
    } else if (const auto decimal = std::from_chars(text.data(), end, number);
               decimal.ec == std::errc{} && decimal.ptr == end && Expression(number) == value) {
        document.kind = Document::Kind::number;
        document.number = number;
    }
}

Document document_of(const ModelTree& tree) {
    Document document;
    const auto* text = std::get_if<std::string>(&tree.value);
    document.place = argument_place(tree.argument, text != nullptr ? *text : std::string());
    document.key_place = argument_place(tree.argument, {});
    if (text != nullptr) {
        document.kind = Document::Kind::text;
        document.text = *text;
    } else if (const auto* truth = std::get_if<bool>(&tree.value)) {
        document.kind = Document::Kind::boolean;
        document.boolean = *truth;
    } else if (const auto* expression = std::get_if<Expression>(&tree.value)) {
        put_number(document, *expression);
    } else if (const auto* list = std::get_if<ModelTree::List>(&tree.value)) {
        document.kind = Document::Kind::list;
        for (const auto& item : *list) {
            document.items.push_back(document_of(item));
        }
    } else {
        for (const auto& [key, value] : std::get<ModelTree::Table>(tree.value)) {
            document.entries.emplace_back(key, document_of(value));
        }
    }
    return document;
}

}  // namespace

Model build_model(const ModelTree& tree, const std::string& name,
                  const std::vector<std::pair<std::string, std::string>>& overrides,
                  std::shared_ptr<const ExternalFunctions> external) {
    const auto document = document_of(tree);
    Model model = ModelReader(document, overrides, name).read(std::move(external));
    // With the overrides: numbers of points that depend on a parameter are written out, and must be those of this
    // model.
    model.text = text_from_data(model);
    return model;
}

}  // namespace libration
