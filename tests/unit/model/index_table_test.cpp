// Columns and tables of indices: small in memory, and nothing but small.
#include "faults.hpp"
#include "model/index_table.hpp"

#include <libration/model/model.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>

namespace libration {
namespace {

IndexColumn column_of(const std::vector<std::int64_t>& values) {
    IndexColumn column;
    for (const auto value : values) {
        column.push_back(value);
    }
    return column;
}

TEST(IndexColumn, gives_back_what_was_put_in) {
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
    for (const auto& values : std::vector<std::vector<std::int64_t>>{{},
                                                                     {7},
                                                                     {0, 1, 2, 3},
                                                                     {5, 3, 1, -1},
                                                                     {4, 4, 4},
                                                                     {0, 1, 2, 2},
                                                                     {0, 1, 0, 1},
                                                                     {1, 2, 3, most},
                                                                     {most, least, 0},
                                                                     {0, 1, 3, 1LL << 40, 5}}) {
        const auto column = column_of(values);
        ASSERT_EQ(column.size(), values.size());
        for (std::size_t k = 0; k < values.size(); ++k) {
            EXPECT_EQ(column[k], values[k]) << k;
        }
    }
}

TEST(IndexColumn, of_equal_steps_is_a_range_and_of_others_is_not) {
    EXPECT_TRUE(column_of({3, 4, 5, 6}).is_range());
    EXPECT_TRUE(column_of({9, 6, 3}).is_range());
    EXPECT_FALSE(column_of({3, 4, 5, 7}).is_range());
    const auto model = Model::load("chain", {{"n", "50"}});
    EXPECT_TRUE(model.constraints[1].term.origin->columns[0].is_range());
}

std::string rows_of(std::size_t count, const std::string& between = ", ") {
    std::string text;
    for (std::size_t k = 0; k < count; ++k) {
        text += fmt::format("[{}, {}]{}", k, k + 1, between);
    }
    return text;
}

TEST(IndexTable, long_ones_are_cut_and_all_else_keeps_its_place) {
    const auto text =
        "[parameters]\né = \"[[1, 2]]\"  # = [[1]]\nbonds = [ # first\n" + rows_of(100, ",\n") + "] # after\nn = 3\n";
    const auto cut = cut_index_tables(text);
    ASSERT_EQ(cut.tables.size(), 1U);
    const auto& [place, table] = *cut.tables.begin();
    EXPECT_EQ(place, std::pair(std::size_t{3}, std::size_t{9}));
    EXPECT_EQ(table->width, 2U);
    ASSERT_EQ(table->rows, 100U);
    EXPECT_EQ(table->row(99)[1], 100);
    EXPECT_EQ(cut.text.size(), text.size());
    EXPECT_EQ(std::ranges::count(cut.text, '\n'), std::ranges::count(text, '\n'));
    EXPECT_EQ(cut.text.find("] # after"), text.find("] # after"));
    EXPECT_EQ(cut.text.find("[99, 100]"), std::string::npos);
}

TEST(IndexTable, what_is_short_faulty_or_elsewhere_is_left_to_toml) {
    const auto rows = rows_of(100);
    for (const auto& text :
         {"[parameters]\nb = [" + rows_of(20) + "]", "[initial.r]\nq = [" + rows + "]", "b = [" + rows + "]",
          "[parameters]\nb = [" + rows + "[1, 2, 3]]", "[parameters]\nb = [" + rows + "[1, 2.5]]",
          "[parameters]\nb = [" + rows + "[1, 007]]", "[parameters]\nb = [" + rows + "[1 2]]",
          "[parameters]\nb = [" + rows + "[]]", "[parameters]\nb = [" + rows,
          "[parameters]\nb = \"\"\"\nc = [" + rows + "]\n\"\"\"", "[parameters]\n# b = [" + rows + "]",
          "[parameters]\nb = [" + rows + "[1, 99999999999999999999]]"}) {
        const auto cut = cut_index_tables(text);
        EXPECT_TRUE(cut.tables.empty()) << text.substr(0, 30) << " ... " << text.substr(text.size() - 12);
        EXPECT_EQ(cut.text, text);
    }
}

std::string model_with_table(const std::string& table) {
    return "[parameters]\nn = 101\nbonds = [" + table +
           "]\n[points]\nr = { count = \"n\", dimension = 2, mass = 1 }\n[[constraint]]\nname = \"bond\"\n"
           "for = \"(i, j) in bonds\"\nequation = \"norm2(r[i] - r[j]) - 1\"\n[initial.r]\nfor = \"i in 0..n-1\"\n"
           "q = [\"i\", 0]\n";
}

TEST(IndexTable, long_and_short_ones_mean_the_same) {
    const auto cut = Model::parse(model_with_table(rows_of(100)), "cut.toml");
    const auto ranged = Model::parse(model_with_table(rows_of(100, " ,\n# a comment\n")), "lines.toml");
    EXPECT_EQ(cut.constraint_rows, 100U);
    EXPECT_EQ(cut.constraints[0].term.indices, ranged.constraints[0].term.indices);
    EXPECT_EQ(cut.constraint_name(7), "bond[7,8] in row 8 of bonds");
    EXPECT_EQ(cut.constraints[0].term.indices[4 * 99 + 3], 201U);  // r[100].y
}

TEST(IndexTable, faults_in_long_ones_are_shown_at_their_place) {
    EXPECT_NE(fault_of(model_with_table(rows_of(100, ",\n") + "[3, 4, 5]")).find("test.toml:103:1: this tuple has 3"),
              std::string::npos);
    EXPECT_NE(fault_of(model_with_table(rows_of(100, ",\n") + "[3, 4.5]")).find("test.toml:103:5: a table of indices"),
              std::string::npos);
    EXPECT_NE(fault_of(model_with_table(rows_of(100, ",\n") + "[3, x]")).find("test.toml:103:"), std::string::npos);
    // What follows a table is where it was.
    const auto message = fault_of(model_with_table(rows_of(100, ",\n") + "]\nother = [?"));
    EXPECT_NE(message.find("test.toml:104:10: "), std::string::npos) << message;
}

TEST(IndexTable, tuples_without_elements_are_refused_like_others_of_a_wrong_width) {
    for (const std::size_t count : {1U, 2U, 63U, 64U, 200U}) {
        std::string rows;
        for (std::size_t k = 0; k < count; ++k) {
            rows += "[], ";
        }
        EXPECT_NE(fault_of(model_with_table(rows))
                      .find("test.toml:8:8: the tuples of 'bonds' have 0 elements, the range names 2"),
                  std::string::npos)
            << fault_of(model_with_table(rows));
    }
    EXPECT_EQ(Model::parse(model_with_table(""), "none.toml").constraint_rows, 0U);
}

TEST(IndexTable, indices_that_do_not_exist_are_named_with_their_row) {
    const auto message = fault_of(model_with_table(rows_of(100) + "[5, 101]"));
    EXPECT_NE(message.find("r[j] with i = 5, j = 101 (row 101 of bonds) is r[101], which does not exist"),
              std::string::npos)
        << message;
    EXPECT_NE(fault_of(model_with_table("[0, 1], [-1, 2]")).find("i = -1, j = 2 (row 2 of bonds) is r[-1]"),
              std::string::npos);
}

// As a program writes it that generates molecules: a hundred thousand bonds in a random order.
TEST(IndexTable, a_renumbered_chain_of_a_hundred_thousand_bonds_is_read) {
    constexpr std::size_t n = 100'000;
    std::vector<std::size_t> number(n);
    std::iota(number.begin(), number.end(), 0U);
    std::mt19937_64 random(5);
    std::ranges::shuffle(number, random);
    std::string rows;
    for (std::size_t k = 1; k < n; ++k) {
        rows += fmt::format("[{}, {}],", number[k - 1], number[k]);
    }
    auto text = model_with_table(rows);
    text.replace(text.find("n = 101"), 7, fmt::format("n = {}", n));
    const auto model = Model::parse(text, "renumbered.toml");
    ASSERT_EQ(model.constraint_rows, n - 1);
    for (std::size_t k = 1; k < n; k += 997) {
        EXPECT_EQ(model.constraint_name(k - 1),
                  fmt::format("bond[{},{}] in row {} of bonds", number[k - 1], number[k], k));
        EXPECT_EQ(model.constraints[0].term.indices[4 * (k - 1)] / 2, number[k - 1]);
    }
}

}  // namespace
}  // namespace libration
