#include "chimera_xdp_socket.h"

#include "chimera_capture.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* Newer than some headers. */
#ifndef SO_PREFER_BUSY_POLL
#define SO_PREFER_BUSY_POLL 69
#define SO_BUSY_POLL_BUDGET 70
#endif

enum {
    COMPLETION_ENTRIES = 64, /* unused, because no packets are sent, but required for a UMEM */
    BUSY_POLL_US = 20,
    BUSY_POLL_PACKETS = 64, /* packets per busy poll of the driver */
    BIND_ATTEMPTS = 100,    /* the kernel frees the queue of a closed socket with a delay; 1 s in total */
    BIND_PAUSE_NS = 10 * 1000 * 1000,
};

static void offer_frame(struct chimera_xdp_socket *socket, uint64_t address) {
    ((uint64_t *)socket->fill.entries)[socket->fill_next++ & socket->fill.mask] = address;
}

static void publish(uint32_t *index, uint32_t value) {
    __atomic_store_n(index, value, __ATOMIC_RELEASE);
}

void chimera_xdp_socket_release(struct chimera_xdp_socket *socket) {
    uint64_t frame_mask = ~(uint64_t)(socket->frame_bytes - 1);
    if (socket->pending == 0) {
        return;
    }
    for (uint32_t number = 0; number < socket->pending; number++) {
        offer_frame(socket, chimera_xdp_descriptor(socket, number)->addr & frame_mask);
    }
    socket->receive_next += socket->pending;
    socket->pending = 0;
    publish(socket->fill.producer, socket->fill_next);
    publish(socket->receive.consumer, socket->receive_next);
}

int chimera_xdp_socket_wake(const struct chimera_xdp_socket *socket) {
    ssize_t result;
    do {
        result = recvfrom(socket->fd, NULL, 0, MSG_DONTWAIT, NULL, NULL);
    } while (result < 0 && errno == EINTR);
    /* An empty ring, a busy driver, and an interface that is down are temporary. */
    if (result >= 0 || errno == EAGAIN || errno == EBUSY || errno == ENOBUFS || errno == ENETDOWN) {
        return 0;
    }
    return -errno;
}

static int set(int fd, int level, int option, uint32_t value) {
    return setsockopt(fd, level, option, &value, sizeof value) == 0 ? 0 : -errno;
}

static int set_busy_poll(int fd) {
    int result = set(fd, SOL_SOCKET, SO_PREFER_BUSY_POLL, 1);
    if (result == 0) {
        result = set(fd, SOL_SOCKET, SO_BUSY_POLL, BUSY_POLL_US);
    }
    return result == 0 ? set(fd, SOL_SOCKET, SO_BUSY_POLL_BUDGET, BUSY_POLL_PACKETS) : result;
}

static int register_umem(struct chimera_xdp_socket *socket) {
    size_t bytes = (size_t)socket->frames * socket->frame_bytes;
    uint8_t *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct xdp_umem_reg umem = {
            .addr = (uint64_t)(uintptr_t)memory,
            .len = bytes,
            .chunk_size = socket->frame_bytes,
    };
    if (memory == MAP_FAILED) {
        return -errno;
    }
    socket->umem = memory;
    (void)madvise(memory, bytes, MADV_HUGEPAGE); /* fewer TLB misses, if the kernel has huge pages available */
    return setsockopt(socket->fd, SOL_XDP, XDP_UMEM_REG, &umem, sizeof umem) == 0 ? 0 : -errno;
}

static int map_ring(
        struct chimera_xdp_ring *ring, int fd, const struct xdp_ring_offset *offsets, uint32_t entries,
        size_t entry_bytes, uint64_t page_offset) {
    size_t bytes = offsets->desc + entries * entry_bytes;
    uint8_t *map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, (off_t)page_offset);
    if (map == MAP_FAILED) {
        return -errno;
    }
    ring->map = map;
    ring->map_bytes = bytes;
    ring->producer = (uint32_t *)(void *)(map + offsets->producer);
    ring->consumer = (uint32_t *)(void *)(map + offsets->consumer);
    ring->flags = (uint32_t *)(void *)(map + offsets->flags);
    ring->entries = map + offsets->desc;
    ring->mask = entries - 1;
    return 0;
}

static int make_rings(struct chimera_xdp_socket *socket) {
    struct xdp_mmap_offsets offsets;
    socklen_t length = sizeof offsets;
    uint32_t frames = socket->frames;
    int fd = socket->fd;
    int result;
    if ((result = set(fd, SOL_XDP, XDP_UMEM_FILL_RING, frames)) != 0
        || (result = set(fd, SOL_XDP, XDP_UMEM_COMPLETION_RING, COMPLETION_ENTRIES)) != 0
        || (result = set(fd, SOL_XDP, XDP_RX_RING, frames)) != 0) {
        return result;
    }
    if (getsockopt(fd, SOL_XDP, XDP_MMAP_OFFSETS, &offsets, &length) != 0) {
        return -errno;
    }
    if (length != sizeof offsets) {
        return -EOPNOTSUPP; /* kernels before 5.4 have no flags in their rings */
    }
    result = map_ring(&socket->fill, fd, &offsets.fr, frames, sizeof(uint64_t), XDP_UMEM_PGOFF_FILL_RING);
    if (result != 0) {
        return result;
    }
    return map_ring(&socket->receive, fd, &offsets.rx, frames, sizeof(struct xdp_desc), XDP_PGOFF_RX_RING);
}

static int bind_queue(const struct chimera_xdp_socket *socket, int interface_index, uint32_t flags) {
    const struct timespec pause = {.tv_nsec = BIND_PAUSE_NS};
    struct sockaddr_xdp address = {
            .sxdp_family = AF_XDP,
            .sxdp_flags = (uint16_t)(XDP_USE_NEED_WAKEUP | (flags & CHIMERA_ZERO_COPY ? XDP_ZEROCOPY : XDP_COPY)),
            .sxdp_ifindex = (uint32_t)interface_index,
            .sxdp_queue_id = socket->queue,
    };
    for (int attempt = 1; bind(socket->fd, (const struct sockaddr *)&address, sizeof address) != 0; attempt++) {
        if (errno != EBUSY || attempt == BIND_ATTEMPTS) {
            return -errno;
        }
        nanosleep(&pause, NULL);
    }
    return 0;
}

int chimera_xdp_socket_open(struct chimera_xdp_socket *opened, int interface_index, uint32_t flags, const char **step) {
    int result;
    *step = "socket(AF_XDP)";
    opened->fd = socket(AF_XDP, SOCK_RAW | SOCK_CLOEXEC, 0);
    if (opened->fd < 0) {
        return -errno;
    }
    *step = "busy polling";
    if ((flags & CHIMERA_BUSY_POLL) != 0 && (result = set_busy_poll(opened->fd)) != 0) {
        return result;
    }
    *step = "registering the packet memory";
    if ((result = register_umem(opened)) != 0) {
        return result;
    }
    *step = "making the rings";
    if ((result = make_rings(opened)) != 0) {
        return result;
    }
    for (uint32_t frame = 0; frame < opened->frames; frame++) {
        offer_frame(opened, (uint64_t)frame * opened->frame_bytes);
    }
    publish(opened->fill.producer, opened->fill_next);
    *step = "binding to the receive queue";
    return bind_queue(opened, interface_index, flags);
}

static void unmap_ring(struct chimera_xdp_ring *ring) {
    if (ring->map != NULL) {
        (void)munmap(ring->map, ring->map_bytes);
    }
}

void chimera_xdp_socket_close(struct chimera_xdp_socket *socket) {
    unmap_ring(&socket->receive);
    unmap_ring(&socket->fill);
    if (socket->fd >= 0) {
        (void)close(socket->fd);
    }
    if (socket->umem != NULL) {
        (void)munmap(socket->umem, (size_t)socket->frames * socket->frame_bytes);
    }
}
