/* Clock access, and time limits of calls. */
#ifndef CHIMERA_CLOCK_H
#define CHIMERA_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#define CHIMERA_NS_PER_MS INT64_C(1000000)
#define CHIMERA_NS_PER_SECOND INT64_C(1000000000)

static inline int64_t chimera_clock_ns(clockid_t clock) {
    struct timespec now;
    (void)clock_gettime(clock, &now);
    return now.tv_sec * CHIMERA_NS_PER_SECOND + now.tv_nsec;
}

/* End of a call's permitted wait. A negative timeout never ends; a timeout of 0 needs no clock access. */
struct chimera_deadline {
    int64_t end_ns;
    int timeout_ms;
};

static inline struct chimera_deadline chimera_deadline_in(int timeout_ms) {
    int64_t now = timeout_ms > 0 ? chimera_clock_ns(CLOCK_MONOTONIC) : 0;
    return (struct chimera_deadline){.end_ns = now + timeout_ms * CHIMERA_NS_PER_MS, .timeout_ms = timeout_ms};
}

/* Timeout for poll(): milliseconds rounded up, 0 after the deadline, -1 without a deadline. */
static inline int chimera_deadline_left_ms(const struct chimera_deadline *deadline) {
    if (deadline->timeout_ms <= 0) {
        return deadline->timeout_ms < 0 ? -1 : 0;
    }
    int64_t left = deadline->end_ns - chimera_clock_ns(CLOCK_MONOTONIC);
    return left <= 0 ? 0 : (int)((left + CHIMERA_NS_PER_MS - 1) / CHIMERA_NS_PER_MS);
}

/* Loop of checks with waits in between: the deadline starts after the first unsuccessful check. */
struct chimera_turns {
    int timeout_ms;
    bool is_begun;
    struct chimera_deadline deadline;
};

/* Whether to check again, after waiting left_ms; true at least once more, even with a timeout of 0. */
static inline bool chimera_turns_next(struct chimera_turns *turns, int *left_ms) {
    bool is_first = !turns->is_begun;
    if (is_first) {
        turns->is_begun = true;
        turns->deadline = chimera_deadline_in(turns->timeout_ms);
    }
    *left_ms = chimera_deadline_left_ms(&turns->deadline);
    return is_first || *left_ms != 0;
}

#endif
