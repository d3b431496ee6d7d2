/*
 * Packets from a file or an interface, in batches. This is the contract between chimera_jni.c and the back-ends; nothing
 * here knows of Java.
 *
 *   memory of the back-end (mapped file, packet ring, UMEM)          batch, a direct buffer that the caller owns
 *   +--------+--------+-----------+--------+----                     +----------------------------+
 *   | frame  | frame  |  frame    | (free) |            <-----address- chimera_packet 0           |
 *   +--------+--------+-----------+--------+----        <-----address- chimera_packet 1           |
 *                                                       <-----address- chimera_packet 2 ...       |
 *                                                                    +----------------------------+
 *
 * Who owns a frame: the kernel (or the file) until receive() writes its descriptor, the caller from then on, the kernel
 * again after release(). receive() begins with a release() of what it handed out last.
 *
 * Threads: one capture is used by one thread at a time. Captures are independent of each other.
 * Errors: 0 or -errno. A call that is interrupted (EINTR) goes on by itself. Nothing is allocated after open().
 */
#ifndef CHIMERA_CAPTURE_H
#define CHIMERA_CAPTURE_H

#include <stddef.h>
#include <stdint.h>

/* What receive() returns when a file has no more packets. No errno is that large. */
#define CHIMERA_END (-1000)

/* Changes with every change of what crosses to Java; CaptureLibrary.java has the same number. */
#define CHIMERA_CAPTURE_VERSION 1

/* What open() is asked for beyond the default, a set of bits. */
#define CHIMERA_PROMISCUOUS 1u
#define CHIMERA_ZERO_COPY 2u /* refuse to open rather than copy; only af_xdp knows it */
#define CHIMERA_BUSY_POLL 4u /* do not sleep in receive() */

struct chimera_packet {
    uint64_t address;      /*  0 first byte of the frame */
    int64_t timestamp_ns;  /*  8 since the epoch */
    uint32_t captured;     /* 16 bytes at address */
    uint32_t length;       /* 20 bytes on the wire */
    uint32_t slot;         /* 24 the back-end's own: ring slot, UMEM frame, block */
    uint16_t vlan_tci;     /* 28 a tag that the kernel took off the frame */
    uint16_t vlan_tpid;    /* 30 its type; 0: none was taken off */
};
_Static_assert(sizeof(struct chimera_packet) == 32, "PacketBatch.java has the layout too");
_Static_assert(offsetof(struct chimera_packet, timestamp_ns) == 8, "PacketBatch.java has the layout too");
_Static_assert(offsetof(struct chimera_packet, captured) == 16, "PacketBatch.java has the layout too");
_Static_assert(offsetof(struct chimera_packet, length) == 20, "PacketBatch.java has the layout too");
_Static_assert(offsetof(struct chimera_packet, vlan_tci) == 28, "PacketBatch.java has the layout too");
_Static_assert(offsetof(struct chimera_packet, vlan_tpid) == 30, "PacketBatch.java has the layout too");

/* All of them since open(). */
struct chimera_capture_counters {
    uint64_t received;          /* packets handed out */
    uint64_t bytes;             /* of those, on the wire */
    uint64_t dropped_ring;      /* ours: the socket or the ring was full */
    uint64_t dropped_interface; /* the interface's rx_dropped and rx_missed_errors; some have the former too */
    uint64_t truncated;         /* packets handed out with fewer bytes than they had on the wire */
    uint64_t invalid;           /* records or descriptors that are no packets, and were left out */
};
_Static_assert(sizeof(struct chimera_capture_counters) == 48, "CaptureCounters.java has the layout too");

struct chimera_capture_options {
    const char *target;   /* file, interface or port */
    const char *filter;   /* pcap filter text, or NULL */
    uint32_t snap_length; /* bytes of a packet that are wanted, at least 1 */
    uint32_t ring_bytes;  /* for packets that wait for receive(); rounded to what the back-end can do */
    uint32_t queue;       /* which of the queues this capture reads, from 0 */
    uint32_t queues;      /* captures that share the interface, at least 1 */
    uint32_t flags;       /* CHIMERA_PROMISCUOUS and the others */
    double speed;         /* files: 0 as fast as possible, 1 as recorded, 2 twice as fast */
};

/* Each back-end has its own struct of this name in its own .c. */
typedef struct chimera_capture chimera_capture;

/* One static const table per back-end, in its own .c, entered in chimera_capture.c. */
struct chimera_capture_ops {
    const char *name;

    /* 1, or 0 with what is missing and the remedy in cause. */
    int (*available)(char *cause, size_t capacity);

    /* 0 and the capture, or -errno and a sentence in error that names the target and the remedy. */
    int (*open)(
            const struct chimera_capture_options *options, chimera_capture **capture, char *error, size_t capacity);

    /*
     * Hands out at most max packets: their number, 0 when none came within timeout_ms (0: does not wait), CHIMERA_END
     * at the end of a file, or -errno.
     */
    int (*receive)(chimera_capture *capture, struct chimera_packet *packets, int max, int timeout_ms);

    /* Gives the memory of the last receive() back. Doing it twice does nothing. */
    int (*release)(chimera_capture *capture);

    int (*counters)(chimera_capture *capture, struct chimera_capture_counters *counters);

    /* What the frames begin with, as capture files number it (LINKTYPE_...: 1 Ethernet, 101 IP). */
    int (*link_type)(chimera_capture *capture);

    /* Frees everything, what was handed out included. */
    void (*close)(chimera_capture *capture);

    /* The sentence that belongs to the last -errno of receive(); NULL, or a null function, where errno says it all. */
    const char *(*failure)(chimera_capture *capture);
};

/* The back-end of that number, from 0, or NULL behind the last one. */
const struct chimera_capture_ops *chimera_back_end(int number);

/* The back-end of that name, or NULL. */
const struct chimera_capture_ops *chimera_back_end_of(const char *name);

/* Writes the sentence into error and returns -number, so that a failing open() ends in one line. */
int chimera_fail(char *error, size_t capacity, int number, const char *format, ...)
        __attribute__((format(printf, 4, 5)));

#endif
