// The problems of the conformance suite. A new one is one entry: a built-in model, its largest sensible step, the time over
// which errors are measured, and the exact solution at that time if it is known.
#include <libration/analysis/certify.hpp>

#include <libration/model/embedded.hpp>
#include <libration/system/make_system.hpp>

#include <algorithm>

namespace libration {

namespace {

// By Kepler's equation, with 45 digits.
ExactSolution kepler() {
    return {.time = 5,
            .q = {"-0.8837707793862565614744377473531119", "-0.7671137155927865204922635128911821"},
            .p = {"0.8193821223981331608214332736101046", "-0.1939877846107600599859010557684531"},
            .lambda = {},
            .accuracy = 1e-34,
            .source = "Kepler's equation"};
}

// Taylor series with 45 digits.
ExactSolution toda() {
    return {.time = 2,
            .q = {"0.5809246560039516137140939066539885", "0.5645445655943781972458915153245729",
                  "0.8545307784016701890400145780214386"},
            .p = {"-2.090139821012770672508918304605413", "5.042913399160997736415352098559187",
                  "-2.952773578148227063906433793953774"},
            .lambda = {},
            .accuracy = 1e-34,
            .source = "Taylor series with 45 digits"};
}

// Two independent formulations (Cartesian with multipliers, angles) integrated with 36-digit Gauss methods, agreeing to 1e-32.
ExactSolution double_pendulum() {
    return {.time = 5,
            .q = {"0.29044054395820123452306232", "-0.95689304022198017884855661", "-0.22354703503283829701864986",
                  "-1.8146906670798130619411970"},
            .p = {"-0.35725597033712354840877164", "-0.10843596305492882862137670", "0.16839231981371559035267346",
                  "-0.42340150224053331556125501"},
            .lambda = {"0.78911449973640482302278618", "0.35883744060380418136270748"},
            .accuracy = 1e-25,
            .source = "36-digit Gauss methods in two formulations"};
}

// Taylor series with 45 digits for q'' = -e_z - 2 q (v^2 - z)/2; q^2 - 1 = -1.5e-46 at the end.
ExactSolution spherical_pendulum() {
    return {.time = 5,
            .q = {"0.6808861314691623576065594341291829", "-0.02806047205768743654099104261739682",
                  "-0.7318515463404161561352483799041645"},
            .p = {"0.009158277458365437130230270131539826", "1.101128338145978509854498855723443",
                  "-0.03369868790774376542560924432644911"},
            .lambda = {"0.9727773195106242342028725698562467"},
            .accuracy = 1e-34,
            .source = "Taylor series with 45 digits"};
}

constexpr const char* taylor = "Taylor series with 45 digits";

ExactSolution henon_heiles() {
    return {.time = 4,
            .q = {"-0.3055253631660893848776797017946921", "-0.1919170580257151031800785026619926"},
            .p = {"-0.2287417689086385224200742644924825", "0.1236234934067928890956121362043609"},
            .lambda = {},
            .accuracy = 1e-34,
            .source = taylor};
}

// A field in q alone: p is zero.
ExactSolution abc_flow() {
    return {.time = 2,
            .q = {"1.811091854857351571799006603484649", "2.585980288474021069819659888081157",
                  "1.327038766595887947061404296279594"},
            .p = {"0", "0", "0"},
            .lambda = {},
            .accuracy = 1e-33,
            .source = taylor};
}

// A field where p stands for v.
ExactSolution reversible_field() {
    return {.time = 4,
            .q = {"1.02339573981242914171151194739595"},
            .p = {"-0.4970890022858021223000371153000174"},
            .lambda = {},
            .accuracy = 1e-33,
            .source = taylor};
}

// Non-separable H. lambda = (v^2 + 2 (x v_y - y v_x) + z)/|q|; q^2 - 1 = 1.8e-46 at the end; q at t = 1 as in the file.
ExactSolution charged_particle() {
    return {.time = 2,
            .q = {"-0.7598850355885613171655835760552507", "0.1951415516040396584037799078402458",
                  "0.6200762110629134815203342939770066"},
            .p = {"0.5625503016957930546747388655134161", "0.3819302232303771659546596283975103",
                  "0.5691930981416099830465454389943992"},
            .lambda = {"0.7908850389159302828977335024304508"},
            .accuracy = 1e-34,
            .source = taylor};
}

// Two independent formulations that agree to 1e-32; Q row by row, P = Q' D. The multipliers of |Q_:i|^2 = 1 are halves of
// those of the matrix equation Q'' D = -U_Q - Q Lambda.
ExactSolution heavy_top() {
    return {.time = 1,
            .q = {"-0.38982963586319150808939511", "-0.91656061353162195062915440", "0.089159950231638543682551648",
                  "-0.13428245454841952736565054", "-0.039207416990801364109131863", "-0.99016715803613738332649029",
                  "0.91104394921607550127524721", "-0.39796911962543798521048401", "-0.10779379583877113707698791"},
            .p = {"-0.41024201813555382225764268", "0.56860822875138792122761416", "0.77371094045545726150794291",
                  "-0.29351107752857389446800529", "0.040446305739641894764382238", "0.19635467214034458254033325",
                  "-0.21880161176063576435971706", "-1.3135433791204101221462018", "-1.1637025838041935058629700"},
            .lambda = {"0.60464282276993713877706275", "1.3668982868552271738254084", "0.85045189000113211041394735",
                       "0.084533964795826229110587433", "-0.31240200235909609919916456", "2.1256924726015954698866469"},
            .accuracy = 1e-24,
            .source = "two independent formulations with more than 32 digits"};
}

}  // namespace

std::span<const CertifiedProblem> certified_problems() {
    static const std::vector<CertifiedProblem> all{
        {"kepler",
         {.step = 0.125, .exact = kepler()},
         16},                                             // of order 20, errors above round-off waver by more than one
        {"toda", {.step = 0.0625, .exact = toda()}, 16},  // likewise
        {"double-pendulum", {.step = 0.25, .exact = double_pendulum()}, 8},  // 25 digits are known
        {"spherical-pendulum", {.step = 0.25, .exact = spherical_pendulum()}},
        {"henon-heiles", {.step = 0.25, .exact = henon_heiles()}},
        {"charged-particle", {.step = 0.125, .exact = charged_particle()}},
        {"abc-flow", {.step = 0.25, .exact = abc_flow()}},
        // The order 10 of multistep(10) shows there with errors below those of the reference only.
        {"sprung-pendulum", {.step = 0.125}, 8},
        // Of the other bodies, free-top is this one without its force, and in rigid-body-on-spring energy errors wander, slowly,
        // between spring and swing, too slowly for a drift to be told from them in a hundred periods.
        {"heavy-top", {.step = 0.125, .exact = heavy_top()}, 8},  // 25 digits are known
        {"reversible-field", {.step = 0.25, .exact = reversible_field()}},
    };
    return all;
}

std::vector<const CertifiedProblem*> certified_problems(const Method& method) {
    std::vector<const CertifiedProblem*> fitting;
    for (const auto& problem : certified_problems()) {
        const auto system = make_system<double>(Model::load(std::string(problem.model)));
        if (method.claims().order <= problem.highest_order &&
            unmet_needs(method, system->properties(), system->constraints()).empty()) {
            fitting.push_back(&problem);
        }
    }
    return fitting;
}

CertifyOptions options_for(std::string_view model) {
    const auto all = certified_problems();
    const auto found = std::ranges::find(all, model, &CertifiedProblem::model);
    return found != all.end() ? found->options : CertifyOptions{};
}

}  // namespace libration
