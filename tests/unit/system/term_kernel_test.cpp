// Terms in blocks against the same terms one instance after the other on the tape, in the order that the headers
// promise: the same bits, whatever the blocks and whether a table of indices is kept or not.
#include "integrate/start.hpp"
#include "model/model_values.hpp"
#include "system/term_system.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

namespace libration {
namespace {

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}

std::vector<double> random_numbers(std::size_t size, unsigned seed) {
    std::mt19937_64 random(seed);
    std::vector<double> numbers;
    for (std::size_t k = 0; k < size; ++k) {
        numbers.push_back(std::normal_distribution<double>(0, 1)(random));
    }
    return numbers;
}

// All that a system knows at one place.
constexpr double chosen_time = 0.375;

struct TermValues {
    std::vector<double> energy, force, g, g_pair, entries, rounding, curvature;
    SparsePattern pattern;
};

struct KernelPoint {
    std::vector<double> q, low, v;
    explicit KernelPoint(std::size_t d) : q(random_numbers(d, 1)), low(random_numbers(d, 2)), v(random_numbers(d, 3)) {
        for (auto& digit : low) {
            digit *= 1e-17;
        }
    }
};

TermValues term_values(const Model& model) {
    TermSystem<double> system(model);
    const KernelPoint at(model.dimension);
    const std::size_t d = system.dimension(), m = system.constraints(), entries = system.pattern().entries();
    // NaN marks what is not written.
    const double unset = std::nan("");
    TermValues values{{system.energy(chosen_time, at.q, std::vector<double>(d, 0.0))},
                      std::vector<double>(d, unset),
                      std::vector<double>(m, unset),
                      std::vector<double>(m, unset),
                      std::vector<double>(entries, unset),
                      std::vector<double>(m, unset),
                      std::vector<double>(m, unset),
                      system.pattern()};
    system.force_gradient(chosen_time, at.q, at.v, values.force);
    system.constraint(chosen_time, at.q, values.g);
    system.constraint(chosen_time, at.q, at.low, values.g_pair);
    system.jacobian(chosen_time, at.q, values.entries, values.rounding);
    system.curvature(chosen_time, at.q, at.v, values.curvature);
    std::vector<double> without_rounding(entries, unset);
    system.jacobian(chosen_time, at.q, without_rounding);
    EXPECT_TRUE(same_bits(without_rounding, values.entries));
    return values;
}

// The kernel of a term and its derivatives, one instance at a time.
class SlowTerm {
  public:
    SlowTerm(const Term& term, const ParameterValues<double>& given)
        : term_(&term), table_(instance_parameter_table(term.formula, given)), order_(term.slots.size()) {
        // The slots in the order in which the coordinates of the first instance ascend.
        std::iota(order_.begin(), order_.end(), std::size_t{0});
        if (!term.indices.empty()) {
            std::ranges::stable_sort(order_, {}, [&](std::size_t s) { return term.indices[s]; });
        }
        std::vector<Expression> slots, direction;
        for (const auto s : order_) {
            slots.push_back(term.slots[s]);
            direction.push_back(fresh_symbol("direction"));
        }
        auto inputs = slots;
        for (const auto& parameter : term.formula.parameters) {
            inputs.push_back(parameter.symbol);
        }
        inputs.insert(inputs.end(), direction.begin(), direction.end());
        inputs.push_back(symbol("t"));
        const auto& kernel = term.formula.kernel;
        auto moving = slots, along = direction;
        if (term.uses_time) {
            moving.push_back(symbol("t"));
            along.emplace_back(1);
        }
        const auto first = directional_derivative(kernel, slots, direction);
        const auto once = directional_derivative(kernel, moving, along);
        std::vector<Expression> outputs{kernel, kernel + first, directional_derivative(once, moving, along),
                                        rounding_size(kernel, slots)};
        for (const auto& derivative : gradient(kernel, slots)) {
            outputs.push_back(derivative);
        }
        tape_ = Tape<double>(compile(outputs, inputs, given.symbols), given.values);
    }

    [[nodiscard]] std::size_t instances() const { return term_->formula.instances; }
    [[nodiscard]] std::size_t slots() const { return order_.size(); }
    [[nodiscard]] std::uint32_t index(std::size_t k, std::size_t s) const {
        return term_->indices[k * order_.size() + order_[s]];
    }
    enum Output : std::uint8_t { value, pair, curvature, rounding, first_slope };
    double operator()(std::size_t k, std::size_t output, std::span<const double> q, std::span<const double> direction) {
        const std::size_t width = term_->formula.parameters.size();
        for (std::size_t s = 0; s < slots(); ++s) {
            tape_.input(s) = q[index(k, s)];
            tape_.input(slots() + width + s) = direction[index(k, s)];
        }
        for (std::size_t j = 0; j < width; ++j) {
            tape_.input(slots() + j) = table_[k * width + j];
        }
        tape_.input(2 * slots() + width) = chosen_time;
        tape_.run();
        return tape_.output(output);
    }

  private:
    const Term* term_;
    std::vector<double> table_;
    std::vector<std::size_t> order_;
    Tape<double> tape_;
};

TermValues slow_values_of(const Model& model) {
    const auto given = parameter_values<double>(model);
    const KernelPoint at(model.dimension);
    TermValues values{{0.0}, std::vector<double>(model.dimension, 0.0), {}, {}, {}, {}, {}, {}};
    std::vector<bool> touched(model.dimension, false);
    for (const auto& potential : model.potential) {
        SlowTerm term(potential, given);
        std::array<double, partial_results> parts{};
        for (std::size_t k = 0; k < term.instances(); ++k) {
            parts[k % partial_results] += term(k, SlowTerm::value, at.q, at.v);
            for (std::size_t s = 0; s < term.slots(); ++s) {
                const double slope = term(k, SlowTerm::first_slope + s, at.q, at.v);
                const auto i = term.index(k, s);
                values.force[i] = touched[i] ? values.force[i] + slope : slope;  // 0 + -0 is not -0
                touched[i] = true;
            }
        }
        double sum = parts[0];
        for (std::size_t l = 1; l < partial_results; ++l) {
            sum += parts[l];
        }
        values.energy[0] += sum;
    }
    for (const auto& constraint : model.constraints) {
        SlowTerm term(constraint.term, given);
        for (std::size_t k = 0; k < term.instances(); ++k) {
            values.g.push_back(term(k, SlowTerm::value, at.q, at.v));
            values.g_pair.push_back(term(k, SlowTerm::pair, at.q, at.low));
            values.rounding.push_back(term(k, SlowTerm::rounding, at.q, at.v));
            values.curvature.push_back(term(k, SlowTerm::curvature, at.q, at.v));
            auto& column = values.pattern.column;
            const auto start = column.size();
            for (std::size_t s = 0; s < term.slots(); ++s) {
                const double slope = term(k, SlowTerm::first_slope + s, at.q, at.v);
                const auto place = static_cast<std::size_t>(
                    std::find(column.begin() + static_cast<std::ptrdiff_t>(start), column.end(), term.index(k, s)) -
                    column.begin());
                if (place == column.size()) {
                    column.push_back(term.index(k, s));
                    values.entries.push_back(slope);
                } else {
                    values.entries[place] += slope;
                }
            }
            values.pattern.row_start.push_back(column.size());
        }
    }
    return values;
}

void expect_same(const TermValues& a, const TermValues& b, const std::string& what) {
    EXPECT_TRUE(same_bits(a.energy, b.energy)) << what;
    EXPECT_TRUE(same_bits(a.force, b.force)) << what;
    EXPECT_TRUE(same_bits(a.g, b.g)) << what;
    EXPECT_TRUE(same_bits(a.g_pair, b.g_pair)) << what;
    EXPECT_TRUE(same_bits(a.entries, b.entries)) << what;
    EXPECT_TRUE(same_bits(a.rounding, b.rounding)) << what;
    EXPECT_TRUE(same_bits(a.curvature, b.curvature)) << what;
    EXPECT_EQ(a.pattern.column, b.pattern.column) << what;
    EXPECT_EQ(a.pattern.row_start, b.pattern.row_start) << what;
}

void expect_slow_values(const Model& model, const std::string& what) {
    expect_same(term_values(model), slow_values_of(model), what);
}

std::string points(int count, int dimension) {
    std::string zeros = "0";
    for (int c = 1; c < dimension; ++c) {
        zeros += ", 0";
    }
    return fmt::format("points.r = {{ count = {0}, dimension = {1}, mass = 1 }}\n"
                       "initial.r = {{ for = \"i in 0..{2}\", q = [{3}], v = [{3}] }}\n",
                       count, dimension, count - 1, zeros);
}

Model term_model(const std::string& text) { return Model::parse(text, "test.toml"); }

TEST(TermKernel, built_in_problems_have_the_bits_of_the_slow_sums) {
    for (const auto& fact : problems()) {
        const auto model = Model::load(fact.name);
        if (!model.hamiltonian && !model.kinetic && !model.field && !model.singular_mass) {
            expect_slow_values(model, fact.name);
        }
    }
}

// 0 and 1 instances, whole blocks, and one lane more.
TEST(TermKernel, blocks_of_all_sizes_have_the_bits_of_the_slow_sums) {
    for (const int n : {1, 2, 3, 63, 64, 65, 66, 128, 129, 130, 200}) {
        for (const char* name : {"chain", "tree"}) {
            expect_slow_values(Model::load(name, {{"n", std::to_string(n)}}), fmt::format("{} of {}", name, n));
        }
    }
    expect_slow_values(Model::load("ring", {{"n", "130"}}), "ring");
    expect_slow_values(Model::load("polymer", {{"n", "132"}}), "polymer");
    expect_slow_values(Model::load("net", {{"n", "13"}, {"m", "11"}}), "net");
    expect_slow_values(Model::load("cloth", {{"n", "13"}, {"m", "11"}}), "cloth");
}

// Strides 1, 2, 3 have loops of their own, others share one; coordinates may also stay or descend.
TEST(TermKernel, all_strides_have_the_bits_of_the_slow_sums) {
    for (const int dimension : {2, 3}) {
        for (const char* index : {"i", "2*i", "3*i", "5*i", "499 - i", "0", "i//2", "i*i % 7"}) {
            for (const char* formula : {"r[{0}].x^2*{1} - 1", "r[{0}].x*r[{0}].y + sin(r[499 - {0}].y) - {1}",
                                        "norm2(r[{0}] - r[{0} + 1]) - 1/{1}"}) {
                const std::string there = fmt::format("({})", index);
                const auto kernel = fmt::format(fmt::runtime(formula), there, "(1 + i)");
                const auto over = fmt::format("for = \"i in 0..98\"\n{{}} = \"{}\"\n", kernel);
                const auto model =
                    term_model(points(501, dimension) + "[[energy]]\n" + fmt::format(fmt::runtime(over), "term") +
                               "[[constraint]]\n" + fmt::format(fmt::runtime(over), "equation"));
                expect_slow_values(model, kernel);
            }
        }
    }
}

// The rods of a chain and one more bond: as a range and one row, or all in one table, which the odd row keeps from
// being equal distances.
TEST(TermKernel, a_table_of_bonds_gives_the_bits_of_the_range) {
    const int n = 200;
    std::string bonds;
    for (int i = 1; i < n; ++i) {
        bonds += fmt::format("[{}, {}], ", i, i - 1);
    }
    const auto range = term_model(points(n, 2) + R"toml(
        [[constraint]]
        for = "i in 1..199"
        equation = "norm2(r[i] - r[i-1]) - 1"
        [[constraint]]
        for = "i in 7..7"
        equation = "norm2(r[i] - r[3]) - 1"
        [[energy]]
        for = "i in 1..199"
        term = "r[i].y/norm2(r[i] - r[i-1])"
        [[energy]]
        for = "i in 7..7"
        term = "r[i].y/norm2(r[i] - r[3])"
        )toml");
    const auto rows = R"toml(
        [[constraint]]
        for = "(i, j) in bonds"
        equation = "norm2(r[i] - r[j]) - 1"
        [[energy]]
        for = "(i, j) in bonds"
        term = "r[i].y/norm2(r[i] - r[j])"
        )toml";
    const auto table = term_model(points(n, 2) + fmt::format("parameters.bonds = [{}[7, 3]]", bonds) + rows);
    auto a = term_values(range), b = term_values(table);
    EXPECT_NEAR(a.energy[0], b.energy[0], 1e-12 * std::abs(a.energy[0]));
    a.energy = b.energy;  // one sum or two: rounded in another order
    expect_same(a, b, "chain");
    expect_slow_values(table, "table");
}

TEST(TermKernel, one_coordinate_through_two_slots_has_the_bits_of_the_slow_sums) {
    std::string pairs;
    for (int k = 0; k < 130; ++k) {
        pairs += fmt::format("[{}, {}], ", k % 10, k * k % 10);  // equal ones among them
    }
    const auto model = term_model(points(10, 2) + fmt::format("parameters.pairs = [{}]", pairs) + R"toml(
        [[energy]]
        for = "(i, j) in pairs"
        term = "r[i].x*r[j].x + sin(r[i].y - 2*r[j].y)"
        [[constraint]]
        for = "(i, j) in pairs"
        equation = "r[i].x*r[j].x + r[i].y*exp(r[j].y) - 1"
        )toml");
    EXPECT_EQ(model.potential[0].slots.size(), 4);
    expect_slow_values(model, "pairs");
    // By hand: d/dx x*x = 2x in the row of the pair (0, 0), the first one.
    const auto values = term_values(model);
    const KernelPoint at(model.dimension);
    ASSERT_EQ(values.pattern.row_start[1], 2);
    EXPECT_EQ(values.entries[0], 2 * at.q[0]);
}

// Terms on the same coordinates: the first one sets, the others add, in the order of the model; 1e16 + 1 - 1e16 shows
// it.
TEST(TermKernel, forces_are_added_in_the_order_of_the_model) {
    const auto force = [](const std::string& terms) {
        TermSystem<double> system(term_model(points(130, 2) + terms));
        std::vector<double> gradient(260, std::nan("")), q(260, 0.5);
        system.force_gradient(0, q, q, gradient);
        return gradient;
    };
    const auto term = [](const char* range, const char* text) {
        return fmt::format("[[energy]]\nfor = \"i in {}\"\nterm = \"{}\"\n", range, text);
    };
    const auto big = term("0..129", "1e16*r[i].x"), one = term("0..129", "r[i].x"),
               less = term("0..129", "-1e16*r[i].x");
    const auto expect_all = [](const std::vector<double>& gradient, double expected) {
        for (std::size_t k = 0; k < gradient.size(); k += 2) {
            EXPECT_EQ(gradient[k], expected);
            EXPECT_EQ(gradient[k + 1], 0);
        }
    };
    expect_all(force(big + one + less), 0);
    expect_all(force(big + less + one), 1);
    expect_all(force(one + big + less), 0);
    // Within one term: instance after instance. All hit the last point: 1e16 first, then ones that vanish one by one.
    const auto repeated = force(term("0..129", "if(i == 0, 1e16, 1)*r[129].x"));
    EXPECT_EQ(repeated[258], 1e16);
    EXPECT_EQ(repeated[0], 0);
    const auto late = force(term("0..129", "if(i == 129, 1e16, 1)*r[129].x"));
    EXPECT_EQ(late[258], 1e16 + 128);  // 129 lies between its neighbours 128 and 130, the first of which is even
    // A term on fresh coordinates between terms on used ones.
    const auto mixed = force(term("0..63", "r[i].x") + term("64..129", "2*r[i].x") + term("60..70", "4*r[i].x"));
    for (std::size_t i = 0; i < 130; ++i) {
        EXPECT_EQ(mixed[2 * i], (i < 64 ? 1 : 2) + (i >= 60 && i <= 70 ? 4 : 0)) << i;
    }
}

}  // namespace
}  // namespace libration
