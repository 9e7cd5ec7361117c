// Which programs are built. No header of the library is included here: this file is compiled for one kind of processor.
#include <bench/yardsticks/triple_points.hpp>
#include <bench/yardsticks/triple_rods.hpp>

namespace bench {

namespace {

// Two programs whose steps take turns: while one waits for a division the other goes on. One program with two vectors
// for each number would do the same, but needs twice the registers that there are.
template <class Program>
class Twice final : public TripleProgram {
  public:
    explicit Twice(const TripleParameters& parameters) : first_(parameters), second_(parameters) {}
    void start(std::size_t k, const std::array<double, 3>& angles) override { of(k).start(k % first_.lanes(), angles); }
    void run(std::int64_t steps) override {
        first_.prepare();
        second_.prepare();
        Program one = first_, other = second_;
        for (; steps > 0; --steps) {
            one.step();
            other.step();
        }
        first_ = one;
        second_ = other;
    }
    [[nodiscard]] std::size_t lanes() const override { return first_.lanes() + second_.lanes(); }
    [[nodiscard]] TripleState state(std::size_t k) const override {
        return (k < first_.lanes() ? first_ : second_).state(k % first_.lanes());
    }
    [[nodiscard]] std::int64_t passes() const override {
        return first_.passes() < second_.passes() ? second_.passes() : first_.passes();
    }
    [[nodiscard]] bool failed() const override { return first_.failed() || second_.failed(); }

  private:
    Program& of(std::size_t k) { return k < first_.lanes() ? first_ : second_; }
    Program first_, second_;
};

template <class Program>
std::unique_ptr<TripleProgram> make(std::size_t lanes, const TripleParameters& parameters) {
    if (lanes == 16) {
        return std::make_unique<Twice<Program>>(parameters);
    }
    return std::make_unique<Program>(parameters);
}

template <class V, TripleLoop loop>
std::unique_ptr<TripleProgram> make(TripleForm form, std::size_t lanes, const TripleParameters& parameters) {
    switch (form) {
        case TripleForm::points: return make<TriplePoints<V, loop, false>>(lanes, parameters);
        case TripleForm::compensated: return make<TriplePoints<V, loop, true>>(lanes, parameters);
        case TripleForm::rods: return make<TripleRods<V, loop>>(lanes, parameters);
    }
    return nullptr;
}

template <class V>
std::unique_ptr<TripleProgram> make(TripleForm form, TripleLoop loop, std::size_t lanes,
                                    const TripleParameters& parameters) {
    switch (loop) {
        case TripleLoop::full: return make<V, TripleLoop::full>(form, lanes, parameters);
        case TripleLoop::simplified: return make<V, TripleLoop::simplified>(form, lanes, parameters);
        case TripleLoop::two_full: return make<V, TripleLoop::two_full>(form, lanes, parameters);
        case TripleLoop::one_full: return make<V, TripleLoop::one_full>(form, lanes, parameters);
    }
    return nullptr;
}

}  // namespace

std::unique_ptr<TripleProgram> make_triple(TripleForm form, TripleLoop loop, std::size_t lanes,
                                           const TripleParameters& parameters) {
    switch (lanes) {
        case 1: return make<double>(form, loop, lanes, parameters);
        case 8:
        case 16: return make<Eight>(form, loop, lanes, parameters);
        default: return nullptr;
    }
}

}  // namespace bench
