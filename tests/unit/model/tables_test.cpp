// [tables]: from values and from files, in models, texts, runs and messages.
#include "faults.hpp"
#include "same_model.hpp"

#include <libration/expression/parse.hpp>
#include <libration/model/builder.hpp>
#include <libration/model/to_text.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include <unistd.h>

namespace libration {
namespace {

// A unit mass on a line, pushed by the table: x'' = interp(profile, t).
std::string pushed(const std::string& tables, const std::string& force = "interp(profile, t)") {
    return fmt::format("[tables]\n{}\n[coordinates]\nq = [\"x\"]\n[dynamics]\nmass = 1\n[initial]\nq = [0]\n"
                       "[[forces]]\nname = \"push\"\nclass = \"driving\"\non = {{ x = \"{}\" }}\n"
                       "[run]\nmethod = \"spark(3)\"\nstep = \"1/64\"\nsteps = 256\n",
                       tables, force);
}

// A folder for one test.
class Folder {
  public:
    explicit Folder(const std::string& name)
        : path_(std::filesystem::temp_directory_path() / fmt::format("libration-{}-{}", name, ::getpid())) {
        std::filesystem::create_directories(path_);
    }
    ~Folder() { std::filesystem::remove_all(path_); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    std::string write(const std::string& name, const std::string& text) const {
        std::ofstream(path_ / name, std::ios::binary) << text;
        return (path_ / name).string();
    }
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

std::string load_fault(const std::string& path) {
    try {
        Model::load(path);
    } catch (const InputError& error) {
        return error.what();
    }
    return "no fault";
}

Run run_of(const Model& model) {
    return integrate(model, method(*model.run.method), {.step = *model.run.step, .steps = *model.run.steps});
}

// The force rises to 5 at t = 1 and falls to 0 at t = 2, then it is 0. The impulse is 5, and the way at t = 4 is the
// impulse times the time since its centre, 5*(4 - 1). Points lie on nodes, and between them the force is a polynomial
// of degree 1, which a method of order 4 integrates exactly, up to round-off.
TEST(ModelTables, drive_a_run_to_its_known_end) {
    const auto model =
        Model::parse(pushed("profile = { x = [0, 1, 2], y = [0, 5, 0], kind = \"linear\" }"), "push.toml");
    const auto end = run_of(model);
    EXPECT_NEAR(end.v[0], 5, 1e-13);
    EXPECT_NEAR(end.q[0], 15, 1e-12);
}

// A spline through samples of 12 t^2, which is a cubic polynomial of t: x = t^4.
TEST(ModelTables, of_a_polynomial_give_its_motion) {
    const auto model = Model::parse(
        pushed("profile = { x = [0, 1, 3, \"4\", 5], y = [0, 12, 108, \"12*16\", 300], kind = \"cubic\" }"),
        "push.toml");
    const auto end = run_of(model);
    EXPECT_NEAR(end.q[0], 256, 1e-9);
    EXPECT_NEAR(end.v[0], 256, 1e-9);
}

TEST(ModelTables, come_back_from_text_and_from_values) {
    const auto text = pushed("profile = { x = [0, 0.1, \"pi\"], y = [0, 1e-3, \"1/3\"], kind = \"cubic\" }\n"
                             "other = { x = [-1, 1], y = [2, 3] }",
                             "interp(profile, t)*interp(other, x, 1) + mod(t, 2)");
    const auto model = Model::parse(text, "push.toml");
    ASSERT_EQ(model.tables.size(), 2U);
    const auto copy = Model::parse(text_from_data(model), "again.toml");
    EXPECT_EQ(copy.forces[0].on[0].value.value, model.forces[0].on[0].value.value);
    ASSERT_EQ(copy.tables.size(), 2U);
    EXPECT_EQ(copy.tables[0].handle(), model.tables[0].handle());
    EXPECT_EQ(text_from_data(copy), text_from_data(model));
    EXPECT_EQ(run_of(copy).q, run_of(model).q);
}

TEST(ModelTables, are_built_in_cpp) {
    ModelBuilder builder("push");
    const auto x = builder.coordinates({"x"});
    const auto profile = builder.table("profile", {0, 1, 2}, {0, 5, 0});
    builder.mass(1).potential(-x[0] * interp(profile, builder.time())).initial_position({0});
    builder.observable("push", parse("interp(profile, t)"));
    const auto model = builder.build();
    EXPECT_EQ(model.observables[0].value, interp(profile, symbol("t")));
    const auto copy = Model::parse(to_text(model), "again.toml");
    EXPECT_EQ(copy.tables[0].handle(), profile.handle());
    const auto end = integrate(copy, method("verlet"), {.step = 1.0 / 64, .steps = 256});
    EXPECT_NEAR(end.v[0], 5, 1e-12);
    EXPECT_EQ(integrate(model, method("verlet"), {.step = 1.0 / 64, .steps = 256}).q, end.q);
    ModelBuilder twice("push");
    twice.coordinates({"x"});
    EXPECT_THROW(twice.table("x", {0, 1}, {0, 1}), InputError);
}

TEST(ModelTables, have_other_values_with_them) {
    const auto text =
        "[parameters]\na = 2\n" + pushed("profile = { x = [0, 1, 2], y = [0, 5, 0] }", "a*interp(profile, t)");
    const auto model = Model::parse(text, "push.toml");
    const auto changed = model.with({{"a", "3"}});
    EXPECT_NEAR(run_of(changed).v[0], 15, 1e-12);
    EXPECT_EQ(run_of(changed).q, run_of(Model::parse(text, "push.toml", {{"a", "3"}})).q);
}

TEST(ModelTables, are_in_parameters_definitions_families_and_formulas) {
    const auto model = Model::parse("[tables]\nheight = { x = [0, 10], y = [0, 20] }\n"
                                    "[parameters]\ng = \"interp(height, 2)\"\n"
                                    "[points]\nr = { count = 3, dimension = 2, mass = \"1 + interp(height, i)\" }\n"
                                    "[definitions]\ntop = \"interp(height, r[0].x)\"\n"
                                    "[[energy]]\nfor = \"i in 0..2\"\nterm = \"g*interp(height, r[i].y)\"\n"
                                    "[observables]\ntwice = \"2*top\"\n"
                                    "[initial.r]\nfor = \"i in 0..2\"\nq = [\"interp(height, i)\", 1]\n",
                                    "points.toml");
    const auto state = initial_state<double>(model);
    EXPECT_EQ(state.q, (std::vector<double>{0, 1, 2, 1, 4, 1}));
    EXPECT_EQ(to_string(model.formula("interp(height, r[1].x)", "it")), "interp(height, r[1].x)");
    const auto copy = Model::parse(text_from_data(model), "again.toml");
    EXPECT_EQ(initial_state<double>(copy).q, state.q);
    EXPECT_EQ(copy.potential[0].formula.kernel, model.potential[0].formula.kernel);
}

TEST(ModelTables, from_files_belong_to_the_text) {
    const Folder folder("tables");
    folder.write("torque.csv", "time,torque\r\n0, 0\r\n1, 5\r\n\r\n# the end\r\n2; 0\r\n");
    const std::string inside = "x = [0, 1, 2]";
    for (const auto& tables :
         {std::string("profile = { file = \"torque.csv\", kind = \"linear\" }  # measured"),
          std::string("profile = {kind=\"linear\",file='torque.csv'}"), std::string("profile.file = \"torque.csv\""),
          std::string("[tables.profile]\nkind = \"linear\"\n  file = \"torque.csv\" # measured"),
          std::string("[tables.profile]\n\"file\" = '''torque.csv'''")}) {
        const auto path = folder.write("push.toml", pushed(tables));
        const auto model = Model::load(path);
        EXPECT_EQ(model.text.find("torque.csv"), std::string::npos) << model.text;
        EXPECT_NE(model.text.find(inside), std::string::npos) << model.text;
        const auto elsewhere = Model::parse(model.text, "elsewhere.toml");
        EXPECT_EQ(elsewhere.tables[0].handle(), model.tables[0].handle()) << model.text;
        EXPECT_EQ(run_of(elsewhere).q, run_of(model).q);
        EXPECT_NEAR(run_of(model).q[0], 15, 1e-12);
        EXPECT_EQ(Model::parse(to_text(model.with({{"x", "1"}})), "elsewhere.toml").tables[0].handle(),
                  model.tables[0].handle());
    }
}

TEST(ModelTables, from_files_may_be_long) {
    const Folder folder("long-tables");
    std::string rows;
    for (int k = 0; k <= 5000; ++k) {
        rows += fmt::format("{} {}\n", k * 0.001, k * 0.001 * k * 0.001);
    }
    folder.write("square.txt", rows);
    const auto model =
        Model::load(folder.write("push.toml", pushed("profile = { file = \"square.txt\", kind = \"cubic\" }")));
    // x'' = t^2 has x = t^4/12; numbers of the file have 17 digits.
    EXPECT_NEAR(run_of(model).q[0], 256.0 / 12, 1e-11);
}

TEST(ModelTables, that_cannot_be_read_say_where_and_why) {
    const Folder folder("bad-tables");
    const auto fault = [&](const std::string& rows, const std::string& kind = "linear") {
        folder.write("torque.csv", rows);
        return load_fault(
            folder.write("push.toml", pushed("profile = { file = \"torque.csv\", kind = \"" + kind + "\" }")));
    };
    const auto has = [](const std::string& message, const std::string& words) {
        EXPECT_NE(message.find(words), std::string::npos) << message;
    };
    has(fault("0,0\n1,one\n2,0\n"), "torque.csv:2:1: 'one' is not a number");
    has(fault("0;0\n1;0,5\n"), "torque.csv:2:1: '0,5' is not a number; decimals are written with a point");
    has(fault("t,m\n0,0\n2,1\n1,2\n"),
        "torque.csv:4:1: `[tables] profile`: x must increase from row to row, and 1 follows 2");
    has(fault("0,0\n1,nan\n"), "torque.csv:2:1: 'nan' is not a number");
    has(fault("0,0\n1,1,1\n"), "torque.csv:2:1: this row has 3 columns; a table has two, x and y");
    has(fault("0,0\n1\n"), "torque.csv:2:1: this row has 1 column; a table has two");
    has(fault("0,0\n"), "linear interpolation needs at least 2 rows, and there is 1");
    has(fault("x,y\n"), "linear interpolation needs at least 2 rows, and there are 0");
    has(fault("0,0\n1,1\n", "cubic"), "cubic interpolation needs at least 3 rows, and there are 2");
    has(load_fault(folder.write("push.toml", pushed("profile = { file = \"missing.csv\" }"))), "cannot read the table");
    has(load_fault(folder.write("push.toml", pushed("profile = { file = \"missing.csv\" }"))), "push.toml:2:");
    has(load_fault(folder.write("push.toml", pushed("profile = { file = \".\" }"))), "is a directory");
}

TEST(ModelTables, that_are_wrong_are_shown) {
    const auto fault = [](const std::string& table, const std::string& words,
                          const std::string& place = "test.toml:2:") { expect_fault(pushed(table), words, place); };
    fault("profile = { x = [0, 1, 1], y = [0, 1, 2] }", "x must increase from row to row, and 1 follows 1",
          "test.toml:2:24");
    fault("profile = { x = [0, 1], y = [0] }", "[tables] profile: x has 2 values and y has 1");
    fault("profile = { x = [0], y = [0] }", "linear interpolation needs at least 2 rows");
    fault("profile = { x = [0, 1], y = [0, 1], kind = \"cubic\" }", "cubic interpolation needs at least 3 rows");
    fault("profile = { x = [0, 1], y = [0, 1], kind = \"cubik\" }",
          "unknown kind of interpolation 'cubik': did you mean 'cubic'?");
    fault("profile = { x = [0, 1], y = [0, 1], kind = 3 }", "'kind' must be \"linear\" or \"cubic\", not a number");
    fault("profile = { x = [0, 1] }", "[tables] profile needs x and y, or file");
    fault("profile = { x = [0, 1], y = [0, 1], file = \"a.csv\" }", "has both a file and values: give one");
    fault("profile = { x = [0, 1], y = [0, \"a\"] }", "a table holds numbers, and 'a' is a name");
    fault("profile = { x = [0, 1], y = 3 }", "y of [tables] profile must be a list of numbers, not a number");
    fault("profile = { x = [0, 1], y = [0, inf] }", "is not a finite number");
    fault("profile = { x = [0, 1], z = [0, 1] }", "unknown key 'z' in [tables] profile");
    fault("profile = [0, 1]", "must be a table such as { x = [0, 1, 2]");
    fault("profile = { file = 3 }", "'file' in [tables] profile must be the name of a file");
    fault("t = { x = [0, 1], y = [0, 1] }", "the name 't' cannot be used");
    fault("x = { x = [0, 1], y = [0, 1] }", "the name 'x' cannot be used: it is already a table", "");
    expect_fault("tables = 3\n", "[tables] must be a table");
}

TEST(ModelTables, that_interp_does_not_find_are_suggested) {
    const std::string table = "profile = { x = [0, 1], y = [0, 1] }";
    expect_fault(pushed(table, "interp(profle, t)"), "unknown table 'profle': did you mean 'profile'?",
                 "test.toml:12:");
    expect_fault(pushed(table, "interp(x, t)"), "unknown table 'x'; known are profile");
    expect_fault(pushed("", "interp(profile, t)"), "unknown table 'profile'; the model has no [tables]");
    expect_fault(pushed(table, "2*profile"), "'profile' is a table; write interp(profile, x)");
    expect_fault(pushed(table, "profile(t)"), "'profile' is a table; write interp(profile, x)");
    expect_fault(pushed(table, "x(t)"), "'x' is not a function; multiplication needs '*': write x*(...)");
    expect_fault(pushed(table, "fmod(t, 2)"), "unknown function 'fmod': did you mean mod(a, b)?");
}

TEST(ModelTables, are_in_equations) {
    const auto model = Model::parse(pushed("profile = { x = [0, 1], y = [0, 1] }"), "push.toml");
    std::string all;
    for (const auto& line : latex_equations(model)) {
        all += line + '\n';
    }
    EXPECT_NE(all.find("\\mathrm{profile}(t)"), std::string::npos) << all;
}

}  // namespace
}  // namespace libration
