// Reference solutions to 25 digits. Source: two independent formulations (Cartesian with multipliers, angles)
// integrated with 36-digit Gauss methods, agreeing to 1e-32 or better. Convention: M q'' = -U_q - G^T lambda, squared
// constraints.
#pragma once

#include <array>
#include <string_view>

namespace libration::reference {

// triple-pendulum at t = 5 [CHL Example 1].
inline constexpr std::array<std::string_view, 6> triple_pendulum_q{
    "-0.66143913000253471620161357", "-0.74999885153344733574601380", "-1.5090659463451270735942545",
    "-1.2805917088326397885269958",  "-2.1208204116712565855594925",  "-2.0716394154556609797922124"};
inline constexpr std::array<std::string_view, 6> triple_pendulum_p{
    "0.16832604199141209140428294",  "-0.14845013501544605825081827", "0.14662883767659128663737224",
    "-0.11378865783213021810808135", "-0.24408647830171474884783455", "0.18836990633515802766983018"};
inline constexpr std::array<std::string_view, 3> triple_pendulum_lambda{
    "1.0607813463583088999305012", "0.68912793704697528208413081", "0.38428144617741660284114538"};

// double-pendulum at t = 5 [Jay 1996, Example 2].
inline constexpr std::array<std::string_view, 4> double_pendulum_q{
    "0.29044054395820123452306232", "-0.95689304022198017884855661", "-0.22354703503283829701864986",
    "-1.8146906670798130619411970"};
inline constexpr std::array<std::string_view, 4> double_pendulum_p{
    "-0.35725597033712354840877164", "-0.10843596305492882862137670", "0.16839231981371559035267346",
    "-0.42340150224053331556125501"};
inline constexpr std::array<std::string_view, 2> double_pendulum_lambda{"0.78911449973640482302278618",
                                                                        "0.35883744060380418136270748"};

}  // namespace libration::reference
