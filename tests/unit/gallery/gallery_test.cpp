#include "items.hpp"

#include "gallery/gallery.hpp"
#include "text/text_file.hpp"
#include <libration/text/error.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace libration {
namespace {

namespace fs = std::filesystem;

class GalleryTest : public ::testing::Test {
  protected:
    GalleryTest()
        : root_(fs::temp_directory_path() /
                (std::string("libration-gallery-") + ::testing::UnitTest::GetInstance()->current_test_info()->name() +
                 std::to_string(::getpid()))),
          directory_(root_ / "gallery") {
        fs::create_directories(root_);
    }
    ~GalleryTest() override { fs::remove_all(root_); }
    GalleryTest(const GalleryTest&) = delete;
    GalleryTest& operator=(const GalleryTest&) = delete;

    [[nodiscard]] std::string text(const std::string& name) const {
        std::ifstream file(directory_ / name, std::ios::binary);
        std::ostringstream all;
        all << file.rdbuf();
        return all.str();
    }
    [[nodiscard]] bool has(const std::string& name) const { return fs::exists(directory_ / name); }

    fs::path root_, directory_;
};

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST_F(GalleryTest, WritesThePageOfAnItemWithFiguresModelsAndRecipe) {
    const auto recipe = a_recipe("000-fig2", "000");
    Gallery gallery(directory_);
    gallery.begin({recipe});
    gallery.add(an_item(recipe, ItemVerdict::corrected));
    for (const auto* name :
         {"index.html", "style.css", "paper-000.html", "items/000-fig2.html", "items/000-fig2-1.svg",
          "items/000-fig2.toml", "items/000-fig2.json", "models/kepler.toml", "models/changed.toml"}) {
        EXPECT_TRUE(has(name)) << name;
    }
    EXPECT_EQ(text("models/changed.toml"), "name = \"changed\"\n");
    EXPECT_TRUE(contains(text("models/kepler.toml"), "[coordinates]"));
    EXPECT_EQ(text("items/000-fig2.toml"), recipe.text);
    const auto page = text("items/000-fig2.html");
    for (const auto* part :
         {"<p>First, <math><mrow><mi>a</mi><mo>&lt;</mo><mi>b</mi></mrow></math>.</p>", "<p>Second &amp; last.</p>",
          "The print says &lt;2&gt;.", "1.341&#160;×&#160;10<sup>−6</sup>", "2.56&#160;×&#160;10<sup>−4</sup>",
          "three digits are printed", "no drift", "&lt; 1&#160;×&#160;10<sup>−10</sup>", "It goes up &amp; away.",
          "libration reproduce 000-fig2", "--method &quot;verlet&quot;", "../models/changed.toml", "-1/2",
          "title = &quot;&lt;000-fig2&gt; &amp; more"}) {
        EXPECT_TRUE(contains(page, part)) << part;
    }
}

TEST_F(GalleryTest, SaysWhatIsNotDoneYetAndWhatIs) {
    const auto one = a_recipe("000-fig1", "000"), two = a_recipe("000-fig2", "000");
    Gallery gallery(directory_);
    gallery.begin({one, two});
    EXPECT_TRUE(contains(text("items/000-fig2.html"), "not done yet"));
    gallery.add(an_item(two));
    EXPECT_FALSE(contains(text("items/000-fig2.html"), "not done yet"));
    EXPECT_TRUE(contains(text("items/000-fig1.html"), "not done yet"));
    EXPECT_TRUE(contains(text("index.html"), "not done yet"));
    EXPECT_TRUE(contains(text("items/000-fig2.html"), "href=\"000-fig1.html\"")) << "neighbours are linked";
}

TEST_F(GalleryTest, TakesOverAnItemOfTheSameRecipeAndModeOnly) {
    const auto recipe = a_recipe("000-fig2", "000");
    Gallery first(directory_);
    first.begin({recipe});
    first.add(an_item(recipe));
    const auto taken = Gallery(directory_).finished(recipe);
    ASSERT_TRUE(taken);
    EXPECT_EQ(taken->verdict, ItemVerdict::reproduced);
    EXPECT_EQ(taken->checks.at(0).rows.at(1).measured, 1.3409e-6);
    EXPECT_EQ(taken->checks.at(1).rows.at(0).measured, 1.0 / 3e11) << "to the last bit";
    auto other = recipe;
    other.text += "# changed\n";
    EXPECT_FALSE(Gallery(directory_).finished(other));
    other = recipe;
    other.quick = true;
    EXPECT_FALSE(Gallery(directory_).finished(other));
}

TEST_F(GalleryTest, ComputesAgainWhatFailedOrIsDamaged) {
    const auto failed = a_recipe("000-fig1", "000"), damaged = a_recipe("000-fig2", "000");
    Gallery gallery(directory_);
    gallery.begin({failed, damaged});
    gallery.add(an_item(failed, ItemVerdict::failed));
    gallery.add(an_item(damaged));
    const auto whole = text("items/000-fig2.json");
    write_text_file(directory_ / "items/000-fig2.json", whole.substr(0, whole.size() / 2));
    EXPECT_FALSE(gallery.finished(failed));
    EXPECT_FALSE(gallery.finished(damaged));
}

TEST_F(GalleryTest, KeepsItemsOfEarlierCallsAndForgetsOnlyWhatIsAskedAgain) {
    const auto one = a_recipe("000-fig1", "000"), two = a_recipe("001-fig2.1", "001");
    {
        Gallery first(directory_);
        first.begin({one});
        first.add(an_item(one));
        EXPECT_THROW(Gallery(directory_).begin({two}), InputError) << "two at a time would disturb each other";
    }
    {
        Gallery second(directory_);
        second.begin({two});
        second.add(an_item(two));
    }
    EXPECT_TRUE(contains(text("index.html"), "items/000-fig1.html"));
    EXPECT_TRUE(contains(text("index.html"), "items/001-fig2.1.html"));
    EXPECT_TRUE(contains(text("items/000-fig1.html"), "001-fig2.1.html")) << "the old page leads to the new one";
    Gallery third(directory_);
    third.begin({two}, true);
    EXPECT_FALSE(third.finished(two));
    EXPECT_TRUE(third.finished(one));
}

TEST_F(GalleryTest, AnItemStaysUntilAnotherTakesItsPlace) {
    const auto full = a_recipe("000-fig2", "000");
    {
        Gallery first(directory_);
        first.begin({full});
        first.add(an_item(full));
    }
    const auto page = text("items/000-fig2.html");
    auto quick = full;
    quick.quick = true;
    {
        Gallery second(directory_);
        second.begin({quick});
        EXPECT_FALSE(second.finished(quick));
    }  // stopped before it did anything
    EXPECT_EQ(text("items/000-fig2.html"), page);
    EXPECT_TRUE(Gallery(directory_).finished(full));
}

TEST_F(GalleryTest, RemovesFiguresThatAnItemNoLongerHas) {
    const auto recipe = a_recipe("000-fig2", "000");
    auto item = an_item(recipe);
    item.pictures.push_back(item.pictures.front());
    Gallery gallery(directory_);
    gallery.begin({recipe});
    gallery.add(item);
    EXPECT_TRUE(has("items/000-fig2-2.svg"));
    gallery.add(an_item(recipe));
    EXPECT_TRUE(has("items/000-fig2-1.svg"));
    EXPECT_FALSE(has("items/000-fig2-2.svg"));
}

TEST_F(GalleryTest, ShowsRecipesOfAUserUnderTheirOwnHeadingAndSafeNames) {
    const auto mine = a_recipe("mein <Versuch>/2", ""), built_in = a_recipe("004-fig1", "004");
    Gallery gallery(directory_);
    gallery.begin({mine, built_in});
    gallery.add(an_item(mine));
    EXPECT_TRUE(has("own.html"));
    EXPECT_TRUE(has("items/own-mein__Versuch__2.html"));
    EXPECT_LT(text("index.html").rfind("004-fig1"), text("index.html").rfind("own-mein__Versuch__2"));
}

TEST_F(GalleryTest, RefusesADirectoryThatIsSomethingElseAndTwoItemsOfOneName) {
    fs::create_directories(directory_);
    EXPECT_NO_THROW(Gallery{directory_}) << "an empty directory will do";
    write_text_file(directory_ / "thesis.tex", "years of work");
    EXPECT_THROW(Gallery{directory_}, InputError);
    EXPECT_THROW(Gallery{directory_ / "thesis.tex"}, InputError);
    EXPECT_THROW(Gallery{""}, InputError);
    Gallery gallery(root_ / "other");
    EXPECT_THROW(gallery.begin({a_recipe("mine", ""), a_recipe("mine", "")}), InputError);
    EXPECT_FALSE(fs::exists(root_ / "other")) << "a refusal leaves nothing behind";
}

}  // namespace
}  // namespace libration
