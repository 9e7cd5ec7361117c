// The system that suits a model.
#pragma once

#include <libration/model/model.hpp>
#include <libration/system/system.hpp>

#include <memory>

namespace libration {

template <class S>
std::unique_ptr<System<S>> make_system(const Model& model);

}  // namespace libration
