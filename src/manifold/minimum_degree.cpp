// Elimination by approximate minimum degree. [P. Amestoy, T. Davis, I. Duff, An approximate minimum degree ordering
// algorithm, SIAM J. Matrix Anal. Appl. 17 (1996) 886-905]
//
// Two things are ours. A row with one element goes first regardless of its degree, because it leaves no fill: minimum
// degree alone would cut a chain between two busy hinges in the middle. Ties are first come, first served.
#include "manifold/quotient_graph.hpp"

#include <algorithm>
#include <utility>

namespace libration {

namespace {

class MinimumDegree {
  public:
    MinimumDegree(const SparsePattern& pattern, std::size_t dimension)
        : graph_(pattern, dimension), likeness_(graph_.size()), queues_(graph_.size() + 1),
          hash_heads_(graph_.size() + 1, no_vertex),
          remaining_(static_cast<std::uint32_t>(graph_.size() - graph_.dense_rows().size())) {
        for (std::uint32_t i = 0; i < graph_.size(); ++i) {
            auto& row = graph_.row(i);
            if (row.weight > 0) {
                std::size_t degree = 0;
                for (std::uint32_t n = 0; n < row.length; ++n) {
                    degree += graph_.element(graph_.elements_of(i)[n]).weight - 1;
                }
                row.degree = static_cast<std::uint32_t>(std::min<std::size_t>(degree, remaining_ - 1));
                likeness_[i].last = i;
                enqueue(i);
            }
        }
    }

    std::vector<std::uint32_t> run() {
        order_.reserve(graph_.size());
        while (remaining_ > 0) {
            while (queues_[lowest_].head == no_vertex) {
                ++lowest_;
            }
            eliminate(queues_[lowest_].head);
        }
        order_.insert(order_.end(), graph_.dense_rows().begin(), graph_.dense_rows().end());
        return std::move(order_);
    }

  private:
    struct Queue {
        std::uint32_t head = no_vertex, tail = no_vertex;
    };

    // What is asked for only where rows are equal.
    struct Likeness {
        std::uint32_t behind = no_vertex, last = no_vertex;  // the rows that it stands for, a list
        std::uint32_t bucket = 0, next = no_vertex;          // rows with the same hash
    };

    static std::uint32_t key(const GraphRow& row) { return row.length < 2 ? 0 : std::max(row.degree, 1U); }

    void enqueue(std::uint32_t i) {
        auto& row = graph_.row(i);
        auto& queue = queues_[key(row)];
        row.previous = queue.tail;
        row.next = no_vertex;
        (queue.tail == no_vertex ? queue.head : graph_.row(queue.tail).next) = i;
        queue.tail = i;
        lowest_ = std::min(lowest_, key(row));
    }

    void dequeue(std::uint32_t i) {
        const auto& row = graph_.row(i);
        auto& queue = queues_[key(row)];
        (row.previous == no_vertex ? queue.head : graph_.row(row.previous).next) = row.next;
        (row.next == no_vertex ? queue.tail : graph_.row(row.next).previous) = row.previous;
    }

    // Row i and the rows behind it are next in the order.
    void emit(std::uint32_t i) {
        remaining_ -= graph_.row(i).weight;
        graph_.row(i).weight = 0;
        for (std::uint32_t k = i; k != no_vertex; k = likeness_[k].behind) {
            order_.push_back(k);
        }
    }

    void eliminate(std::uint32_t pivot) {
        dequeue(pivot);
        emit(pivot);
        if (graph_.row(pivot).length == 0) {
            return;
        }
        const std::uint32_t e = graph_.eliminate(pivot);
        auto& element = graph_.element(e);
        auto* const rows = graph_.rows_of(e);
        const auto is_gone = [this](std::uint32_t i) { return graph_.row(i).weight == 0; };
        for (std::uint32_t k = 0; k < element.length; ++k) {
            dequeue(rows[k]);
            update(rows[k], e);
        }
        element.length = static_cast<std::uint32_t>(std::remove_if(rows, rows + element.length, is_gone) - rows);
        for (std::uint32_t k = 0; k < element.length; ++k) {
            merge_bucket(likeness_[rows[k]].bucket);
        }
        element.length = static_cast<std::uint32_t>(std::remove_if(rows, rows + element.length, is_gone) - rows);
        for (std::uint32_t k = 0; k < element.length; ++k) {
            requeue(rows[k], element);
        }
        if (element.length == 1) {
            element.weight = 0;
        }
    }

    // New list and degree of row i in the new element e; if all its couplings lie inside e, it is eliminated with the
    // pivot.
    void update(std::uint32_t i, std::uint32_t e) {
        auto& row = graph_.row(i);
        std::uint32_t* const list = graph_.elements_of(i);
        std::uint64_t outside = 0, hash = 0;
        std::uint32_t kept = 0, displaced = no_vertex;
        for (std::uint32_t n = 0; n < row.length; ++n) {
            auto& other = graph_.element(list[n]);
            if (list[n] == e || other.weight == 0) {
                continue;
            }
            if (other.outside == 0) {
                other.weight = 0;  // contained in e
                continue;
            }
            outside += other.outside;
            hash += list[n];
            // e goes first; whoever stood there takes the place of an element that is gone. At least one is.
            (kept == 0 ? displaced : list[kept]) = list[n];
            ++kept;
        }
        if (kept == 0) {
            graph_.element(e).weight -= row.weight;
            emit(i);
            return;
        }
        list[kept] = displaced;
        list[0] = e;
        row.length = kept + 1;
        row.degree = static_cast<std::uint32_t>(std::min<std::uint64_t>(row.degree, outside));
        auto& like = likeness_[i];
        like.bucket = static_cast<std::uint32_t>(hash % hash_heads_.size());
        like.next = std::exchange(hash_heads_[like.bucket], i);
    }

    [[nodiscard]] bool all_stamped(std::uint32_t i, std::uint32_t stamp) {
        const auto* list = graph_.elements_of(i);
        return std::all_of(list, list + graph_.row(i).length,
                           [&](std::uint32_t e) { return graph_.element(e).stamp == stamp; });
    }

    // Rows with the same elements have the same couplings for ever: they are eliminated together. Empties the bucket.
    void merge_bucket(std::uint32_t bucket) {
        for (std::uint32_t i = std::exchange(hash_heads_[bucket], no_vertex); i != no_vertex; i = likeness_[i].next) {
            auto& row = graph_.row(i);
            auto& like = likeness_[i];
            if (row.weight == 0 || like.next == no_vertex) {
                continue;
            }
            const auto stamp = graph_.fresh_stamp();
            for (std::uint32_t n = 0; n < row.length; ++n) {
                graph_.element(graph_.elements_of(i)[n]).stamp = stamp;
            }
            for (std::uint32_t j = like.next; j != no_vertex; j = likeness_[j].next) {
                auto& other = graph_.row(j);
                if (other.weight > 0 && other.length == row.length && all_stamped(j, stamp)) {
                    row.weight += std::exchange(other.weight, 0U);
                    likeness_[like.last].behind = j;
                    like.last = likeness_[j].last;
                }
            }
        }
    }

    // Now that rows inside the new element are merged, their degrees are known.
    void requeue(std::uint32_t i, const GraphElement& element) {
        auto& row = graph_.row(i);
        const std::uint64_t degree = std::uint64_t{row.degree} + (element.weight - row.weight);
        row.degree = static_cast<std::uint32_t>(std::min<std::uint64_t>(degree, remaining_ - row.weight));
        if (element.length == 1) {  // it no longer couples anything
            auto* const list = graph_.elements_of(i);
            list[0] = list[--row.length];
        }
        enqueue(i);
    }

    QuotientGraph graph_;
    std::vector<Likeness> likeness_;
    std::vector<Queue> queues_;
    std::vector<std::uint32_t> hash_heads_, order_;
    std::uint32_t remaining_, lowest_ = 0;
};

}  // namespace

std::vector<std::uint32_t> fill_reducing_order(const SparsePattern& pattern, std::size_t dimension) {
    return MinimumDegree(pattern, dimension).run();
}

}  // namespace libration
