// Literals of models, read at the precision of the scalar.
#include <libration/kit/scalar.hpp>

#include <charconv>
#include <string>

namespace libration {

namespace {

template <class S, class ReadDecimal>
S read_literal(std::string_view text, S pi, ReadDecimal decimal) {
    if (text == "pi") {
        return pi;
    }
    const auto slash = text.find('/');
    if (slash == std::string_view::npos) {
        return decimal(text);
    }
    return decimal(text.substr(0, slash)) / decimal(text.substr(slash + 1));
}

}  // namespace

double ScalarTraits<double>::read(std::string_view text) {
    return read_literal<double>(text, 3.14159265358979323846, [](std::string_view number) {
        double value = 0;
        std::from_chars(number.data(), number.data() + number.size(), value);  // independent of the locale
        return value;
    });
}

#ifdef LIBRATION_HAS_QUAD
namespace {

// Digits accumulated in integers and one scaling by a power of ten: strtoflt128 would obey the locale's decimal comma.
Quad read_decimal_quad(std::string_view number) {
    std::string text(number);
    const auto point = text.find('.');
    long exponent = 0;
    if (const auto e = text.find_first_of("eE"); e != std::string::npos) {
        std::string_view digits(text);
        digits.remove_prefix(e + 1);
        if (!digits.empty() && digits.front() == '+') {
            digits.remove_prefix(1);
        }
        std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
        text.resize(e);
    }
    if (point != std::string::npos) {
        exponent -= static_cast<long>(text.size() - point - 1);
        text.erase(point, 1);
    }
    text += 'e' + std::to_string(exponent);
    return strtoflt128(text.c_str(), nullptr);
}

}  // namespace

Quad ScalarTraits<Quad>::read(std::string_view text) {
    return read_literal<Quad>(text, strtoflt128("314159265358979323846264338327950288419717e-41", nullptr),
                              read_decimal_quad);
}
#endif

}  // namespace libration
