/*
 * A ring that is shared with the kernel (io_uring): writes and flushes of one file, several in flight, used by one thread
 * at a time. Nothing is allocated after it is open. Errors: 0 or -errno.
 */
#ifndef CHIMERA_URING_H
#define CHIMERA_URING_H

#include "chimera_uring_abi.h"

#include <stdbool.h>

struct chimera_uring {
    int fd;
    uint32_t entries;
    uint32_t queued;    /* written into the ring and not submitted */
    uint32_t in_flight; /* submitted and not taken */

    void *rings; /* the map of both, and what lies in it */
    size_t rings_bytes;
    uint32_t *sq_tail;
    uint32_t *sq_array;
    uint32_t sq_mask;
    uint32_t *cq_head;
    uint32_t *cq_tail;
    uint32_t cq_mask;
    struct chimera_uring_cqe *cqes;

    struct chimera_uring_sqe *sqes;
    size_t sqes_bytes;

    uintptr_t registered; /* memory that the kernel knows; 0: none */
    size_t registered_bytes;
};

/* A ring for so many operations in flight, or -errno and a sentence in cause that says what it lacks and the remedy. */
int chimera_uring_open(struct chimera_uring *ring, uint32_t depth, char *cause, size_t capacity);

/* Lets the kernel hold the pages of memory from which writes will come. Once. */
int chimera_uring_register(struct chimera_uring *ring, void *memory, size_t bytes);

/* Writes an operation into the ring; false when it is full. */
bool chimera_uring_write(
        struct chimera_uring *ring, int fd, uint64_t offset, const void *memory, uint32_t bytes, uint64_t token);
bool chimera_uring_flush(struct chimera_uring *ring, int fd, uint64_t token);

/*
 * Starts the operations that were written into the ring: how many of them, from the first on, or -errno where there is none.
 * The others are forgotten. -EAGAIN: take completions first.
 */
int chimera_uring_submit(struct chimera_uring *ring);

/* Takes a completion that is there. */
bool chimera_uring_take(struct chimera_uring *ring, uint64_t *token, int32_t *result);

/* On the monotonic clock. */
int64_t chimera_uring_now_ms(void);

/* Waits until one is there or time is over; false when none is. */
bool chimera_uring_wait(struct chimera_uring *ring, int timeout_ms);

/* Waits for all that is in flight, and frees everything. */
void chimera_uring_close(struct chimera_uring *ring);

#endif
