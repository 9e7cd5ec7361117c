// The system that suits a model.
#pragma once

#include <libration/kit/system.hpp>
#include <libration/model/model.hpp>

#include <memory>

namespace [[gnu::visibility("default")]] libration {

template <class S>
std::unique_ptr<System<S>> make_system(const Model& model);

}  // namespace gnu::visibility("default")]]libration
