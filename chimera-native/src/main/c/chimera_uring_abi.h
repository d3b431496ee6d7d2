/*
 * The used part of the kernel's io_uring interface, declared here because the headers of the build machine may be
 * missing or older than the running kernel. Offsets are offsets of the kernel's structs, which never change.
 *
 *   memory shared with the kernel, mapped from the ring's descriptor
 *   +------------------------------------------------------------+   +---------------------------+
 *   | sq: head tail mask | cq: head tail mask | cqes | sq array  |   | sqes: one per entry of sq |
 *   +------------------------------------------------------------+   +---------------------------+
 *
 * The submitter writes an sqe, its number into the array, and the tail of sq; the kernel moves the head of sq during
 * enter(). The kernel writes a cqe and the tail of cq; the consumer moves the head of cq.
 */
#ifndef CHIMERA_URING_ABI_H
#define CHIMERA_URING_ABI_H

#include <stddef.h>
#include <stdint.h>

/* System call numbers, equal on all architectures. */
#define CHIMERA_URING_SETUP 425
#define CHIMERA_URING_ENTER 426
#define CHIMERA_URING_REGISTER 427

/* Mappings by offset of the descriptor. */
#define CHIMERA_URING_MAP_RINGS INT64_C(0)
#define CHIMERA_URING_MAP_SQES INT64_C(0x10000000)

/* Features: both rings in one mapping; writes to an address without a vector, since Linux 5.6. */
#define CHIMERA_URING_SINGLE_MAP 1u
#define CHIMERA_URING_PLAIN_WRITES (1u << 3)

#define CHIMERA_URING_FSYNC 3
#define CHIMERA_URING_WRITE_FIXED 5
#define CHIMERA_URING_WRITE 23
#define CHIMERA_URING_DATASYNC 1u /* a flag of FSYNC */

#define CHIMERA_URING_GETEVENTS 1u /* a flag of enter */
#define CHIMERA_URING_BUFFERS 0u   /* an operation of register, with iovecs */

struct chimera_uring_sq_offsets {
    uint32_t head;         /*  0 */
    uint32_t tail;         /*  4 */
    uint32_t ring_mask;    /*  8 */
    uint32_t ring_entries; /* 12 */
    uint32_t flags;        /* 16 */
    uint32_t dropped;      /* 20 */
    uint32_t array;        /* 24 */
    uint32_t reserved;     /* 28 */
    uint64_t user_address; /* 32 */
};

struct chimera_uring_cq_offsets {
    uint32_t head;         /*  0 */
    uint32_t tail;         /*  4 */
    uint32_t ring_mask;    /*  8 */
    uint32_t ring_entries; /* 12 */
    uint32_t overflow;     /* 16 */
    uint32_t cqes;         /* 20 */
    uint32_t flags;        /* 24 */
    uint32_t reserved;     /* 28 */
    uint64_t user_address; /* 32 */
};

struct chimera_uring_params {
    uint32_t sq_entries;                /*  0 */
    uint32_t cq_entries;                /*  4 */
    uint32_t flags;                     /*  8 */
    uint32_t sq_thread_cpu;             /* 12 */
    uint32_t sq_thread_idle;            /* 16 */
    uint32_t features;                  /* 20 */
    uint32_t wq_fd;                     /* 24 */
    uint32_t reserved[3];               /* 28 */
    struct chimera_uring_sq_offsets sq; /* 40 */
    struct chimera_uring_cq_offsets cq; /* 80 */
};
_Static_assert(sizeof(struct chimera_uring_params) == 120, "the kernel has the layout too");
_Static_assert(offsetof(struct chimera_uring_params, sq) == 40, "the kernel has the layout too");
_Static_assert(offsetof(struct chimera_uring_params, cq) == 80, "the kernel has the layout too");

struct chimera_uring_sqe {
    uint8_t operation;        /*  0 */
    uint8_t flags;            /*  1 */
    uint16_t priority;        /*  2 */
    int32_t fd;               /*  4 */
    uint64_t offset;          /*  8 */
    uint64_t address;         /* 16 */
    uint32_t length;          /* 24 */
    uint32_t operation_flags; /* 28 */
    uint64_t token;           /* 32 */
    uint16_t buffer_index;    /* 40 */
    uint16_t personality;     /* 42 */
    uint32_t file_index;      /* 44 */
    uint64_t reserved[2];     /* 48 */
};
_Static_assert(sizeof(struct chimera_uring_sqe) == 64, "the kernel has the layout too");
_Static_assert(offsetof(struct chimera_uring_sqe, token) == 32, "the kernel has the layout too");
_Static_assert(offsetof(struct chimera_uring_sqe, buffer_index) == 40, "the kernel has the layout too");

struct chimera_uring_cqe {
    uint64_t token; /*  0 */
    int32_t result; /*  8 */
    uint32_t flags; /* 12 */
};
_Static_assert(sizeof(struct chimera_uring_cqe) == 16, "the kernel has the layout too");

#endif
