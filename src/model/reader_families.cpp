// Families in model files: [[body]] and [[joint]] with `for`, and terms that contain their members.
#include "family_names.hpp"
#include "memory.hpp"
#include "reader.hpp"

#include <libration/text/error.hpp>

#include <fmt/format.h>

namespace libration {

void ModelReader::for_each_member(const Document& block, const char* where, const std::vector<std::string>& keys,
                                  bool joints, const std::function<void(const std::string& name)>& read) {
    if (block.find("for") == nullptr) {  // so that a misspelt key is not taken for a table of indices
        block.allow_only(keys, where);
    }
    const auto all = instances(block, where, keys);
    const auto& name = require(block, "name", Document::Kind::text, where);
    const auto indexed = indexed_name(name.text);
    const bool family = block.find("for") != nullptr;
    if (family && (!indexed || !indexed->rest.empty())) {
        name.fail(fmt::format("the {} of a family have an index in their name, such as name = \"{}[{}]\"",
                              joints ? "joints" : "bodies", indexed ? indexed->base : name.text, all->names[0]));
    }
    try {
        (void)draft_.scope({}, all->names);  // an index must not have the name of something else
    } catch (const InputError& error) {
        block.find("for")->fail(error.what());
    }
    if (family && all->count == 0) {
        draft_.add_empty_family(indexed->base, indexed->indices.size(), name.place, joints);
    }
    if (family) {
        const auto known = joints ? draft_.model().joints.size() : draft_.model().bodies.size();
        require_memory({static_cast<double>(known + all->count), joints ? bytes_a_joint : bytes_a_body,
                        joints ? "joints" : "bodies"},
                       fmt::format("the model, with the family {},", indexed->base), name.place);
    }
    for (std::size_t k = 0; k < all->count; ++k) {
        draft_.bind(*all, k);
        read(numbered(name, "the name"));
    }
    draft_.unbind();
}

std::string ModelReader::numbered(const Document& text, const std::string& what) {
    if (text.text.find('[') == std::string::npos) {
        return text.text;
    }
    auto scope = draft_.scope({});
    return with_numbers(text.text, scope, text.place, what);
}

}  // namespace libration
