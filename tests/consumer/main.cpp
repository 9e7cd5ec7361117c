// The first program of a user: load a built-in problem, integrate it, look at the energy.
#include <libration/libration.hpp>

#include <iostream>

int main() {
    using namespace libration;
    auto model = Model::load("pendulum");
    auto run = integrate(model, method("rattle"), {.step = 0.01, .steps = 1000});

    std::cout << "libration " << version << ": largest energy error " << run.energy.max_error << '\n';
    // RATTLE has order two: with h = 0.01 the error is some h^2 times the energy, which is of order one, and it is not
    // zero. A hundred times that leaves room for the constant and none for a method of order one.
    const double bound = 100 * 0.01 * 0.01;
    return run.energy.max_error > 0 && run.energy.max_error < bound ? 0 : 1;
}
