// Python as a language: step=H, model.set(g=1), lb.methods().
#pragma once

#include "text/language.hpp"

namespace libration::python {

class Python final : public Language {
  public:
    // `written`: the model was written with the arguments of lb.Model, which then stand for sections of a model file.
    explicit Python(bool written) : written_(written) {}
    [[nodiscard]] std::optional<std::string> words(const Reference& reference) const override;

  private:
    bool written_;
};

}  // namespace libration::python
