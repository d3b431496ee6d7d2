/*
 * af_xdp: packets of an Ethernet interface by AF_XDP sockets, without a library. One socket per receive queue; a capture
 * of `queues` captures serves the queues whose number modulo `queues` is its own `queue`.
 *
 *   UMEM of a socket (frames of 2 or 4 KiB)           fill ring (frames that the kernel may fill)
 *   +--------+--------+--------+--------+-------+     producer: this capture, at release()
 *   | frame  | frame  | frame  | frame  |  ...  |     consumer: the kernel
 *   +--------+--------+--------+--------+-------+
 *                                                     receive ring (frames with a packet)
 *                                                     producer: the kernel
 *              [consumer ............ producer)       consumer: this capture, at release()
 *               handed out | waiting
 *
 * A frame is the kernel's from its entry in the fill ring until its descriptor in the receive ring; ours until release().
 * What is handed out stays in the receive ring: release() reads the addresses there, so it needs no list of its own. Both
 * rings have room for every frame of the UMEM, so the receive ring cannot be full; a packet that finds no frame is lost
 * and counted by the socket.
 *
 * AF_XDP takes the packets: they do not reach the kernel's stack. The kernel gives no time of arrival, so a batch carries
 * the time at which it was taken from the ring.
 */
#include "chimera_capture.h"
#include "chimera_interface.h"
#include "chimera_xdp_program.h"

#include <errno.h>
#include <linux/if_xdp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#ifndef SO_PREFER_BUSY_POLL
#define SO_PREFER_BUSY_POLL 69
#define SO_BUSY_POLL_BUDGET 70
#endif

enum {
    HEADROOM = 256,        /* what the kernel keeps free before each packet */
    LINK_HEADER = 14 + 8,  /* Ethernet with two VLAN tags */
    FRAME_SMALL = 2048,    /* the least that the kernel takes; room for the usual 1,500 bytes */
    FRAME_LARGE = 4096,    /* a page, the most */
    FRAMES_MIN = 4096,     /* at 1.5 M packets/s nearly 3 ms */
    FRAMES_MAX = 1 << 20,  /* 2 GiB of small frames */
    COMPLETION_ENTRIES = 64, /* we send nothing, but a UMEM must have the ring */
    BUSY_POLL_US = 20,
    BUSY_POLL_PACKETS = 64, /* what one busy poll takes from the driver */
    BIND_ATTEMPTS = 100,    /* the kernel frees the queue of a closed socket a little later; 1 s in all */
    BIND_PAUSE_NS = 10 * 1000 * 1000,
};

/* A ring shared with the kernel: indices run freely, the mask makes them entries. */
struct ring {
    uint32_t *producer;
    uint32_t *consumer;
    uint32_t *flags;
    void *entries;
    uint32_t mask;
    void *map;
    size_t map_bytes;
};

struct xdp_socket {
    int fd;
    uint32_t queue;
    uint8_t *umem;
    struct ring fill;
    struct ring receive;
    uint32_t fill_next;    /* our producer index */
    uint32_t receive_next; /* our consumer index: the first descriptor that is handed out or waits */
    uint32_t pending;      /* descriptors from there on that are handed out */
};

struct chimera_capture {
    struct chimera_interface interface;
    struct chimera_xdp_program *program;
    struct xdp_socket *sockets;
    struct pollfd *polls; /* one per socket, in the same order */
    uint32_t socket_count;
    uint32_t turn; /* the socket that is served first next time */
    uint32_t frame_bytes;
    uint32_t frames; /* of each UMEM, a power of two */
    uint32_t snap_length;
    int busy_poll;
    int promiscuous; /* descriptor, or -1 */
    int statistics;  /* descriptor, or -1 */
    uint64_t dropped_at_open;
    struct chimera_capture_counters counters;
    const char *failure;
};

/* ---- rings ---- */

static uint32_t load_index(const uint32_t *index) {
    return __atomic_load_n(index, __ATOMIC_ACQUIRE);
}

static void publish_index(uint32_t *index, uint32_t value) {
    __atomic_store_n(index, value, __ATOMIC_RELEASE);
}

static const struct xdp_desc *descriptor(const struct xdp_socket *socket, uint32_t index) {
    return (const struct xdp_desc *)socket->receive.entries + (index & socket->receive.mask);
}

static void fill(struct xdp_socket *socket, uint64_t address) {
    ((uint64_t *)socket->fill.entries)[socket->fill_next++ & socket->fill.mask] = address;
}

static void release_socket(struct xdp_socket *socket, uint64_t frame_mask) {
    uint32_t end = socket->receive_next + socket->pending;
    for (uint32_t index = socket->receive_next; index != end; index++) {
        fill(socket, descriptor(socket, index)->addr & frame_mask);
    }
    publish_index(socket->fill.producer, socket->fill_next);
    publish_index(socket->receive.consumer, end);
    socket->receive_next = end;
    socket->pending = 0;
}

static int release(chimera_capture *capture) {
    uint64_t frame_mask = ~(uint64_t)(capture->frame_bytes - 1);
    for (uint32_t i = 0; i < capture->socket_count; i++) {
        if (capture->sockets[i].pending != 0) {
            release_socket(&capture->sockets[i], frame_mask);
        }
    }
    return 0;
}

/* ---- receiving ---- */

static int64_t clock_ns(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static int take(chimera_capture *capture, struct xdp_socket *socket, struct chimera_packet *packets, int max) {
    uint32_t waiting = load_index(socket->receive.producer) - socket->receive_next;
    uint32_t count = waiting < (uint32_t)max ? waiting : (uint32_t)max;
    uint32_t snap_length = capture->snap_length;
    uint64_t bytes = 0;
    uint64_t truncated = 0;
    if (count == 0) {
        return 0;
    }
    int64_t now = clock_ns(CLOCK_REALTIME);
    for (uint32_t i = 0; i < count; i++) {
        const struct xdp_desc *from = descriptor(socket, socket->receive_next + i);
        struct chimera_packet *packet = &packets[i];
        uint32_t length = from->len;
        packet->address = (uint64_t)(uintptr_t)socket->umem + from->addr;
        packet->timestamp_ns = now;
        packet->captured = length < snap_length ? length : snap_length;
        packet->length = length;
        packet->slot = (uint32_t)(from->addr / capture->frame_bytes);
        packet->vlan_tci = 0;
        packet->vlan_tpid = 0;
        bytes += length;
        truncated += length > snap_length;
    }
    socket->pending = count;
    capture->counters.received += count;
    capture->counters.bytes += bytes;
    capture->counters.truncated += truncated;
    return (int)count;
}

static int take_in_turn(chimera_capture *capture, struct chimera_packet *packets, int max) {
    uint32_t at = capture->turn;
    int taken = 0;
    capture->turn = at + 1 == capture->socket_count ? 0 : at + 1;
    for (uint32_t i = 0; i < capture->socket_count && taken < max; i++) {
        taken += take(capture, &capture->sockets[at], packets + taken, max - taken);
        at = at + 1 == capture->socket_count ? 0 : at + 1;
    }
    return taken;
}

/* Lets the driver go on: where it asked for it, and always when this thread polls the device instead of an interrupt. */
static int wake(chimera_capture *capture) {
    for (uint32_t i = 0; i < capture->socket_count; i++) {
        struct xdp_socket *socket = &capture->sockets[i];
        uint32_t flags = __atomic_load_n(socket->fill.flags, __ATOMIC_RELAXED);
        if (!capture->busy_poll && (flags & XDP_RING_NEED_WAKEUP) == 0) {
            continue;
        }
        ssize_t result;
        do {
            result = recvfrom(socket->fd, NULL, 0, MSG_DONTWAIT, NULL, NULL);
        } while (result < 0 && errno == EINTR);
        /* Nothing there, the driver busy, and an interface that is down all pass by themselves. */
        if (result < 0 && errno != EAGAIN && errno != EBUSY && errno != ENOBUFS && errno != ENETDOWN) {
            return -errno;
        }
    }
    return 0;
}

static int gone(chimera_capture *capture) {
    capture->failure = "the interface of an af_xdp capture is gone; open the capture again when it is back";
    return -ENETDOWN;
}

static int wait(chimera_capture *capture, int timeout_ms) {
    int ready;
    do {
        ready = poll(capture->polls, capture->socket_count, timeout_ms);
    } while (ready < 0 && errno == EINTR);
    if (ready < 0) {
        return -errno;
    }
    for (uint32_t i = 0; ready > 0 && i < capture->socket_count; i++) {
        if ((capture->polls[i].revents & (POLLERR | POLLHUP | POLLNVAL)) != 0) {
            return gone(capture);
        }
    }
    return 0;
}

/* Asks the driver again and again until the time is over: this thread is the one that runs it. */
static int spin(chimera_capture *capture, struct chimera_packet *packets, int max, int timeout_ms) {
    int64_t end = clock_ns(CLOCK_MONOTONIC) + (int64_t)timeout_ms * 1000000;
    int result;
    do {
        result = wake(capture);
        if (result == 0) {
            result = take_in_turn(capture, packets, max);
        }
    } while (result == 0 && (timeout_ms < 0 || clock_ns(CLOCK_MONOTONIC) < end));
    return result;
}

static int receive(chimera_capture *capture, struct chimera_packet *packets, int max, int timeout_ms) {
    release(capture);
    int taken = take_in_turn(capture, packets, max);
    if (taken > 0) {
        return taken;
    }
    if (capture->busy_poll || timeout_ms == 0) {
        return spin(capture, packets, max, timeout_ms);
    }
    int result = wait(capture, timeout_ms);
    return result < 0 ? result : take_in_turn(capture, packets, max);
}

/* ---- counters ---- */

static int counters(chimera_capture *capture, struct chimera_capture_counters *into) {
    struct xdp_statistics statistics;
    uint64_t dropped;
    capture->counters.dropped_ring = 0;
    capture->counters.invalid = 0;
    for (uint32_t i = 0; i < capture->socket_count; i++) {
        socklen_t length = sizeof statistics;
        memset(&statistics, 0, sizeof statistics);
        if (getsockopt(capture->sockets[i].fd, SOL_XDP, XDP_STATISTICS, &statistics, &length) != 0) {
            return -errno;
        }
        /* An empty fill ring is counted beside these: in copy mode once more for a packet that rx_dropped has. */
        capture->counters.dropped_ring += statistics.rx_dropped + statistics.rx_ring_full;
        capture->counters.invalid += statistics.rx_invalid_descs;
    }
    /* An interface that is gone keeps its last figure. */
    if (chimera_interface_dropped(capture->statistics, capture->interface.index, &dropped) == 0) {
        capture->counters.dropped_interface = dropped - capture->dropped_at_open;
    }
    *into = capture->counters;
    return 0;
}

static int link_type(chimera_capture *capture) {
    return capture->interface.link_type;
}

static const char *failure(chimera_capture *capture) {
    return capture->failure;
}

/* ---- opening ---- */

static void close_ring(struct ring *ring) {
    if (ring->map != NULL) {
        munmap(ring->map, ring->map_bytes);
    }
}

static void close_socket(struct xdp_socket *socket, size_t umem_bytes) {
    close_ring(&socket->receive);
    close_ring(&socket->fill);
    if (socket->fd >= 0) {
        close(socket->fd);
    }
    if (socket->umem != NULL) {
        munmap(socket->umem, umem_bytes);
    }
}

static void close_capture(chimera_capture *capture) {
    size_t umem_bytes = (size_t)capture->frames * capture->frame_bytes;
    for (uint32_t i = 0; capture->sockets != NULL && i < capture->socket_count; i++) {
        close_socket(&capture->sockets[i], umem_bytes);
    }
    if (capture->program != NULL) {
        chimera_xdp_program_release(capture->program);
    }
    if (capture->promiscuous >= 0) {
        close(capture->promiscuous);
    }
    if (capture->statistics >= 0) {
        close(capture->statistics);
    }
    free(capture->sockets);
    free(capture->polls);
    free(capture);
}

static int map_ring(
        struct ring *ring,
        int fd,
        const struct xdp_ring_offset *offsets,
        uint32_t entries,
        size_t entry_bytes,
        uint64_t page_offset) {
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

static int set(int fd, int level, int option, const void *value, socklen_t length) {
    return setsockopt(fd, level, option, value, length) == 0 ? 0 : -errno;
}

static int set_number(int fd, int level, int option, uint32_t value) {
    return set(fd, level, option, &value, sizeof value);
}

static int busy_poll(int fd) {
    int result = set_number(fd, SOL_SOCKET, SO_PREFER_BUSY_POLL, 1);
    if (result == 0) {
        result = set_number(fd, SOL_SOCKET, SO_BUSY_POLL, BUSY_POLL_US);
    }
    return result == 0 ? set_number(fd, SOL_SOCKET, SO_BUSY_POLL_BUDGET, BUSY_POLL_PACKETS) : result;
}

static int register_umem(struct xdp_socket *socket, uint32_t frames, uint32_t frame_bytes) {
    struct xdp_umem_reg umem;
    size_t bytes = (size_t)frames * frame_bytes;
    uint8_t *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        return -errno;
    }
    socket->umem = memory;
    (void)madvise(memory, bytes, MADV_HUGEPAGE); /* fewer misses where the kernel has huge pages to spare */
    memset(&umem, 0, sizeof umem);
    umem.addr = (uint64_t)(uintptr_t)memory;
    umem.len = bytes;
    umem.chunk_size = frame_bytes;
    return set(socket->fd, SOL_XDP, XDP_UMEM_REG, &umem, sizeof umem);
}

static int map_rings(struct xdp_socket *socket, uint32_t frames) {
    struct xdp_mmap_offsets offsets;
    socklen_t length = sizeof offsets;
    int result;
    if ((result = set_number(socket->fd, SOL_XDP, XDP_UMEM_FILL_RING, frames)) != 0
            || (result = set_number(socket->fd, SOL_XDP, XDP_UMEM_COMPLETION_RING, COMPLETION_ENTRIES)) != 0
            || (result = set_number(socket->fd, SOL_XDP, XDP_RX_RING, frames)) != 0) {
        return result;
    }
    if (getsockopt(socket->fd, SOL_XDP, XDP_MMAP_OFFSETS, &offsets, &length) != 0) {
        return -errno;
    }
    if (length != sizeof offsets) {
        return -EOPNOTSUPP; /* a kernel before 5.4, without need-wakeup */
    }
    result = map_ring(&socket->fill, socket->fd, &offsets.fr, frames, sizeof(uint64_t), XDP_UMEM_PGOFF_FILL_RING);
    return result != 0
            ? result
            : map_ring(
                      &socket->receive,
                      socket->fd,
                      &offsets.rx,
                      frames,
                      sizeof(struct xdp_desc),
                      XDP_PGOFF_RX_RING);
}

static int bind_queue(const struct xdp_socket *socket, int interface_index, uint32_t flags) {
    struct sockaddr_xdp address;
    const struct timespec pause = {.tv_nsec = BIND_PAUSE_NS};
    memset(&address, 0, sizeof address);
    address.sxdp_family = AF_XDP;
    address.sxdp_ifindex = (uint32_t)interface_index;
    address.sxdp_queue_id = socket->queue;
    address.sxdp_flags = (uint16_t)(XDP_USE_NEED_WAKEUP | (flags & CHIMERA_ZERO_COPY ? XDP_ZEROCOPY : XDP_COPY));
    for (int attempt = 1; bind(socket->fd, (const struct sockaddr *)&address, sizeof address) != 0; attempt++) {
        if (errno != EBUSY || attempt == BIND_ATTEMPTS) {
            return -errno;
        }
        nanosleep(&pause, NULL);
    }
    return 0;
}

/* Makes, binds and fills one socket. What it has made when it fails, close_socket takes away. */
static int open_socket(chimera_capture *capture, struct xdp_socket *socket_, uint32_t flags, const char **step) {
    int result;
    *step = "socket(AF_XDP)";
    socket_->fd = socket(AF_XDP, SOCK_RAW | SOCK_CLOEXEC, 0);
    if (socket_->fd < 0) {
        return -errno;
    }
    *step = "busy polling";
    if (capture->busy_poll && (result = busy_poll(socket_->fd)) != 0) {
        return result;
    }
    *step = "registering the packet memory";
    if ((result = register_umem(socket_, capture->frames, capture->frame_bytes)) != 0) {
        return result;
    }
    *step = "making the rings";
    if ((result = map_rings(socket_, capture->frames)) != 0) {
        return result;
    }
    for (uint32_t frame = 0; frame < capture->frames; frame++) {
        fill(socket_, (uint64_t)frame * capture->frame_bytes);
    }
    publish_index(socket_->fill.producer, socket_->fill_next);
    *step = "binding to the receive queue";
    if ((result = bind_queue(socket_, capture->interface.index, flags)) != 0) {
        return result;
    }
    *step = "redirecting the receive queue";
    return chimera_xdp_program_redirect(capture->program, socket_->queue, socket_->fd);
}

static const char *remedy(int number, uint32_t flags) {
    switch (number) {
        case EPERM:
        case EACCES:
            return "run as root, or grant CAP_NET_RAW, CAP_NET_ADMIN and CAP_BPF";
        case EBUSY:
            return "another capture or program holds the queue or XDP on the interface (ip link show, ss -l --xdp): end it";
        case ENOMEM:
        case ENOBUFS:
            return "make the ring smaller";
        case EOPNOTSUPP:
            return flags & CHIMERA_ZERO_COPY
                    ? "the driver offers no zero-copy: leave it off"
                    : "the driver or the kernel refuses XDP: use tpacket";
        case EINVAL:
        case ERANGE:
            return "the driver refuses XDP with its present settings (MTU, LRO, channels; the kernel's log may say why): "
                   "change them or use tpacket";
        default:
            return "use tpacket where AF_XDP cannot be had";
    }
}

static uint32_t frames_of(uint32_t ring_bytes, uint32_t sockets, uint32_t frame_bytes) {
    uint32_t wanted = ring_bytes / sockets / frame_bytes;
    uint32_t frames = FRAMES_MIN;
    while (frames < wanted && frames < FRAMES_MAX) {
        frames *= 2;
    }
    return frames;
}

/* Checks what the interface and the options are against what AF_XDP can do. */
static int plan(
        chimera_capture *capture, const struct chimera_capture_options *options, char *error, size_t capacity) {
    const char *target = options->target;
    struct chimera_interface *interface = &capture->interface;
    int result = chimera_interface_find(target, interface);
    uint32_t queues = options->queues == 0 ? 1 : options->queues;
    if (result != 0) {
        return chimera_fail(error, capacity, -result, "af_xdp:%s: %s", target, strerror(-result));
    }
    int frame_bytes = interface->mtu + LINK_HEADER + HEADROOM;
    if (frame_bytes > FRAME_LARGE) {
        return chimera_fail(
                error,
                capacity,
                EMSGSIZE,
                "af_xdp:%s: packets of MTU %d do not fit a frame of %d bytes: lower the MTU to %d or use tpacket",
                target,
                interface->mtu,
                FRAME_LARGE,
                FRAME_LARGE - HEADROOM - LINK_HEADER);
    }
    capture->frame_bytes = frame_bytes > FRAME_SMALL ? FRAME_LARGE : FRAME_SMALL;
    if (interface->queues > CHIMERA_XDP_QUEUES_MAX) {
        interface->queues = CHIMERA_XDP_QUEUES_MAX;
    }
    if (options->queue >= queues || options->queue >= interface->queues) {
        return chimera_fail(
                error,
                capacity,
                EINVAL,
                "af_xdp:%s: there is no queue %u for %u captures on %u receive queues: "
                "use fewer captures, or give the interface more queues (ethtool -L)",
                target,
                options->queue,
                queues,
                interface->queues);
    }
    capture->socket_count = (interface->queues - options->queue + queues - 1) / queues;
    capture->frames = frames_of(options->ring_bytes, capture->socket_count, capture->frame_bytes);
    capture->snap_length = options->snap_length == 0 ? UINT32_MAX : options->snap_length;
    capture->busy_poll = (options->flags & CHIMERA_BUSY_POLL) != 0;
    return 0;
}

static int open_sockets(chimera_capture *capture, const struct chimera_capture_options *options, const char **step) {
    uint32_t queues = options->queues == 0 ? 1 : options->queues;
    *step = "allocating";
    capture->sockets = calloc(capture->socket_count, sizeof *capture->sockets);
    capture->polls = calloc(capture->socket_count, sizeof *capture->polls);
    if (capture->sockets == NULL || capture->polls == NULL) {
        return -ENOMEM;
    }
    for (uint32_t i = 0; i < capture->socket_count; i++) {
        capture->sockets[i].fd = -1;
        capture->sockets[i].queue = options->queue + i * queues;
    }
    for (uint32_t i = 0; i < capture->socket_count; i++) {
        int result = open_socket(capture, &capture->sockets[i], options->flags, step);
        if (result != 0) {
            return result;
        }
        capture->polls[i].fd = capture->sockets[i].fd;
        capture->polls[i].events = POLLIN;
    }
    return 0;
}

static int start(chimera_capture *capture, const struct chimera_capture_options *options, const char **step) {
    const struct rlimit unlimited = {RLIM_INFINITY, RLIM_INFINITY};
    int result;
    /* Kernels before 5.11 charge maps to this limit. Where it may not be raised, going on is right all the same. */
    (void)setrlimit(RLIMIT_MEMLOCK, &unlimited);
    *step = "attaching the XDP program";
    result = chimera_xdp_program_acquire(capture->interface.index, capture->interface.netns, &capture->program);
    if (result != 0) {
        return result;
    }
    if ((result = open_sockets(capture, options, step)) != 0) {
        return result;
    }
    *step = "promiscuous mode";
    if (options->flags & CHIMERA_PROMISCUOUS) {
        capture->promiscuous = chimera_interface_promiscuous(capture->interface.index);
        if (capture->promiscuous < 0) {
            return capture->promiscuous;
        }
    }
    *step = "reading the interface's counters";
    capture->statistics = chimera_interface_statistics();
    return capture->statistics < 0
            ? capture->statistics
            : chimera_interface_dropped(capture->statistics, capture->interface.index, &capture->dropped_at_open);
}

static int open_capture(
        const struct chimera_capture_options *options, chimera_capture **opened, char *error, size_t capacity) {
    const char *step = "allocating";
    chimera_capture *capture = calloc(1, sizeof *capture);
    if (capture == NULL) {
        return chimera_fail(error, capacity, ENOMEM, "af_xdp:%s: no memory", options->target);
    }
    capture->promiscuous = -1;
    capture->statistics = -1;
    int result = plan(capture, options, error, capacity);
    if (result != 0) {
        goto fail;
    }
    result = start(capture, options, &step);
    if (result != 0) {
        chimera_fail(
                error,
                capacity,
                -result,
                "af_xdp:%s: %s: %s: %s",
                options->target,
                step,
                strerror(-result),
                remedy(-result, options->flags));
        goto fail;
    }
    *opened = capture;
    return 0;
fail:
    close_capture(capture);
    return result;
}

static int available(char *cause, size_t capacity) {
    int fd = socket(AF_XDP, SOCK_RAW | SOCK_CLOEXEC, 0);
    if (fd < 0) {
        int number = errno;
        chimera_fail(
                cause,
                capacity,
                number,
                number == EAFNOSUPPORT
                        ? "the kernel has no AF_XDP (built without XDP_SOCKETS, or before 4.18): use tpacket"
                        : "this process may not open AF_XDP sockets: run as root, or grant CAP_NET_RAW");
        return 0;
    }
    close(fd);
    fd = chimera_xdp_map_create(1);
    if (fd < 0) {
        chimera_fail(
                cause,
                capacity,
                -fd,
                fd == -ENOSYS ? "the kernel has no bpf(): use tpacket"
                              : "this process may not load an XDP program: run as root, or grant CAP_BPF and "
                                "CAP_NET_ADMIN");
        return 0;
    }
    close(fd);
    return 1;
}

const struct chimera_capture_ops chimera_xdp_ops = {
    .name = "af_xdp",
    .available = available,
    .open = open_capture,
    .receive = receive,
    .release = release,
    .counters = counters,
    .link_type = link_type,
    .close = close_capture,
    .failure = failure,
};
