/*
 * af_xdp: packets of an Ethernet interface through AF_XDP sockets, without a library. The capture has one socket
 * (chimera_xdp_socket.h) per served receive queue: the queue named in `eth0@2`, or a share of all queues. The sockets
 * of all captures on an interface share one XDP program (chimera_xdp_program.h).
 *
 * AF_XDP intercepts packets: they do not reach the kernel's network stack. The kernel provides no arrival time, so
 * packets carry the time at which their batch was taken from the ring.
 */
#include "chimera_capture.h"
#include "chimera_clock.h"
#include "chimera_filter.h"
#include "chimera_interface.h"
#include "chimera_link.h"
#include "chimera_xdp_program.h"
#include "chimera_xdp_socket.h"

#include <errno.h>
#include <net/if.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    OVERHEAD = CHIMERA_XDP_HEADROOM + 14 + 8, /* frame bytes beyond the MTU: Ethernet header with two VLAN tags */
    FRAME_SMALL = 2048,                       /* minimum of the kernel; room for the usual 1,500 bytes */
    FRAME_LARGE = 4096,                       /* maximum of the kernel: a page */
    FRAMES_MIN = 4096,                        /* nearly 3 ms at 1.5 M packets/s */
    FRAMES_MAX = 1 << 20,                     /* 2 GiB of small frames */
    PAUSE_NS_MAX = 1000 * 1000,
    PAUSE_NS_PER_FRAME = 50, /* at 2.5 M packets/s an eighth of the ring fills during the pause */
    SLICE_MS = 500,          /* maximum delay to detect a removed interface */
};

struct chimera_capture {
    struct chimera_interface interface;
    uint64_t netns;
    struct chimera_xdp_program *program;
    struct chimera_xdp_socket *sockets;
    struct pollfd *polls; /* one per socket, in the same order */
    uint32_t first_queue;
    uint32_t queue_step; /* queue distance between two sockets */
    uint32_t socket_count;
    uint32_t turn; /* next socket to serve */
    uint32_t frame_bytes;
    uint32_t frames; /* per UMEM, a power of two */
    uint32_t snap_length;
    int32_t pause_ns;
    int busy_poll;
    int promiscuous; /* descriptor, or -1 */
    struct chimera_filter filter;
    struct chimera_capture_counters counters;
    const char *failure;
};

static int release(chimera_capture *capture) {
    for (uint32_t i = 0; i < capture->socket_count; i++) {
        chimera_xdp_socket_release(&capture->sockets[i]);
    }
    return 0;
}

/* ---- receiving ---- */

static int take(chimera_capture *capture, struct chimera_xdp_socket *socket, struct chimera_packet *packets, int max) {
    uint32_t waiting = chimera_xdp_waiting(socket);
    uint32_t count = waiting < (uint32_t)max ? waiting : (uint32_t)max;
    uint32_t snap_length = capture->snap_length;
    uint64_t bytes = 0;
    uint64_t truncated = 0;
    int taken = 0;
    if (count == 0) {
        return 0;
    }
    int64_t now = chimera_clock_ns(CLOCK_REALTIME);
    for (uint32_t i = 0; i < count; i++) {
        const struct xdp_desc *from = chimera_xdp_descriptor(socket, i);
        struct chimera_packet *packet = &packets[taken];
        uint32_t length = from->len;
        packet->address = (uint64_t)(uintptr_t)socket->umem + from->addr;
        packet->timestamp_ns = now;
        packet->captured = length < snap_length ? length : snap_length;
        packet->length = length;
        packet->slot = (uint32_t)from->addr;
        packet->vlan_tci = 0;
        packet->vlan_tpid = 0;
        if (chimera_filter_takes(&capture->filter, (const void *)(uintptr_t)packet->address, length, length)) {
            taken++;
            bytes += length;
            truncated += length > snap_length;
        }
    }
    socket->pending = count;
    capture->counters.received += (uint32_t)taken;
    capture->counters.bytes += bytes;
    capture->counters.truncated += truncated;
    return taken;
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

static int gone(chimera_capture *capture) {
    capture->failure = "the interface of an af_xdp capture is gone; open the capture again when it is back";
    return -ENODEV;
}

static int wake(chimera_capture *capture) {
    for (uint32_t i = 0; i < capture->socket_count; i++) {
        int result = chimera_xdp_socket_wake(&capture->sockets[i]);
        if (result != 0) {
            return result == -ENXIO ? gone(capture) : result;
        }
    }
    return 0;
}

/*
 * Waits for packets; poll() also lets drivers make progress. poll() does not report a removed interface, hence the time
 * slices. poll() also returns at the first packet; the pause before poll() lets packets accumulate, so that a stream of
 * packets costs one thread switch per thousand packets instead of one per few packets.
 */
static int wait(chimera_capture *capture, int timeout_ms) {
    const struct timespec pause = {.tv_nsec = capture->pause_ns};
    (void)nanosleep(&pause, NULL);
    for (uint32_t i = 0; i < capture->socket_count; i++) {
        if (chimera_xdp_waiting(&capture->sockets[i]) != 0) {
            return 0;
        }
    }
    int slice_ms = timeout_ms < 0 || timeout_ms > SLICE_MS ? SLICE_MS : timeout_ms;
    int ready;
    do {
        ready = poll(capture->polls, capture->socket_count, slice_ms);
    } while (ready < 0 && errno == EINTR);
    if (ready < 0) {
        return -errno;
    }
    for (uint32_t i = 0; i < capture->socket_count; i++) {
        if ((capture->polls[i].revents & POLLIN) != 0) {
            return 0;
        }
    }
    return wake(capture);
}

static int receive(chimera_capture *capture, struct chimera_packet *packets, int max, int timeout_ms) {
    struct chimera_turns turns = {.timeout_ms = timeout_ms};
    for (;;) {
        release(capture); /* the last batch, or packets rejected by the filter */
        int result = take_in_turn(capture, packets, max);
        if (result > 0) {
            return result;
        }
        int left_ms;
        if (!chimera_turns_next(&turns, &left_ms)) {
            return 0;
        }
        result = capture->busy_poll || timeout_ms == 0 ? wake(capture) : wait(capture, left_ms);
        if (result < 0) {
            return result;
        }
    }
}

/* ---- counters ---- */

static int counters(chimera_capture *capture, struct chimera_capture_counters *into) {
    struct xdp_statistics statistics;
    capture->counters.dropped_ring = 0;
    capture->counters.invalid = 0;
    for (uint32_t i = 0; i < capture->socket_count; i++) {
        socklen_t length = sizeof statistics;
        memset(&statistics, 0, sizeof statistics);
        if (getsockopt(capture->sockets[i].fd, SOL_XDP, XDP_STATISTICS, &statistics, &length) != 0) {
            return -errno;
        }
        /* The count of empty fill rings is not added: in copy mode it counts packets of rx_dropped a second time. */
        capture->counters.dropped_ring += statistics.rx_dropped + statistics.rx_ring_full;
        capture->counters.invalid += statistics.rx_invalid_descs;
    }
    capture->counters.dropped_interface = chimera_interface_dropped(&capture->interface);
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

static void close_capture(chimera_capture *capture) {
    for (uint32_t i = 0; capture->sockets != NULL && i < capture->socket_count; i++) {
        chimera_xdp_socket_close(&capture->sockets[i]);
    }
    if (capture->program != NULL) {
        chimera_xdp_program_release(capture->program);
    }
    if (capture->promiscuous >= 0) {
        close(capture->promiscuous);
    }
    chimera_filter_close(&capture->filter);
    chimera_interface_close(&capture->interface);
    free(capture->sockets);
    free(capture->polls);
    free(capture);
}

static const char *remedy(int number, uint32_t flags) {
    switch (number) {
        case EPERM:
        case EACCES:
            return "run as root, or grant CAP_NET_RAW, CAP_NET_ADMIN and CAP_BPF";
        case EBUSY:
            return "another capture or program holds the queue or XDP on the interface (see ip link show): end it";
        case ENOMEM:
        case ENOBUFS:
            return "make the ring smaller";
        case EOPNOTSUPP:
            return flags & CHIMERA_ZERO_COPY ? "the driver lacks zero-copy support: omit the option"
                                             : "the driver or the kernel refuses XDP: use tpacket";
        case EINVAL:
        case ERANGE:
            return "the driver refuses XDP with its present settings (MTU, LRO, channels; the kernel's log may say "
                   "why): change them or use tpacket";
        default:
            return "use tpacket where AF_XDP is unavailable";
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

/*
 * Chooses the receive queues of this capture: the queue after the @ of `eth0@2`, or a share of all queues. Removes the
 * @ part from the name. Returns 0, or -EINVAL and an error message.
 */
static int choose_queues(
        chimera_capture *capture, const struct chimera_capture_options *options, uint32_t present, const char *only,
        char *error, size_t capacity) {
    uint32_t captures = options->queues == 0 ? 1 : options->queues;
    if (only != NULL) {
        char *end;
        unsigned long queue = strtoul(only, &end, 10);
        if (*only < '0' || *only > '9' || *end != '\0' || queue >= present) {
            return chimera_fail(
                    error, capacity, EINVAL,
                    "af_xdp:%s: the @ must be followed by a receive queue of the interface, 0 to %u", options->target,
                    present - 1);
        }
        capture->first_queue = (uint32_t)queue;
        capture->queue_step = 1;
        capture->socket_count = 1;
        return 0;
    }
    if (options->queue >= captures || options->queue >= present) {
        return chimera_fail(
                error, capacity, EINVAL,
                "af_xdp:%s: share %u of %u does not exist with %u receive queues: open fewer captures, or "
                "give the interface more queues (ethtool -L)",
                options->target, options->queue, captures, present);
    }
    capture->first_queue = options->queue;
    capture->queue_step = captures;
    capture->socket_count = (present - options->queue + captures - 1) / captures;
    return 0;
}

/* Checks interface and options against the limits of AF_XDP. Returns 0, or -errno and an error message. */
static int plan(chimera_capture *capture, const struct chimera_capture_options *options, char *error, size_t capacity) {
    const char *at = strrchr(options->target, '@');
    size_t length = at == NULL ? strlen(options->target) : (size_t)(at - options->target);
    struct chimera_link link;
    char name[IF_NAMESIZE];
    if (length >= sizeof name) {
        length = sizeof name - 1; /* no interface has a name of this length, so the lookup fails */
    }
    memcpy(name, options->target, length);
    name[length] = '\0';
    int result = chimera_interface_open(&capture->interface, name, error, capacity);
    if (result != 0) {
        return result;
    }
    if ((result = chimera_link_find(name, &link)) != 0) {
        return chimera_fail(error, capacity, -result, "af_xdp:%s: %s", name, strerror(-result));
    }
    capture->netns = link.netns;
    uint32_t frame_bytes = link.mtu + OVERHEAD;
    if (frame_bytes > FRAME_LARGE) {
        return chimera_fail(
                error, capacity, EMSGSIZE,
                "af_xdp:%s: packets of MTU %u do not fit a frame of %d bytes: lower the MTU to %d or use tpacket", name,
                link.mtu, FRAME_LARGE, FRAME_LARGE - OVERHEAD);
    }
    capture->frame_bytes = frame_bytes > FRAME_SMALL ? FRAME_LARGE : FRAME_SMALL;
    uint32_t present = link.queues < CHIMERA_XDP_QUEUES_MAX ? link.queues : CHIMERA_XDP_QUEUES_MAX;
    result = choose_queues(capture, options, present, at == NULL ? NULL : at + 1, error, capacity);
    if (result != 0) {
        return result;
    }
    capture->frames = frames_of(options->ring_bytes, capture->socket_count, capture->frame_bytes);
    capture->pause_ns = PAUSE_NS_MAX / PAUSE_NS_PER_FRAME < capture->frames
            ? PAUSE_NS_MAX
            : (int32_t)capture->frames * PAUSE_NS_PER_FRAME;
    capture->snap_length = options->snap_length == 0 ? UINT32_MAX : options->snap_length;
    capture->busy_poll = (options->flags & CHIMERA_BUSY_POLL) != 0;
    return 0;
}

static int open_sockets(chimera_capture *capture, const struct chimera_capture_options *options, const char **step) {
    *step = "allocating";
    capture->sockets = calloc(capture->socket_count, sizeof *capture->sockets);
    capture->polls = calloc(capture->socket_count, sizeof *capture->polls);
    if (capture->sockets == NULL || capture->polls == NULL) {
        return -ENOMEM;
    }
    for (uint32_t i = 0; i < capture->socket_count; i++) {
        struct chimera_xdp_socket *socket = &capture->sockets[i];
        socket->fd = -1;
        socket->frames = capture->frames;
        socket->frame_bytes = capture->frame_bytes;
        socket->queue = capture->first_queue + i * capture->queue_step;
    }
    for (uint32_t i = 0; i < capture->socket_count; i++) {
        struct chimera_xdp_socket *socket = &capture->sockets[i];
        int result = chimera_xdp_socket_open(socket, capture->interface.index, options->flags, step);
        if (result != 0) {
            return result;
        }
        *step = "redirecting the receive queue";
        result = chimera_xdp_program_redirect(capture->program, socket->queue, socket->fd);
        if (result != 0) {
            return result;
        }
        capture->polls[i].fd = socket->fd;
        capture->polls[i].events = POLLIN;
    }
    return 0;
}

static int start(chimera_capture *capture, const struct chimera_capture_options *options, const char **step) {
    const struct rlimit unlimited = {RLIM_INFINITY, RLIM_INFINITY};
    int result;
    /* Kernels before 5.11 charge maps to this limit. A failure to raise the limit is not an error. */
    (void)setrlimit(RLIMIT_MEMLOCK, &unlimited);
    *step = "attaching the XDP program";
    result = chimera_xdp_program_acquire(capture->interface.index, capture->netns, &capture->program);
    if (result != 0) {
        return result;
    }
    if ((result = open_sockets(capture, options, step)) != 0) {
        return result;
    }
    *step = "promiscuous mode";
    if (options->flags & CHIMERA_PROMISCUOUS) {
        capture->promiscuous = chimera_link_promiscuous(capture->interface.index);
        if (capture->promiscuous < 0) {
            return capture->promiscuous;
        }
    }
    return 0;
}

static int open_capture(
        const struct chimera_capture_options *options, chimera_capture **opened, char *error, size_t capacity) {
    const char *step = "allocating";
    chimera_capture *capture = calloc(1, sizeof *capture);
    if (capture == NULL) {
        return chimera_fail(error, capacity, ENOMEM, "af_xdp:%s: no memory", options->target);
    }
    capture->promiscuous = -1;
    capture->interface.netlink = -1;
    int result = plan(capture, options, error, capacity);
    if (result == 0) {
        result = chimera_filter_open(&capture->filter, options, link_type(capture), error, capacity);
    }
    if (result != 0) {
        goto fail;
    }
    result = start(capture, options, &step);
    if (result != 0) {
        chimera_fail(
                error, capacity, -result, "af_xdp:%s: %s: %s: %s", options->target, step, strerror(-result),
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
                cause, capacity, number,
                number == EAFNOSUPPORT
                        ? "the kernel has no AF_XDP (built without XDP_SOCKETS, or before 4.18): use tpacket"
                        : "this process may not open AF_XDP sockets: run as root, or grant CAP_NET_RAW");
        return 0;
    }
    close(fd);
    fd = chimera_xdp_map_create(1);
    if (fd < 0) {
        chimera_fail(
                cause, capacity, -fd,
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
