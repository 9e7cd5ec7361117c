// What is said about texts that are no models, as the command line tells it.
#pragma once

#include "request/command_line.hpp"
#include <libration/model/model.hpp>
#include <libration/text/error.hpp>

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace libration {

inline std::string fault_of(const std::string& text,
                            const std::vector<std::pair<std::string, std::string>>& overrides = {}) {
    try {
        Model::parse(text, "test.toml", overrides);
    } catch (const InputError& error) {
        return told(error.what(), CommandLine{});
    }
    return "no fault";
}

inline void expect_fault(const std::string& text, const std::string& words, const std::string& place = {}) {
    const auto fault = fault_of(text);
    EXPECT_NE(fault.find(words), std::string::npos) << text << "\n-> " << fault;
    EXPECT_NE(fault.find(place), std::string::npos) << text << "\n-> " << fault;
}

}  // namespace libration
