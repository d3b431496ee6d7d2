/*
 * Ring shared with the kernel (io_uring): writes and flushes of one file, several in flight, used by one thread at a
 * time. No function allocates after opening. Errors: 0 or -errno.
 */
#ifndef CHIMERA_URING_H
#define CHIMERA_URING_H

#include "chimera_uring_abi.h"

#include <stdbool.h>

struct chimera_uring {
    int fd;
    uint32_t entries;
    uint32_t queued;    /* written to the ring but not submitted */
    uint32_t in_flight; /* submitted but not completed */

    void *rings; /* mapping of both rings, and pointers into it */
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

    uintptr_t registered; /* memory registered with the kernel; 0: none */
    size_t registered_bytes;
};

/* Opens a ring with a depth, or returns -errno and a message with the missing requirement and the remedy in cause. */
int chimera_uring_open(struct chimera_uring *ring, uint32_t depth, char *cause, size_t capacity);

/* Registers the source memory of writes: the kernel pins its pages. Once. */
int chimera_uring_register(struct chimera_uring *ring, void *memory, size_t bytes);

/* Writes an operation to the ring; false when the ring is full. */
bool chimera_uring_write(
        struct chimera_uring *ring, int fd, uint64_t offset, const void *memory, uint32_t bytes, uint64_t token);
bool chimera_uring_flush(struct chimera_uring *ring, int fd, uint64_t token);

/*
 * Submits the operations in the ring: returns the number of accepted operations, from the first on, or -errno when none
 * was accepted. Discards the other operations. -EAGAIN: take completions first.
 */
int chimera_uring_submit(struct chimera_uring *ring);

/* Takes an available completion. */
bool chimera_uring_take(struct chimera_uring *ring, uint64_t *token, int32_t *result);

/* Time of the monotonic clock. */
int64_t chimera_uring_now_ms(void);

/* Waits for a completion or the timeout; false after the timeout. */
bool chimera_uring_wait(struct chimera_uring *ring, int timeout_ms);

/* Waits for all operations in flight, and frees all memory. */
void chimera_uring_close(struct chimera_uring *ring);

#endif
