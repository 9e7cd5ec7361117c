// The catalogue of compositions. Every list is a palindrome, of which the first half is written down.
//
// Decimals were taken from the papers and polished by scripts/polish_composition: published with 15 to 33 digits, they
// now satisfy their order conditions to 1e-36. Where there are more factors than conditions the nearest solution was
// taken. Tests compute all conditions of every scheme; one that fails them cannot stay here.
#include "composition.hpp"
#include "text/suggest.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <array>

namespace libration {

using namespace std::string_view_literals;

namespace {

// Their S6 of order 4, written as 12 steps, adjoint first; 3 conditions, 6 factors.
constexpr std::array blanesmoan4{
    "0.07920369643119566040748718158785474600345"sv, "0.1303114101821663774677929776092002678885"sv,
    "0.2228614958676076749781584329262309457271"sv,  "-0.3667132690474257139737046109054621542069"sv,
    "0.3246481886897061827471752704754938312785"sv,  "0.1096884778767498183730907483066823633093"sv,
};

// Solution A.
constexpr std::array yoshida6{
    "0.7845136104775572638194976338663498757768"sv,
    "0.2355732133593581336847931829785346016865"sv,
    "-1.177679984178871006946415680964315734639"sv,
    "1.315186320683911218884249728238862514352"sv,
};

// 9 stages; 4 conditions, 5 factors.
constexpr std::array kahanli6{
    "0.3921614440073141392792505551811823220989"sv,  "0.3325991367893594385997486403202742081800"sv,
    "-0.7062461725576393598099648194747637217567"sv, "0.08221359629355080023149044744882811387218"sv,
    "0.7985439909348299633989503530489581552114"sv,
};

// Solution D.
constexpr std::array yoshida8{
    "0.9148442462297915667487934898475096045181"sv, "0.2536933365662113541461460206899420760977"sv,
    "-1.444852236860605157694730657537390354956"sv, "-0.1582406353680501752040667767597542477554"sv,
    "1.938139137622525986579186487443641760954"sv,  "-1.960610232975310807607633376399663640792"sv,
    "0.1027998493917964406981151316012258629110"sv, "1.708453070787281584668379362228977878047"sv,
};

// 15 stages.
constexpr std::array suzuki8{
    "0.7416703643506129534482278017838063156035"sv, "-0.4091008258000315939973000958935634173099"sv,
    "0.1907547102962383799538762564503716627355"sv, "-0.5738624711160822666563877266355357421595"sv,
    "0.2990641813036559238444635406886029882258"sv, "0.3346249182452981837849579798821822886337"sv,
    "0.3152930923967665966320566638110024309941"sv, "-0.7968879393529163540197888401737330534463"sv,
};

// 17 stages; 8 conditions, 9 factors.
constexpr std::array kahanli8{
    "0.1302024830888900808788176320967005223572"sv,  "0.5611629817751083845619644077001505672662"sv,
    "-0.3894749626448472864080785982352483888361"sv, "0.1588419065551556008962107457071524814121"sv,
    "-0.3959038941332375773362315393479389360268"sv, "0.1845396409783157070918325415333754628190"sv,
    "0.2583743876863220472939791099949394718131"sv,  "0.2950117236093102988709662402182281129765"sv,
    "-0.6055085338300345116989210793347185875626"sv,
};

// 35 stages; 16 conditions, 18 factors.
constexpr std::array sofroniou10{
    "0.07879572252168641926390767933768424821986"sv,   "0.3130961034151085277648124719264726968811"sv,
    "0.02791838323507806610952027327529882311867"sv,   "-0.2295928415939070941512133967965498759099"sv,
    "0.1309620610771648631746568592796054126747"sv,    "-0.2697334056545107143446097322241114971155"sv,
    "0.07497334315589143566613710564141041234341"sv,   "0.1119934239998102048895750807364020587209"sv,
    "0.3661334495462267511931481235314990823753"sv,    "-0.3991056301360358978786298105834047303959"sv,
    "0.1030873985274710773158027700137244791799"sv,    "0.4114308739558902378207041189760783505072"sv,
    "-0.004866360583135261762195659309977063020408"sv, "-0.3920333537086399064480819364261042696938"sv,
    "0.05194250296244964703718290401597572774971"sv,   "0.05066509075992449633587434415686589419544"sv,
    "0.04967437063972987905456880027946117634455"sv,   "0.04931773575959453791768000833933814764985"sv,
};

// From its first half; the last of these is the middle one, if there is one.
template <std::size_t size>
std::vector<Wide> palindrome(const std::array<std::string_view, size>& half, bool with_middle) {
    std::vector<Wide> gamma;
    for (const auto text : half) {
        gamma.push_back(wide_from_text(text));
    }
    for (std::size_t i = with_middle ? size - 1 : size; i-- > 0;) {
        gamma.push_back(gamma[i]);
    }
    return gamma;
}

template <const auto& half>
std::vector<Wide> for_symmetric_base() {
    return palindrome(half, true);
}

template <const auto& half>
std::vector<Wide> for_base_with_adjoint() {
    return palindrome(half, false);
}

// The closed form of five steps, each an adjoint and a base.
std::vector<Wide> mclachlan4() {
    const Wide root = wide_sqrt(19);
    const Wide b1 = (14 - root) / 108;
    const Wide a1 = (146 + 5 * root) / 540;
    const Wide b2 = (-23 - 20 * root) / 270;
    const Wide a2 = (-2 + 10 * root) / 135;
    const Wide b3 = Wide{1} / 5;
    return {b1, a1, b2, a2, b3, b3, a2, b2, a1, b1};
}

struct Entry {
    std::string_view name;
    int order;
    bool needs_adjoint;
    std::vector<Wide> (*gamma)();
    std::string_view reference;
};

constexpr std::array catalogue{
    Entry{"yoshida4", 4, false, [] { return triple_jump(2); }, "Yoshida1990"},
    Entry{"suzuki4", 4, false, [] { return suzuki(2); }, "Suzuki1990"},
    Entry{"mclachlan4", 4, true, mclachlan4, "McLachlan1995"},
    Entry{"blanesmoan4", 4, true, for_base_with_adjoint<blanesmoan4>, "BlanesMoan2002"},
    Entry{"yoshida6", 6, false, for_symmetric_base<yoshida6>, "Yoshida1990"},
    Entry{"kahanli6", 6, false, for_symmetric_base<kahanli6>, "KahanLi1997"},
    Entry{"yoshida8", 8, false, for_symmetric_base<yoshida8>, "Yoshida1990"},
    Entry{"suzuki8", 8, false, for_symmetric_base<suzuki8>, "SuzukiUmeno1993"},
    Entry{"kahanli8", 8, false, for_symmetric_base<kahanli8>, "KahanLi1997"},
    Entry{"sofroniou10", 10, false, for_symmetric_base<sofroniou10>, "SofroniouSpaletta2005"},
};

constexpr auto names = [] {
    std::array<std::string_view, catalogue.size()> all;
    for (std::size_t i = 0; i < all.size(); ++i) {
        all[i] = catalogue[i].name;
    }
    return all;
}();

// Of a symmetric base the order is even, and only then have the conditions of these two a real solution.
void check_base_order(int order) {
    if (order < 2 || order % 2 != 0) {
        throw InputError(fmt::format("a symmetric base method has an even order of at least 2, not {}", order));
    }
}

}  // namespace

std::span<const std::string_view> composition_names() { return names; }

CompositionScheme composition(std::string_view name) {
    for (const auto& entry : catalogue) {
        if (entry.name == name) {
            return {entry.name, entry.order, entry.needs_adjoint, entry.gamma(), entry.reference};
        }
    }
    const std::vector<std::string> known(names.begin(), names.end());
    throw InputError(fmt::format("unknown composition '{}'{}", name, suggestion(name, known)));
}

std::vector<Wide> triple_jump(int base_order) {
    check_base_order(base_order);
    const Wide outer = 1 / (2 - wide_root(2, base_order + 1));
    return {outer, 1 - 2 * outer, outer};
}

std::vector<Wide> suzuki(int base_order) {
    check_base_order(base_order);
    const Wide outer = 1 / (4 - wide_root(4, base_order + 1));
    return {outer, outer, 1 - 4 * outer, outer, outer};
}

}  // namespace libration
