/* Times of the machine's clocks, and how long a call may still wait. */
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

/* Until when a call may wait. A negative timeout never ends; for one of 0 no clock is asked. */
struct chimera_deadline {
    int64_t end_ns;
    int timeout_ms;
};

static inline struct chimera_deadline chimera_deadline_in(int timeout_ms) {
    int64_t now = timeout_ms > 0 ? chimera_clock_ns(CLOCK_MONOTONIC) : 0;
    return (struct chimera_deadline){.end_ns = now + timeout_ms * CHIMERA_NS_PER_MS, .timeout_ms = timeout_ms};
}

/* As poll() takes it: milliseconds rounded up, 0 when it has passed, -1 when it never will. */
static inline int chimera_deadline_left_ms(const struct chimera_deadline *deadline) {
    if (deadline->timeout_ms <= 0) {
        return deadline->timeout_ms < 0 ? -1 : 0;
    }
    int64_t left = deadline->end_ns - chimera_clock_ns(CLOCK_MONOTONIC);
    return left <= 0 ? 0 : (int)((left + CHIMERA_NS_PER_MS - 1) / CHIMERA_NS_PER_MS);
}

/* Looks, and looks again after waiting: the time counts from when there was nothing at the first look. */
struct chimera_turns {
    int timeout_ms;
    bool is_begun;
    struct chimera_deadline deadline;
};

/* Whether to look again, after waiting for so many milliseconds; once more even where there is no time to wait. */
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
