// Cutting and thinning. All coordinates are pixels, y downwards.
#include "plot/thin.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace libration::plot {

namespace {

Point between(const Point& a, const Point& b, double t) { return {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)}; }

struct Part {
    double from = 0, to = 1;  // of a segment
};

// Liang and Barsky (1984): each side of the box bounds the parameter t from one side. Empty if from > to.
Part part_inside(const Point& a, const Point& b, const Box& box) {
    Part part;
    const double dx = b.x - a.x, dy = b.y - a.y;
    const std::array<std::array<double, 2>, 4> sides = {
        {{-dx, a.x - box.left}, {dx, box.right - a.x}, {-dy, a.y - box.top}, {dy, box.bottom - a.y}}};
    for (const auto& [direction, room] : sides) {
        if (direction == 0) {
            if (room < 0) {
                return {1, 0};
            }
        } else if (direction < 0) {
            part.from = std::max(part.from, room / direction);
        } else {
            part.to = std::min(part.to, room / direction);
        }
    }
    return part;
}

}  // namespace

Pieces cut_line(const Polyline& line, const Box& box) {
    if (line.size() == 1) {
        return box.contains(line.front()) ? Pieces{line} : Pieces{};
    }
    Pieces pieces;
    bool open = false;  // the last piece ends at the start of this segment
    for (std::size_t i = 0; i + 1 < line.size(); ++i) {
        const Point &a = line[i], &b = line[i + 1];
        const Part part = part_inside(a, b, box);
        if (part.from > part.to) {
            open = false;
            continue;
        }
        if (!open || part.from > 0) {
            pieces.push_back({part.from > 0 ? between(a, b, part.from) : a});
        }
        pieces.back().push_back(part.to < 1 ? between(a, b, part.to) : b);
        open = part.to >= 1;
    }
    return pieces;
}

Polyline cut_area(const Polyline& outline, const Box& box) {
    Polyline area = outline;
    // One side after the other: `inside` is not negative on the side to keep, and linear.
    const auto cut = [&](auto inside) {
        Polyline kept;
        for (std::size_t i = 0; i < area.size(); ++i) {
            const Point &a = area[i], &b = area[(i + 1) % area.size()];
            const double at_a = inside(a), at_b = inside(b);
            if (at_a >= 0) {
                kept.push_back(a);
            }
            if ((at_a >= 0) != (at_b >= 0)) {
                kept.push_back(between(a, b, at_a / (at_a - at_b)));
            }
        }
        area = std::move(kept);
    };
    cut([&](const Point& p) { return p.x - box.left; });
    cut([&](const Point& p) { return box.right - p.x; });
    cut([&](const Point& p) { return p.y - box.top; });
    cut([&](const Point& p) { return box.bottom - p.y; });
    return area;
}

std::size_t count(const Pieces& pieces) {
    std::size_t sum = 0;
    for (const auto& piece : pieces) {
        sum += piece.size();
    }
    return sum;
}

Polyline thin_by_columns(const Polyline& line, const Box& box, double column_width) {
    const auto column = [&](std::size_t i) { return std::floor((line[i].x - box.left) / column_width); };
    Polyline kept;
    for (std::size_t first = 0; first < line.size();) {
        std::size_t end = first, lowest = first, highest = first;
        for (; end < line.size() && column(end) == column(first); ++end) {
            lowest = line[end].y > line[lowest].y ? end : lowest;
            highest = line[end].y < line[highest].y ? end : highest;
        }
        std::array<std::size_t, 4> chosen = {first, std::min(lowest, highest), std::max(lowest, highest), end - 1};
        const auto last = std::unique(chosen.begin(), chosen.end());
        std::for_each(chosen.begin(), last, [&](std::size_t i) { kept.push_back(line[i]); });
        first = end;
    }
    return kept;
}

namespace {

// How many lines pass through each cell, as differences along the columns: a stroke costs two additions.
class Coverage {
  public:
    Coverage(const Box& box, double cell)
        : box_(box), cell_(cell), columns_(1 + static_cast<std::size_t>((box.right - box.left) / cell)),
          rows_(1 + static_cast<std::size_t>((box.bottom - box.top) / cell)), change_(columns_ * (rows_ + 1)) {}

    void add(const Point& a, const Point& b) {
        const Point &left = a.x <= b.x ? a : b, &right = a.x <= b.x ? b : a;
        const std::size_t first = column(left.x), last = column(right.x);
        double y = left.y;
        for (std::size_t c = first; c < last; ++c) {
            const double edge = box_.left + static_cast<double>(c + 1) * cell_;
            const double next = between(left, right, (edge - left.x) / (right.x - left.x)).y;
            mark(c, y, next);
            y = next;
        }
        mark(last, y, right.y);
    }

    std::vector<Stroke> strokes() const {
        std::vector<Stroke> found;
        for (std::size_t c = 0; c < columns_; ++c) {
            std::int32_t lines = 0;
            bool drawing = false;
            for (std::size_t r = 0; r < rows_; ++r) {
                lines += change_[c * (rows_ + 1) + r];
                if (lines > 0 && !drawing) {
                    found.push_back({middle(box_.left, c), middle(box_.top, r), 0});
                }
                drawing = lines > 0;
                found.empty() || !drawing ? 0 : ++found.back().length;
            }
        }
        return found;
    }

  private:
    double middle(double start, std::size_t index) const { return start + (static_cast<double>(index) + 0.5) * cell_; }
    std::size_t column(double x) const { return index(x - box_.left, columns_); }
    std::size_t index(double distance, std::size_t size) const {
        return std::min(static_cast<std::size_t>(std::max(0.0, distance / cell_)), size - 1);
    }
    void mark(std::size_t c, double y0, double y1) {
        const auto [top, bottom] = std::minmax(y0, y1);
        ++change_[c * (rows_ + 1) + index(top - box_.top, rows_)];
        --change_[c * (rows_ + 1) + index(bottom - box_.top, rows_) + 1];
    }

    Box box_;
    double cell_;
    std::size_t columns_, rows_;
    std::vector<std::int32_t> change_;
};

}  // namespace

Ink ink(const Pieces& pieces, const Box& box, std::size_t most) {
    Ink result;
    for (const double cell : {1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, 32.0, 64.0}) {
        Coverage coverage(box, cell);
        for (const auto& piece : pieces) {
            for (std::size_t i = 0; i < piece.size(); ++i) {
                if (i > 0 || piece.size() == 1) {
                    coverage.add(piece[i > 0 ? i - 1 : 0], piece[i]);
                }
            }
        }
        result = {cell, coverage.strokes()};
        if (result.strokes.size() <= most) {
            break;
        }
    }
    return result;
}

}  // namespace libration::plot
