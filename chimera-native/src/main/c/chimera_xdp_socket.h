/*
 * AF_XDP socket: a receive queue of an interface, and the memory for its packets.
 *
 *   UMEM (frames of 2 or 4 KiB)                       fill ring (empty frames for the kernel)
 *   +--------+--------+--------+--------+-------+     producer: this process, at release
 *   | frame  | frame  | frame  | frame  |  ...  |     consumer: the kernel
 *   +--------+--------+--------+--------+-------+
 *                                                     receive ring (frames with a packet)
 *                                                     producer: the kernel
 *              [receive_next ........ producer)       consumer: this process, at release
 *               pending     | waiting
 *
 * The kernel owns a frame from its entry in the fill ring until its descriptor in the receive ring; then this process
 * owns the frame until release. Returned frames (pending) stay in the receive ring: release reads their addresses from
 * the ring, so no separate list is needed. Both rings have room for every frame of the UMEM, so the receive ring cannot
 * be full; the kernel drops and counts a packet without a free frame.
 */
#ifndef CHIMERA_XDP_SOCKET_H
#define CHIMERA_XDP_SOCKET_H

#include <linux/if_xdp.h>
#include <stddef.h>
#include <stdint.h>

/* Shared with the kernel. Indices run freely; the mask converts indices to entries. */
struct chimera_xdp_ring {
    uint32_t *producer;
    uint32_t *consumer;
    uint32_t *flags;
    void *entries;
    uint32_t mask;
    void *map;
    size_t map_bytes;
};

struct chimera_xdp_socket {
    int fd; /* -1: not open */
    uint32_t queue;
    uint32_t frames; /* a power of two */
    uint32_t frame_bytes;
    uint8_t *umem;
    struct chimera_xdp_ring fill;
    struct chimera_xdp_ring receive;
    uint32_t fill_next;    /* producer index of this process */
    uint32_t receive_next; /* consumer index of this process */
    uint32_t pending;      /* returned descriptors from receive_next on */
};

enum { CHIMERA_XDP_HEADROOM = 256 /* kept free by the kernel before each packet in its frame */ };

/*
 * Creates the socket, its memory and its rings, gives all frames to the kernel, and binds the socket to socket->queue,
 * with CHIMERA_ZERO_COPY and CHIMERA_BUSY_POLL as requested. The caller has set queue, frames and frame_bytes, and fd
 * to -1. Returns 0, or -errno with the failed step in step; after a failure, chimera_xdp_socket_close frees all
 * acquired resources.
 */
int chimera_xdp_socket_open(struct chimera_xdp_socket *socket, int interface_index, uint32_t flags, const char **step);

void chimera_xdp_socket_close(struct chimera_xdp_socket *socket);

/* Number of descriptors not yet returned to the caller. */
static inline uint32_t chimera_xdp_waiting(const struct chimera_xdp_socket *socket) {
    return __atomic_load_n(socket->receive.producer, __ATOMIC_ACQUIRE) - socket->receive_next - socket->pending;
}

/* Returns a descriptor by its distance from the first unreleased descriptor. */
static inline const struct xdp_desc *chimera_xdp_descriptor(const struct chimera_xdp_socket *socket, uint32_t number) {
    return (const struct xdp_desc *)socket->receive.entries + ((socket->receive_next + number) & socket->receive.mask);
}

/* Returns the frames of all returned packets to the kernel. */
void chimera_xdp_socket_release(struct chimera_xdp_socket *socket);

/*
 * Wakes a driver that needs a call to continue, and polls the driver if CHIMERA_BUSY_POLL is set. Returns 0 or -errno;
 * an interface that is down is no error, a removed interface returns -ENXIO.
 */
int chimera_xdp_socket_wake(const struct chimera_xdp_socket *socket);

#endif
