// Terminal-dependent output: color, width, progress.
#pragma once

#include "text/amounts.hpp"
#include <libration/integrate/integrate.hpp>

#include <cstdio>
#include <string>

namespace libration::app {

// Colours only on a terminal, and never with NO_COLOR set.
bool wants_colour(std::FILE* stream);
std::string bold(const std::string& text, std::FILE* stream);
std::string red(const std::string& text, std::FILE* stream);
std::string green(const std::string& text, std::FILE* stream);

// A bar with rate and remaining time on a terminal, plain lines otherwise; always on standard error.
class ProgressBar {
  public:
    ProgressBar();
    // `note`: what else there is to say, after the percentage.
    void show(const Progress& progress, const std::string& note = "");
    void close();

  private:
    bool terminal_;
    bool open_ = false;
    double last_line_ = 0;
    int last_tenth_ = 0;
};

}  // namespace libration::app
