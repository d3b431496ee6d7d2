/*
 * One AF_XDP socket: a receive queue of an interface, and the memory that its packets come in.
 *
 *   UMEM (frames of 2 or 4 KiB)                       fill ring (frames that the kernel may fill)
 *   +--------+--------+--------+--------+-------+     producer: this process, at release
 *   | frame  | frame  | frame  | frame  |  ...  |     consumer: the kernel
 *   +--------+--------+--------+--------+-------+
 *                                                     receive ring (frames with a packet)
 *                                                     producer: the kernel
 *              [receive_next ........ producer)       consumer: this process, at release
 *               pending     | waiting
 *
 * A frame is the kernel's from its entry in the fill ring until its descriptor in the receive ring, and ours from then
 * on until it is released. What is handed out (pending) stays in the receive ring: releasing reads the addresses there,
 * so there is no list of them. Both rings have room for every frame of the UMEM, so the receive ring cannot be full; a
 * packet that finds no frame is lost and counted by the kernel.
 */
#ifndef CHIMERA_XDP_SOCKET_H
#define CHIMERA_XDP_SOCKET_H

#include <linux/if_xdp.h>
#include <stddef.h>
#include <stdint.h>

/* Shared with the kernel. Indices run freely; the mask makes them entries. */
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
    uint32_t fill_next;    /* our producer index */
    uint32_t receive_next; /* our consumer index */
    uint32_t pending;      /* descriptors from there on that are handed out */
};

enum { CHIMERA_XDP_HEADROOM = 256 /* what the kernel keeps free before each packet in its frame */ };

/*
 * Makes the socket, its memory and its rings, gives the kernel all frames, and binds it to socket->queue with
 * CHIMERA_ZERO_COPY or not, CHIMERA_BUSY_POLL or not. The caller has set queue, frames and frame_bytes, and fd to -1.
 * 0, or -errno and in step what was being done; what has been made then is for chimera_xdp_socket_close.
 */
int chimera_xdp_socket_open(
        struct chimera_xdp_socket *socket, int interface_index, uint32_t flags, const char **step);

void chimera_xdp_socket_close(struct chimera_xdp_socket *socket);

/* Descriptors that wait to be handed out. */
static inline uint32_t chimera_xdp_waiting(const struct chimera_xdp_socket *socket) {
    return __atomic_load_n(socket->receive.producer, __ATOMIC_ACQUIRE) - socket->receive_next - socket->pending;
}

/* The descriptor so many behind the first one that is not released. */
static inline const struct xdp_desc *chimera_xdp_descriptor(const struct chimera_xdp_socket *socket, uint32_t number) {
    return (const struct xdp_desc *)socket->receive.entries + ((socket->receive_next + number) & socket->receive.mask);
}

/* Gives the frames of everything that was handed out back to the kernel. */
void chimera_xdp_socket_release(struct chimera_xdp_socket *socket);

/*
 * Lets a driver that waits for a call go on, and polls it where CHIMERA_BUSY_POLL was asked for. 0 or -errno; an
 * interface that is down is no error, one that is gone is -ENXIO.
 */
int chimera_xdp_socket_wake(const struct chimera_xdp_socket *socket);

#endif
