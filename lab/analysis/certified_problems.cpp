// The problems of the conformance suite. A new one is one entry: a built-in model, its largest sensible step, the time over
// which errors are measured, and the exact solution at that time if it is known.
#include "request/study_request.hpp"

#include <libration/analysis/certify.hpp>

#include "model/embedded.hpp"
#include <libration/kit/make_system.hpp>
#include <libration/text/error.hpp>

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

constexpr const char* extrapolated = "extrapolation of the midpoint rule with 60 digits";

// These three: lambda eliminated, 22 columns of extrapolation, two step sizes agree to 1e-50, |g| and |G v| below 1e-51.
ExactSolution damped_spherical_pendulum() {
    return {.time = 4,
            .q = {"0.214744879704359329715507718949765148", "0.647534107147994653345898560130208018",
                  "-0.731152663074415410439160414000333432"},
            .p = {"1.22571362372487477361770634817610527", "-1.02591825966046679926677350114554141",
                  "-0.548587675124762478337656271094602877"},
            .lambda = {"2.7055037873886788519342266968593286"},
            .accuracy = 1e-34,
            .source = extrapolated};
}

ExactSolution slider_crank() {
    return {.time = 3.0 / 128,
            .q = {"4.69748230966960517458611819068866078", "0.523534631809368504768864003428541355",
                  "0.257581324370849372326454549473931889"},
            .p = {"0.872577866388134214388246919197688291", "-0.243336805848086286225583684999510147",
                  "1.60386510933358961053637751519638787"},
            .lambda = {"-11.7877247842244573074364022537183521", "81.7736700823185822531749630149410497"},
            .accuracy = 1e-33,
            .source = extrapolated};
}

ExactSolution friction_pendulum() {
    return {.time = 4,
            .q = {"3.95574030192401344258068024440095733", "-0.975583887821740687573905995057912683",
                  "0.221432255871186750421019494281660704"},
            .p = {"0.320138872119593299543916044571233283", "0.0358160562093043569420921425232707977",
                  "0.0543588818296851817481603410716845994"},
            .lambda = {"0.962531504969490341237474945110878689"},
            .accuracy = 1e-34,
            .source = extrapolated};
}

// Also by the extrapolation, with the same 36 digits.
ExactSolution structural() {
    return {.time = 4,
            .q = {"0.162269371797178100166821802322004885", "0.134347789227503559289652336262716642",
                  "-0.705142795224861955943626735573518876", "-1.44463337967722747117690580740975439"},
            .p = {"-0.695497628547450907918842078168907273", "-0.0385161270174330248089251793267266963",
                  "-1.53681728163430894213761218519772778", "-1.85108997479366395048164245937936893"},
            .lambda = {"-0.503338196662311806871156574256819704"},
            .accuracy = 1e-34,
            .source = "exponential of a matrix with 60 digits, the constraint eliminated"};
}

// Known in closed form: see the file of the problem.
ExactSolution driven_pendulum() {
    return {.time = 2,
            .q = {"0.2488452981515644255854289652491547040365", "-0.5804461392648493348054233833638215583001"},
            .p = {"-0.1219680425176197009040137248230097200614", "0.1106195381107258119884524999814004323399"},
            .lambda = {"3.909297426825681695396019865911744842702"},
            .accuracy = 1e-34,
            .source = "closed form"};
}

// These two likewise, with 36 digits.
ExactSolution chaplygin_sleigh() {
    return {.time = 2,
            .q = {"-1.50381850167850983720557764494590892", "0.312519575809436597399362956994937615",
                  "0.591197351969208275357933407377068029"},
            .p = {"-0.0370825100262955979366631166398777178", "0.839244460433140366497334827215670693",
                  "1.07620640088777932580245346996852305"},
            .lambda = {"-0.470268747269614706555087635019845073"},
            .accuracy = 1e-34,
            .source = "closed form"};
}

ExactSolution rolling_disk() {
    return {.time = 1,
            .q = {"0.707862892857581422127132560992715449", "1.43645880036759770699021947609750492",
                  "3.73477987477024942407202108113843368", "2.0"},
            .p = {"-1.75937672984649688192661934977851502", "3.8443082892092879862250207561182339",
                  "2.11388934786146007686012433574188743", "0.6"},
            .lambda = {"16.6400434495344251633160035608259562", "5.37291957319741797971620448111101132"},
            .accuracy = 1e-34,
            .source = "closed form"};
}

// Two step sizes agree to 24 digits; |G v| = 3e-27. The reference of the IVP test set agrees to 7e-11 in the angles.
ExactSolution andrews() {
    return {.time = 0.03,
            .q = {"15.810771195153707097119387304", "-15.756371058411839469727752844",
                  "0.040822240119645804858282319645", "-0.53473011634207959377018503105",
                  "0.52440996587995406937165579995", "0.53473011634207959377018503109",
                  "1.0480807410419378730685154718"},
            .p = {"0.00273489187001748142473288819", "0.0000717864005342733712866488576",
                  "0.000178403812121741083808125527", "0.0000154827758701177787160406509",
                  "0.0000370454690600625324465354065", "-0.0000155095700538649951204009709",
                  "0.0000131649972572598203087964054"},
            .lambda = {"199.17534810453862818623954569", "-29.755309974971763324415728153",
                       "23.066543611622151128617365392", "31.452725275771137075384535780",
                       "22.642494786394378577712918385", "11.617392352611255906801476842"},
            .accuracy = 1e-24,
            .source = "runs in quadruple precision with two step sizes"};
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
        {"sprung-pendulum", {.step = 0.125, .duration = 1}, 8},
        // Of the other bodies, free-top is this one without its force, and in rigid-body-on-spring energy errors wander, slowly,
        // between spring and swing, too slowly for a drift to be told from them in a hundred periods.
        {"heavy-top", {.step = 0.125, .exact = heavy_top()}, 8},  // 25 digits are known
        {"reversible-field", {.step = 0.25, .exact = reversible_field()}},
        {"damped-spherical-pendulum", {.step = 0.25, .exact = damped_spherical_pendulum()}},
        {"slider-crank", {.step = 1.0 / 512, .exact = slider_crank()}},
        {"friction-pendulum", {.step = 0.125, .exact = friction_pendulum()}},
        {"structural", {.step = 0.125, .exact = structural()}},
        {"driven-pendulum", {.step = 0.125, .exact = driven_pendulum()}, 8},  // its pivot moves
        // Constraints on velocities; spark alone takes them.
        {"chaplygin-sleigh", {.step = 0.125, .exact = chaplygin_sleigh()}, 8},
        {"rolling-disk", {.step = 0.0625, .exact = rolling_disk()}, 8},
        // The motor makes it faster and faster, and with it grows the energy error of every method. 25 digits are known.
        {"andrews", {.step = 3e-4, .exact = andrews()}, 8, true},
    };
    return all;
}

std::vector<const CertifiedProblem*> certified_problems(const Method& method) {
    std::vector<const CertifiedProblem*> fitting;
    for (const auto& problem : certified_problems()) {
        const auto system = make_system<double>(Model::load(std::string(problem.model)));
        if (!problem.on_demand && method.claims().order <= problem.highest_order &&
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

CertifyOptions options_for(const Model& model) {
    const auto all = embedded_problems();
    const auto found = std::ranges::find(all, std::string_view(model.text), &EmbeddedProblem::text);
    return model.overrides.empty() && found != all.end() ? options_for(found->name) : CertifyOptions{};
}

CertifyOptions certify_options(const Model& model, const CertifyRequest& given) {
    for (const auto& value : {given.step, given.duration}) {
        if (value && !(*value > 0)) {
            throw InputError("`step` and `duration` must be positive");
        }
    }
    if (given.step || given.duration) {
        return {.step = given.step.value_or(0), .duration = given.duration.value_or(0)};
    }
    return options_for(model);
}

std::vector<Certificate> certify_on_all(const Method& method, const std::atomic<bool>* stop) {
    std::vector<Certificate> all;
    for (const auto* problem : certified_problems(method)) {
        if (stop != nullptr && *stop) {
            break;
        }
        all.push_back(certify(method, Model::load(std::string(problem->model)), problem->options));
    }
    return all;
}

}  // namespace libration
