// Minimum degree on a quotient graph. [P. Amestoy, T. Davis, I. Duff, An approximate minimum degree ordering algorithm,
// SIAM J. Matrix Anal. Appl. 17 (1996) 886-905]
//
// An element is a set of rows that are all coupled with each other. A coordinate is one from the beginning: it couples all the
// constraints that contain it. Eliminating a row unites its elements into one, which is the set of rows that the row leaves
// coupled. So the graph consists of rows and elements only, couplings are never written out, and it never grows.
//
// Three things are ours. Elements exist from the start. A row with one element goes first whatever its degree, because it
// leaves no fill: minimum degree alone would cut chains between busy hinges in the middle. Ties are first come, first served.
#include <libration/manifold/ordering.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace libration {

namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

struct Row {
    std::uint32_t first = 0, length = 0;         // its elements, in `elements_of_rows_`
    std::uint32_t weight = 1;                    // rows that it stands for; 0: eliminated, or stands behind another
    std::uint32_t degree = 0;                    // upper bound of the rows coupled with it
    std::uint32_t previous = none, next = none;  // in its queue
    std::uint32_t behind = none, last = none;    // the rows that it stands for, a list
    std::uint32_t stamp = 0, hash_next = none;
};

struct Element {
    std::size_t first = 0;
    std::uint32_t length = 0;   // its rows, in `pool_`; some may be gone
    std::uint32_t weight = 0;   // of its rows; 0: absorbed by another element
    std::uint32_t outside = 0;  // weight of its rows that are not in the newest element, if stamped
    std::uint32_t stamp = 0;
};

class MinimumDegree {
  public:
    MinimumDegree(const SparsePattern& pattern, std::size_t dimension) : rows_(pattern.rows()) {
        set_dense_rows_aside(pattern);
        find_elements(pattern, dimension);
        remaining_ = static_cast<std::uint32_t>(rows_.size() - dense_.size());
        queues_.resize(rows_.size() + 1);
        hash_heads_.assign(rows_.size() + 1, none);
        for (std::uint32_t i = 0; i < rows_.size(); ++i) {
            if (rows_[i].weight > 0) {
                std::size_t degree = 0;
                for (std::uint32_t k = 0; k < rows_[i].length; ++k) {
                    degree += elements_[elements_of_rows_[rows_[i].first + k]].weight - 1;
                }
                rows_[i].degree = static_cast<std::uint32_t>(std::min<std::size_t>(degree, remaining_ - 1));
                rows_[i].last = i;
                enqueue(i);
            }
        }
    }

    std::vector<std::uint32_t> run() {
        order_.reserve(rows_.size());
        while (remaining_ > 0) {
            while (queues_[lowest_].head == none) {
                ++lowest_;
            }
            eliminate(queues_[lowest_].head);
        }
        order_.insert(order_.end(), dense_.begin(), dense_.end());
        return std::move(order_);
    }

  private:
    struct Queue {
        std::uint32_t head = none, tail = none;
    };

    // A row with very many coordinates touches nearly every element, and each step would walk its list: it goes last.
    void set_dense_rows_aside(const SparsePattern& pattern) {
        const double most = std::max(16.0, 10 * std::sqrt(static_cast<double>(rows_.size())));
        for (std::uint32_t i = 0; i < rows_.size(); ++i) {
            if (static_cast<double>(pattern.row_start[i + 1] - pattern.row_start[i]) > most) {
                rows_[i].weight = 0;
                dense_.push_back(i);
            }
        }
    }

    // Coordinates become elements; those of one point have the same rows and are one element.
    void find_elements(const SparsePattern& pattern, std::size_t dimension) {
        const auto uses = coordinate_uses(pattern, dimension);
        std::vector<std::uint32_t> kept;
        for (std::uint32_t i = 0; i < rows_.size(); ++i) {
            kept.clear();
            for (std::size_t e = pattern.row_start[i]; e < pattern.row_start[i + 1] && rows_[i].weight > 0; ++e) {
                const auto c = pattern.column[e];
                const auto first = uses.row.begin() + uses.start[c], last = uses.row.begin() + uses.start[c + 1];
                const auto alive = [this](std::uint32_t j) { return rows_[j].weight > 0; };
                if (*std::find_if(first, last, alive) != i) {
                    continue;  // seen from its first row
                }
                const auto same = [&](std::uint32_t other) {
                    return std::equal(first, last, uses.row.begin() + uses.start[other],
                                      uses.row.begin() + uses.start[other + 1]);
                };
                if (std::none_of(kept.begin(), kept.end(), same)) {
                    kept.push_back(c);
                    add_element(first, last);
                }
            }
        }
        for (std::uint32_t i = 0, place = 0; i < rows_.size(); ++i) {
            rows_[i].first = place;
            place += rows_[i].length;
            rows_[i].length = 0;
        }
        for (std::uint32_t e = 0; e < elements_.size(); ++e) {
            for (std::uint32_t k = 0; k < elements_[e].length; ++k) {
                auto& row = rows_[pool_[elements_[e].first + k]];
                elements_of_rows_[row.first + row.length++] = e;
            }
        }
        // What is alive never grows, so that after a cleaning there is room for any new element.
        pool_limit_ = 2 * pool_.size() + rows_.size();
        pool_.reserve(pool_limit_);
    }

    template <class Iterator>
    void add_element(Iterator first, Iterator last) {
        const std::size_t start = pool_.size();
        for (auto j = first; j != last; ++j) {
            if (rows_[*j].weight > 0) {
                pool_.push_back(*j);
            }
        }
        const auto length = static_cast<std::uint32_t>(pool_.size() - start);
        if (length < 2) {  // it couples nothing
            pool_.resize(start);
            return;
        }
        for (std::size_t k = start; k < pool_.size(); ++k) {
            ++rows_[pool_[k]].length;
        }
        elements_.push_back({.first = start, .length = length, .weight = length});
        elements_of_rows_.resize(pool_.size());
    }

    void enqueue(std::uint32_t i) {
        auto& row = rows_[i];
        const std::uint32_t key = row.length < 2 ? 0 : std::max(row.degree, 1U);
        auto& queue = queues_[key];
        row.previous = queue.tail;
        row.next = none;
        (queue.tail == none ? queue.head : rows_[queue.tail].next) = i;
        queue.tail = i;
        lowest_ = std::min(lowest_, key);
    }

    void dequeue(std::uint32_t i) {
        const auto& row = rows_[i];
        auto& queue = queues_[row.length < 2 ? 0 : std::max(row.degree, 1U)];
        (row.previous == none ? queue.head : rows_[row.previous].next) = row.next;
        (row.next == none ? queue.tail : rows_[row.next].previous) = row.previous;
    }

    // Row i and the rows behind it are next in the order.
    void emit(std::uint32_t i) {
        remaining_ -= rows_[i].weight;
        rows_[i].weight = 0;
        for (std::uint32_t k = i; k != none; k = rows_[k].behind) {
            order_.push_back(k);
        }
    }

    void eliminate(std::uint32_t pivot) {
        dequeue(pivot);
        emit(pivot);
        if (rows_[pivot].length == 0) {
            return;
        }
        const std::uint32_t e = unite_elements(pivot);
        measure_outside(e);
        update_rows(e);
        merge_equal_rows(e);
        requeue(e);
    }

    // The first element of the pivot becomes the union of all.
    std::uint32_t unite_elements(std::uint32_t pivot) {
        const auto& row = rows_[pivot];
        const std::uint32_t* parts = &elements_of_rows_[row.first];
        const std::uint32_t result = parts[0];
        ++stamp_;
        std::size_t bound = 0;
        for (std::uint32_t k = 0; k < row.length; ++k) {
            bound += elements_[parts[k]].length;
        }
        if (row.length > 1 && pool_.size() + bound > pool_limit_) {
            clean_pool();
        }
        // One element shrinks in place.
        const std::size_t first = row.length == 1 ? elements_[result].first : pool_.size();
        std::size_t end = first;
        std::uint32_t weight = 0;
        if (row.length > 1) {
            pool_.resize(first + bound);
        }
        for (std::uint32_t k = 0; k < row.length; ++k) {
            auto& part = elements_[parts[k]];
            for (std::size_t place = part.first; place < part.first + part.length; ++place) {
                const auto i = pool_[place];
                if (rows_[i].weight > 0 && rows_[i].stamp != stamp_) {
                    rows_[i].stamp = stamp_;
                    weight += rows_[i].weight;
                    pool_[end++] = i;
                }
            }
            part.weight = 0;
        }
        if (row.length > 1) {
            pool_.resize(end);
        }
        auto& united = elements_[result];
        united.first = first;
        united.length = static_cast<std::uint32_t>(end - first);
        united.weight = weight;
        return result;
    }

    void clean_pool() {
        std::vector<std::uint32_t> fresh;
        fresh.reserve(pool_limit_);
        for (auto& element : elements_) {
            if (element.weight > 0) {
                const std::size_t first = fresh.size();
                for (std::size_t place = element.first; place < element.first + element.length; ++place) {
                    if (rows_[pool_[place]].weight > 0) {
                        fresh.push_back(pool_[place]);
                    }
                }
                element.first = first;
                element.length = static_cast<std::uint32_t>(fresh.size() - first);
            }
        }
        pool_ = std::move(fresh);
    }

    // For all other elements of its rows: how much of them lies outside the new element.
    void measure_outside(std::uint32_t e) {
        for (std::uint32_t k = 0; k < elements_[e].length; ++k) {
            const auto i = pool_[elements_[e].first + k];
            dequeue(i);
            for (std::uint32_t n = 0; n < rows_[i].length; ++n) {
                auto& other = elements_[elements_of_rows_[rows_[i].first + n]];
                if (other.stamp != stamp_) {
                    other.stamp = stamp_;
                    other.outside = other.weight;
                }
                other.outside -= rows_[i].weight;
            }
        }
    }

    // New lists and degrees; a row whose couplings all lie inside the new element is eliminated with the pivot.
    void update_rows(std::uint32_t e) {
        auto& element = elements_[e];
        std::uint32_t kept_rows = 0;
        for (std::uint32_t k = 0; k < element.length; ++k) {
            const auto i = pool_[element.first + k];
            auto& row = rows_[i];
            std::uint32_t* list = &elements_of_rows_[row.first];
            std::uint32_t kept = 0;
            std::uint64_t outside = 0, hash = 0;
            std::uint32_t displaced = none;  // the new element goes first, one of those that it absorbed makes room
            for (std::uint32_t n = 0; n < row.length; ++n) {
                auto& other = elements_[list[n]];
                if (list[n] == e || other.weight == 0) {
                    continue;
                }
                if (other.outside == 0) {
                    other.weight = 0;  // contained in the new element
                    continue;
                }
                outside += other.outside;
                hash += list[n];
                if (kept == 0) {
                    displaced = list[n];
                } else {
                    list[kept] = list[n];
                }
                ++kept;
            }
            if (kept == 0) {
                element.weight -= row.weight;
                emit(i);
                continue;
            }
            // list[0] is free; at least one old element is gone, so that list[kept] is free too.
            list[kept] = displaced;
            list[0] = e;
            row.length = kept + 1;
            row.degree = static_cast<std::uint32_t>(std::min<std::uint64_t>(row.degree, outside));
            auto& head = hash_heads_[hash % hash_heads_.size()];
            row.hash_next = head;
            head = i;
            row.previous = static_cast<std::uint32_t>(hash % hash_heads_.size());  // free outside queues
            pool_[element.first + kept_rows++] = i;
        }
        element.length = kept_rows;
    }

    [[nodiscard]] bool same_elements(const Row& a, const Row& b) const {
        if (a.length != b.length) {
            return false;
        }
        for (std::uint32_t n = 0; n < b.length; ++n) {
            if (elements_[elements_of_rows_[b.first + n]].stamp != stamp_) {
                return false;
            }
        }
        return true;
    }

    // Rows with the same elements have the same couplings for ever: they are eliminated together.
    void merge_equal_rows(std::uint32_t e) {
        for (std::uint32_t k = 0; k < elements_[e].length; ++k) {
            const auto first = pool_[elements_[e].first + k];
            auto& head = hash_heads_[rows_[first].previous];
            // Each list is met once for each of its rows; the first empties it.
            for (std::uint32_t i = std::exchange(head, none); i != none; i = rows_[i].hash_next) {
                auto& row = rows_[i];
                if (row.weight == 0 || row.hash_next == none) {
                    continue;
                }
                ++stamp_;
                for (std::uint32_t n = 0; n < row.length; ++n) {
                    elements_[elements_of_rows_[row.first + n]].stamp = stamp_;
                }
                for (std::uint32_t j = row.hash_next; j != none; j = rows_[j].hash_next) {
                    auto& other = rows_[j];
                    if (other.weight > 0 && same_elements(row, other)) {
                        row.weight += other.weight;
                        other.weight = 0;
                        rows_[row.last].behind = j;
                        row.last = other.last;
                    }
                }
            }
        }
    }

    void requeue(std::uint32_t e) {
        auto& element = elements_[e];
        std::uint32_t kept = 0;
        for (std::uint32_t k = 0; k < element.length; ++k) {
            const auto i = pool_[element.first + k];
            if (rows_[i].weight > 0) {
                pool_[element.first + kept++] = i;
            }
        }
        element.length = kept;
        if (kept == 1) {  // it couples nothing any more
            auto& row = rows_[pool_[element.first]];
            --row.length;
            elements_of_rows_[row.first] = elements_of_rows_[row.first + row.length];
            row.degree += element.weight - row.weight;
            row.degree = std::min(row.degree, remaining_ - row.weight);
            element.weight = 0;
            enqueue(pool_[element.first]);
            return;
        }
        for (std::uint32_t k = 0; k < kept; ++k) {
            const auto i = pool_[element.first + k];
            auto& row = rows_[i];
            const std::uint64_t degree = std::uint64_t{row.degree} + element.weight - row.weight;
            row.degree = static_cast<std::uint32_t>(std::min<std::uint64_t>(degree, remaining_ - row.weight));
            enqueue(i);
        }
    }

    std::vector<Row> rows_;
    std::vector<Element> elements_;
    std::vector<std::uint32_t> elements_of_rows_, pool_, dense_, order_, hash_heads_;
    std::vector<Queue> queues_;
    std::size_t pool_limit_ = 0;
    std::uint32_t remaining_ = 0, lowest_ = 0, stamp_ = 0;
};

}  // namespace

std::vector<std::uint32_t> fill_reducing_order(const SparsePattern& pattern, std::size_t dimension) {
    return MinimumDegree(pattern, dimension).run();
}

}  // namespace libration
