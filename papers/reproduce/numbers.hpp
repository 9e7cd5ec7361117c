// The numbers of an item, RUN.NAME and COMPUTATION.NAME, and expressions of them. Each is a list, mostly of one.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace libration {

class Numbers {
  public:
    void set(const std::string& owner, const std::string& name, std::vector<double> values);
    // InputError with suggestions.
    [[nodiscard]] const std::vector<double>& get(const std::string& owner, const std::string& name) const;
    // Element by element; lists must be equally long, single numbers go with any. InputError that says what is wrong.
    [[nodiscard]] std::vector<double> evaluate(const std::string& text) const;

  private:
    std::map<std::string, std::map<std::string, std::vector<double>>> values_;
};

}  // namespace libration
