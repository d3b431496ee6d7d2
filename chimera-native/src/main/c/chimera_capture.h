/*
 * Packets from a file or an interface, in batches. Contract between chimera_jni.c and the back-ends, independent of
 * Java.
 *
 *   memory of the back-end (mapped file, packet ring, UMEM)          batch, a direct buffer owned by the caller
 *   +--------+--------+-----------+--------+----                     +----------------------------+
 *   | frame  | frame  |  frame    | (free) |            <-----address- chimera_packet 0           |
 *   +--------+--------+-----------+--------+----        <-----address- chimera_packet 1           |
 *                                                       <-----address- chimera_packet 2 ...       |
 *                                                                    +----------------------------+
 *
 * Ownership of a frame: the kernel (or the file) until receive() writes the descriptor, then the caller, and after
 * release() the kernel again. receive() starts with a release() of the previous packets.
 *
 * Threads: a capture is used by one thread at a time. Captures are independent of each other.
 * Errors: 0 or -errno. Interrupted calls (EINTR) continue. No function allocates after open().
 */
#ifndef CHIMERA_CAPTURE_H
#define CHIMERA_CAPTURE_H

#include <stddef.h>
#include <stdint.h>

/* Result of receive() at the end of a file; beyond the range of errno values. */
#define CHIMERA_END (-1000)

/* Changes with every change of the interface to Java; CaptureLibrary.java has the same number. */
#define CHIMERA_CAPTURE_VERSION 1

/* Options of open() beyond the defaults, a bit set. */
#define CHIMERA_PROMISCUOUS 1u
#define CHIMERA_ZERO_COPY 2u /* refuse to open instead of copying; af_xdp only */
#define CHIMERA_BUSY_POLL 4u /* do not sleep in receive() */

struct chimera_packet {
    uint64_t address;     /* 0 first byte of the frame */
    int64_t timestamp_ns; /* 8 since the epoch */
    uint32_t captured;    /* 16 bytes at address */
    uint32_t length;      /* 20 bytes on the wire */
    uint32_t slot;        /* 24 for the back-end: ring slot, UMEM frame, block */
    uint16_t vlan_tci;    /* 28 VLAN tag removed from the frame by the kernel */
    uint16_t vlan_tpid;   /* 30 type of the VLAN tag; 0: no tag removed */
};
_Static_assert(sizeof(struct chimera_packet) == 32, "PacketBatch.java has the layout too");
_Static_assert(offsetof(struct chimera_packet, timestamp_ns) == 8, "PacketBatch.java has the layout too");
_Static_assert(offsetof(struct chimera_packet, captured) == 16, "PacketBatch.java has the layout too");
_Static_assert(offsetof(struct chimera_packet, length) == 20, "PacketBatch.java has the layout too");
_Static_assert(offsetof(struct chimera_packet, vlan_tci) == 28, "PacketBatch.java has the layout too");
_Static_assert(offsetof(struct chimera_packet, vlan_tpid) == 30, "PacketBatch.java has the layout too");

/* Counters since open(). */
struct chimera_capture_counters {
    uint64_t received;          /* received packets */
    uint64_t bytes;             /* wire bytes of received packets */
    uint64_t dropped_ring;      /* losses of this capture: socket or ring full */
    uint64_t dropped_interface; /* rx_dropped and rx_missed_errors of the interface; may include dropped_ring */
    uint64_t truncated;         /* received packets shorter than on the wire */
    uint64_t invalid;           /* skipped records or descriptors without a packet */
};
_Static_assert(sizeof(struct chimera_capture_counters) == 48, "CaptureCounters.java has the layout too");

struct chimera_capture_options {
    const char *target;   /* file, interface or port */
    const char *filter;   /* filter in pcap syntax, or NULL */
    uint32_t snap_length; /* maximum captured bytes per packet, at least 1 */
    uint32_t ring_bytes;  /* buffer for waiting packets; rounded to a size supported by the back-end */
    uint32_t queue;       /* number of the queue read by this capture, from 0 */
    uint32_t queues;      /* captures sharing the interface, at least 1 */
    uint32_t flags;       /* CHIMERA_PROMISCUOUS and other bits */
    double speed;         /* files: 0 as fast as possible, 1 as recorded, 2 twice as fast */
};

/* Each back-end defines its own struct of this name in its .c file. */
typedef struct chimera_capture chimera_capture;

/* Function table: one static const table per back-end, in its .c file, listed in chimera_capture.c. */
struct chimera_capture_ops {
    const char *name;

    /* Returns 1, or 0 with the missing requirement and the remedy in cause. */
    int (*available)(char *cause, size_t capacity);

    /* Returns 0 and the capture, or -errno and an error message with the target and the remedy. */
    int (*open)(const struct chimera_capture_options *options, chimera_capture **capture, char *error, size_t capacity);

    /*
     * Receives at most max packets: returns their number, 0 after timeout_ms (0: does not wait), CHIMERA_END at the end
     * of a file, or -errno.
     */
    int (*receive)(chimera_capture *capture, struct chimera_packet *packets, int max, int timeout_ms);

    /* Returns the memory of the last receive() to the source. Repeated calls have no effect. */
    int (*release)(chimera_capture *capture);

    int (*counters)(chimera_capture *capture, struct chimera_capture_counters *counters);

    /* Returns the link type of the frames, numbered as in capture files (LINKTYPE_...: 1 Ethernet, 101 IP). */
    int (*link_type)(chimera_capture *capture);

    /* Frees all memory, including received packets. */
    void (*close)(chimera_capture *capture);

    /* Returns the message for the last -errno of receive(); NULL, or a null function, if errno alone suffices. */
    const char *(*failure)(chimera_capture *capture);
};

/* Returns the back-end with this number, from 0, or NULL after the last back-end. */
const struct chimera_capture_ops *chimera_back_end(int number);

/* Returns the back-end with this name, or NULL. */
const struct chimera_capture_ops *chimera_back_end_of(const char *name);

/* Writes an error message and returns -number, so that a failing open() ends in one line. */
int chimera_fail(char *error, size_t capacity, int number, const char *format, ...)
        __attribute__((format(printf, 4, 5)));

#endif
