// Registries, certificates, comparisons and items of papers, all as the JSON of the library.
#include "bindings.hpp"
#include "errors.hpp"
#include "patience.hpp"
#include "requests.hpp"

#include "analysis/interruption.hpp"
#include "analysis/json.hpp"
#include "gallery/workshop.hpp"
#include "reproduce/json.hpp"
#include "request/study_request.hpp"
#include <libration/integrate/run_settings.hpp>
#include <libration/io/json.hpp>
#include <libration/text/error.hpp>

#include <pybind11/stl.h>

#include <chrono>
#include <functional>
#include <mutex>

namespace libration::python {

namespace py = pybind11;

namespace {

using SharedModel = std::shared_ptr<Model>;

Doubts doubts_of(bool force) { return force ? Doubts::accept : Doubts::refuse; }

[[noreturn]] void throw_keyboard_interrupt() {
    PyErr_SetNone(PyExc_KeyboardInterrupt);
    throw py::error_already_set();
}

// Ctrl-C ends the measurement that is under way.
void measure_patiently(const std::function<void()>& work, StopSignal& stop, const std::function<void()>& look = {}) {
    const auto interruptible = [&] {
        try {
            const Interruptible watching(stop);
            work();
        } catch (const Interrupted&) {
            return;  // who asked for it knows
        }
    };
    if (work_patiently(interruptible, stop, look)) {
        throw_keyboard_interrupt();
    }
}

std::string certify_json(const SharedModel& model, const CertifyRequest& request) {
    const auto chosen = method(request.method, doubts_of(request.force));
    std::vector<Certificate> certificates;
    StopSignal stop;
    measure_patiently(
        [&] {
            if (model) {
                certificates.push_back(certify(chosen, *model, certify_options(*model, request)));
            } else {
                certificates = certify_on_all(chosen);
            }
        },
        stop);
    if (certificates.empty()) {
        throw InputError("no problem for certificates is suitable for '" + chosen.name() + "'; give a model");
    }
    return json_of(certificates);
}

// How far a comparison is, from its thread to the one that holds the GIL.
class ComparisonNews {
  public:
    void keep(const CompareProgress& now) {
        const std::lock_guard lock(mutex_);
        last_ = now;
    }
    void tell(const py::object& callback) {
        CompareProgress now;
        {
            const std::lock_guard lock(mutex_);
            now = last_;
        }
        py::dict news;
        news["done"] = now.done;
        news["total"] = now.total;
        news["running"] = now.running;
        news["fraction"] = now.total > 0 && now.done == now.total ? 1.0 : now.fraction;
        news["seconds"] = now.seconds;
        news["noun"] = "runs";
        callback(news);
    }

  private:
    std::mutex mutex_;
    CompareProgress last_;
};

std::string compare_json(const Model& model, const CompareRequest& request, const py::object& progress) {
    if (request.duration && !(*request.duration > 0)) {
        throw InputError(Mistake{.argument = "duration", .problem = "it must be positive"});
    }
    CompareOptions options{.methods = {}, .steps = request.steps_list, .duration = request.duration.value_or(0)};
    if (request.methods) {
        for (const auto& spec : split_methods(*request.methods)) {
            options.methods.push_back(method(spec, doubts_of(request.force)));
        }
    }
    options.project = request.project;
    ComparisonNews news;
    if (!progress.is_none()) {
        options.progress = [&news](const CompareProgress& now) { news.keep(now); };
    }
    Comparison comparison;
    StopSignal stop;
    measure_patiently([&] { comparison = compare(model, options); }, stop,
                      [&] {
                          if (!progress.is_none()) {
                              news.tell(progress);
                          }
                      });
    return json_of(comparison);
}

// What happens to items, from the threads that compute them to the one that holds the GIL.
class ItemNews {
  public:
    explicit ItemNews(std::size_t total) : total_(total) {}

    void begun(const std::string& id) { add({id, "", done_}); }
    void ended(const ItemResult& item) { add({item.id, to_string(item.verdict), ++done_}); }

    void tell(const py::object& callback) {
        std::vector<Line> lines;
        {
            const std::lock_guard lock(mutex_);
            lines.swap(lines_);
        }
        for (const auto& line : lines) {
            py::dict news;
            news["id"] = line.id;
            news["verdict"] = line.verdict.empty() ? py::object(py::none()) : py::str(line.verdict);
            news["done"] = line.done;
            news["total"] = total_;
            news["seconds"] = std::chrono::duration<double>(Clock::now() - started_).count();
            news["noun"] = "items";
            callback(news);
        }
    }

  private:
    using Clock = std::chrono::steady_clock;
    struct Line {
        std::string id, verdict;  // no verdict: it has begun
        std::size_t done;
    };
    void add(Line line) {
        const std::lock_guard lock(mutex_);
        lines_.push_back(std::move(line));
    }
    Clock::time_point started_ = Clock::now();
    std::mutex mutex_;
    std::vector<Line> lines_;
    std::size_t total_, done_ = 0;  // the workshop calls one after the other
};

// The items as JSON, their figures, and whether Ctrl-C came before all were done.
py::tuple reproduce_items(const ReproduceRequest& request, const py::object& progress) {
    const auto threads = thread_count(request.threads);
    Workshop shop(recipes_named(request.items, request.quick), {request.out, request.again});
    ItemNews news(shop.recipes().size());
    for (const auto& result : shop.results()) {
        if (result) {
            news.ended(*result);
        }
    }
    StopSignal stop;
    const WorkshopHooks hooks{.begin = [&](const std::string& id) { news.begun(id); },
                              .end = [&](const ItemResult& item) { news.ended(item); }};
    const bool interrupted = work_patiently([&] { shop.work(threads, hooks, stop); }, stop,
                                            [&] {
                                                if (!progress.is_none()) {
                                                    news.tell(progress);
                                                }
                                            });
    const auto items = shop.take_items();
    py::list figures;
    for (const auto& item : items) {
        py::list drawn;
        for (const auto& picture : item.pictures) {
            drawn.append(picture.svg);
        }
        figures.append(drawn);
    }
    return py::make_tuple(json_of(items), figures, interrupted);
}

}  // namespace

void bind_reports(py::module_& m) {
    m.def("methods_json", &json_of_methods);
    m.def("problems_json", &json_of_problems);
    m.def("analyses_json", [] { return told_in_python(json_of_analyses()); });
    m.def(
        "method_json", [](const std::string& spec) { return told_in_python(json_of(method(spec, Doubts::accept))); },
        py::arg("spec"));
    m.def(
        "recipes_json", [](const std::vector<std::string>& names) { return json_of(recipes_named(names, false)); },
        py::arg("names"));
    m.def(
        "certify_json",
        [](const SharedModel& model, const py::dict& options) {
            return certify_json(model, request_of<CertifyRequest>(options, certify_fields));
        },
        py::arg("model").none(true), py::arg("options"));
    m.def(
        "compare_json",
        [](const Model& model, const py::dict& options, const py::object& progress) {
            return compare_json(model, request_of<CompareRequest>(options, compare_fields), progress);
        },
        py::arg("model"), py::arg("options"), py::arg("progress") = py::none());
    m.def(
        "reproduce_json",
        [](const py::dict& options, const py::object& progress) {
            return reproduce_items(request_of<ReproduceRequest>(options, reproduce_fields), progress);
        },
        py::arg("options"), py::arg("progress"));
}

}  // namespace libration::python
