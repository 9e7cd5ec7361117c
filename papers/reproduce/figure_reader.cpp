// Figures of recipes.
#include "reproduce/recipe_values.hpp"

namespace libration {

using Kind = Document::Kind;

namespace {

plot::Style read_style(const Document& value) {
    using plot::Style;
    for (const auto& [name, style] :
         {std::pair{"line", Style::line}, std::pair{"points", Style::points},
          std::pair{"line_and_points", Style::line_and_points}, std::pair{"region", Style::region},
          std::pair{"guide", Style::guide}, std::pair{"arrows", Style::arrows}}) {
        if (value.text == name) {
            return style;
        }
    }
    value.fail("expected line, points, line_and_points, region, guide or arrows");
}

RecipeSeries read_series(const Document& table) {
    allow(table, "a series",
          {"name", "style", "colour", "dashed", "run", "index", "events", "from", "to", "computation", "curve", "x",
           "y"});
    RecipeSeries series;
    series.name = optional_text(table, "name");
    if (const auto* style = table.find("style")) {
        series.style = read_style(*style);
        series.style_given = true;
    }
    series.colour = optional_text(table, "colour");
    series.dashed = flag(table, "dashed");
    series.run = optional_text(table, "run");
    series.index = static_cast<std::size_t>(whole_number(table, "index", 0));
    series.events = flag(table, "events");
    series.from = optional_number(table, "from");
    series.to = optional_number(table, "to");
    series.computation = optional_text(table, "computation");
    series.curve = optional_text(table, "curve");
    for (const auto& [key, text, values] :
         {std::tuple{"x", &series.x, &series.x_values}, std::tuple{"y", &series.y, &series.y_values}}) {
        if (const auto* value = table.find(key)) {
            if (value->kind == Kind::list) {
                *values = numbers_of(*value);
            } else {
                *text = as_text(*value);
            }
        }
    }
    return series;
}

plot::Axis read_axis(const Document& table) {
    allow(table, "an axis", {"label", "log", "low", "high"});
    return {.label = optional_text(table, "label"),
            .logarithmic = flag(table, "log"),
            .low = optional_number(table, "low"),
            .high = optional_number(table, "high")};
}

}  // namespace

RecipeFigure read_figure(const Document& table) {
    allow(table, "a figure",
          {"title", "caption", "x", "y", "equal", "width", "height", "series", "analysis", "computation", "quick"});
    RecipeFigure figure;
    figure.title = optional_text(table, "title");
    figure.caption = optional_text(table, "caption");
    for (const auto& [key, axis] : {std::pair{"x", &figure.x}, std::pair{"y", &figure.y}}) {
        if (const auto* value = table.find(key)) {
            *axis = read_axis(*value);
        }
    }
    figure.equal = flag(table, "equal");
    figure.width = optional_number(table, "width").value_or(720);
    figure.height = optional_number(table, "height").value_or(480);
    figure.run_analysis = optional_text(table, "analysis");
    figure.computation = optional_text(table, "computation");
    if (const auto* series = part_of(table, "series", Kind::list)) {
        for (const auto& item : series->items) {
            figure.series.push_back(read_series(item));
        }
    }
    return figure;
}

}  // namespace libration
