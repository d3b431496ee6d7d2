/*
 * netmap: packets by /dev/netmap, without a copy (chimera_netmap_abi.h draws the memory). A capture serves the receive
 * rings of its port in turn. A packet in one slot is handed out where it lies; one in several slots is first gathered in
 * memory of our own:
 *
 *   gathered (fixed, filled from the start in each batch)
 *   +----------------+----------------+-------------------------+
 *   | packet of      | packet of      | room for at least one   |     no room: the batch ends early
 *   | several slots  | several slots  | more                    |
 *   +----------------+----------------+-------------------------+
 *
 * Slots are ours from the synchronisation that shows them until release(), which moves the ring's head over them; the
 * kernel sees that at the next synchronisation. Indices and lengths that the rings hold are checked before they are used.
 */
#include "chimera_capture.h"
#include "chimera_filter.h"
#include "chimera_interface.h"
#include "chimera_link.h"
#include "chimera_netmap_abi.h"
#include "chimera_netmap_port.h"
#include "chimera_netmap_system.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum {
    LINK_TYPE_ETHERNET = 1,
    GATHERED_PACKET_MAX = 65536,                /* of one packet; what is longer is cut */
    GATHERED_BYTES = 16 * GATHERED_PACKET_MAX,  /* 1 MiB: 16 of the longest, or 110 of 9,000 bytes, in a batch */
    DOWN_PAUSE_MS = 10,                         /* between two looks at a device that is down */
};

struct receive_ring {
    struct chimera_netmap_ring *shared;
    const uint8_t *buffers;
    uint64_t buffer_count; /* so many fit in the mapped memory */
    uint32_t buffer_bytes;
    uint32_t slots;
    uint32_t released;      /* what the shared head is */
    uint32_t next;          /* the first slot that is not handed out */
    bool mid_packet;        /* the packet that next belongs to is being left out */
    int64_t time_at_open_ns; /* a ring whose time is still this has no time */
};

struct chimera_capture {
    int fd;
    void *memory;
    size_t memory_bytes;
    struct receive_ring *rings;
    uint32_t ring_count;
    uint32_t turn;       /* the ring that is served first next time */
    uint32_t given_back; /* slots since the last synchronisation */
    uint32_t give_back_max;
    uint32_t snap_length;
    uint8_t *gathered;
    uint32_t gathered_bytes;
    bool busy_poll;
    bool is_device; /* a network interface is behind the port, as opposed to a pipe or a switch */
    int promiscuous; /* descriptor, or -1 */
    struct chimera_interface interface;
    struct chimera_filter filter;
    struct chimera_capture_counters counters;
    const char *failure;
};

/* ---- the system ---- */

static int real_open(const char *path) {
    return open(path, O_RDWR | O_CLOEXEC);
}

static int real_ioctl(int fd, unsigned long request, void *argument) {
    return ioctl(fd, request, argument);
}

static void *real_map(int fd, size_t bytes) {
    return mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
}

static const struct chimera_netmap_system real_system = {
    .open = real_open,
    .ioctl = real_ioctl,
    .map = real_map,
    .unmap = munmap,
    .poll = poll,
    .close = close,
};

const struct chimera_netmap_system *chimera_netmap_system = &real_system;

static int control(int fd, unsigned long request, void *argument) {
    int result;
    do {
        result = chimera_netmap_system->ioctl(fd, request, argument);
    } while (result < 0 && errno == EINTR);
    return result < 0 ? -errno : 0;
}

/* ---- receiving ---- */

static uint32_t following(const struct receive_ring *ring, uint32_t slot) {
    return slot + 1 == ring->slots ? 0 : slot + 1;
}

static uint32_t distance(const struct receive_ring *ring, uint32_t from, uint32_t to) {
    return to >= from ? to - from : to + ring->slots - from;
}

static int release(chimera_capture *capture) {
    for (uint32_t i = 0; i < capture->ring_count; i++) {
        struct receive_ring *ring = &capture->rings[i];
        capture->given_back += distance(ring, ring->released, ring->next);
        ring->released = ring->next;
        __atomic_store_n(&ring->shared->cur, ring->next, __ATOMIC_RELAXED);
        __atomic_store_n(&ring->shared->head, ring->next, __ATOMIC_RELEASE);
    }
    capture->gathered_bytes = 0;
    return 0;
}

static int64_t clock_ns(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static int64_t ring_time_ns(const struct chimera_netmap_ring *shared) {
    return shared->seconds * 1000000000 + shared->microseconds * 1000;
}

/* The slot as it is now: what is checked must be what is used. */
static struct chimera_netmap_slot slot_at(const struct receive_ring *ring, uint32_t number) {
    const volatile struct chimera_netmap_slot *shared = &ring->shared->slots[number];
    return (struct chimera_netmap_slot){.buf_idx = shared->buf_idx, .len = shared->len, .flags = shared->flags};
}

static bool is_valid(const struct receive_ring *ring, const struct chimera_netmap_slot *slot) {
    return slot->buf_idx < ring->buffer_count && slot->len != 0 && slot->len <= ring->buffer_bytes;
}

static const uint8_t *buffer(const struct receive_ring *ring, const struct chimera_netmap_slot *slot) {
    return ring->buffers + (uint64_t)slot->buf_idx * ring->buffer_bytes;
}

enum outcome { TAKEN, LEFT_OUT, INCOMPLETE, NO_ROOM };

static enum outcome take_single(
        chimera_capture *capture,
        struct receive_ring *ring,
        const struct chimera_netmap_slot *slot,
        struct chimera_packet *packet) {
    ring->next = following(ring, ring->next);
    if (!is_valid(ring, slot)) {
        capture->counters.invalid++;
        return LEFT_OUT;
    }
    packet->address = (uint64_t)(uintptr_t)buffer(ring, slot);
    packet->captured = slot->len;
    packet->length = slot->len;
    return TAKEN;
}

/* Gathers the packet whose first slot has a successor. */
static enum outcome take_gathered(
        chimera_capture *capture, struct receive_ring *ring, uint32_t tail, struct chimera_packet *packet) {
    uint8_t *to = capture->gathered + capture->gathered_bytes;
    uint32_t room = capture->snap_length < GATHERED_PACKET_MAX ? capture->snap_length : GATHERED_PACKET_MAX;
    uint32_t captured = 0;
    uint32_t length = 0;
    bool valid = true;
    bool more = true;
    uint32_t number = ring->next;
    if (capture->gathered_bytes + room > GATHERED_BYTES) {
        return NO_ROOM;
    }
    while (more && number != tail) {
        struct chimera_netmap_slot slot = slot_at(ring, number);
        number = following(ring, number);
        more = (slot.flags & CHIMERA_NETMAP_MOREFRAG) != 0;
        valid = valid && is_valid(ring, &slot);
        if (valid) {
            uint32_t copied = slot.len < room - captured ? slot.len : room - captured;
            memcpy(to + captured, buffer(ring, &slot), copied);
            captured += copied;
            length += slot.len;
        }
    }
    /* A packet that fills the whole ring can never become complete. */
    if (more && distance(ring, ring->released, tail) < ring->slots - 1) {
        return INCOMPLETE;
    }
    if (more && ring->released != ring->next) {
        return INCOMPLETE; /* with what is handed out given back there is room for the rest */
    }
    ring->next = number;
    ring->mid_packet = more;
    if (more || !valid) {
        capture->counters.invalid++;
        return LEFT_OUT;
    }
    packet->address = (uint64_t)(uintptr_t)to;
    packet->captured = captured;
    packet->length = length;
    return TAKEN;
}

/* Completes and counts a packet; false where nobody wants it. */
static bool accept(chimera_capture *capture, struct chimera_packet *packet, uint32_t slot, int64_t time_ns) {
    const void *frame = (const void *)(uintptr_t)packet->address;
    if (!chimera_filter_takes(&capture->filter, frame, packet->captured, packet->length)) {
        return false;
    }
    packet->captured = packet->captured < capture->snap_length ? packet->captured : capture->snap_length;
    packet->timestamp_ns = time_ns;
    packet->slot = slot;
    packet->vlan_tci = 0;
    packet->vlan_tpid = 0;
    capture->counters.received++;
    capture->counters.bytes += packet->length;
    capture->counters.truncated += packet->captured < packet->length;
    return true;
}

static int take(chimera_capture *capture, struct receive_ring *ring, struct chimera_packet *packets, int max) {
    uint32_t tail = __atomic_load_n(&ring->shared->tail, __ATOMIC_ACQUIRE);
    int64_t time_ns = 0;
    int taken = 0;
    if (tail >= ring->slots) {
        capture->counters.invalid++;
        return 0;
    }
    if (tail != ring->next) {
        time_ns = ring_time_ns(ring->shared);
        if (time_ns == ring->time_at_open_ns) {
            time_ns = clock_ns(CLOCK_REALTIME);
        }
    }
    while (ring->next != tail && taken < max) {
        uint32_t number = ring->next;
        struct chimera_netmap_slot slot = slot_at(ring, number);
        struct chimera_packet *packet = &packets[taken];
        bool more = (slot.flags & CHIMERA_NETMAP_MOREFRAG) != 0;
        if (ring->mid_packet) {
            ring->mid_packet = more;
            ring->next = following(ring, number);
            continue;
        }
        enum outcome outcome =
                more ? take_gathered(capture, ring, tail, packet) : take_single(capture, ring, &slot, packet);
        if (outcome == INCOMPLETE) {
            /* poll() shall wait until there is more than this. */
            __atomic_store_n(&ring->shared->cur, tail, __ATOMIC_RELAXED);
        }
        if (outcome == INCOMPLETE || outcome == NO_ROOM) {
            break;
        }
        if (outcome == TAKEN && accept(capture, packet, number, time_ns)) {
            capture->gathered_bytes += more ? packet->captured : 0;
            taken++;
        }
    }
    return taken;
}

static int take_in_turn(chimera_capture *capture, struct chimera_packet *packets, int max) {
    uint32_t at = capture->turn;
    int taken = 0;
    capture->turn = at + 1 == capture->ring_count ? 0 : at + 1;
    for (uint32_t i = 0; i < capture->ring_count && taken < max; i++) {
        taken += take(capture, &capture->rings[at], packets + taken, max - taken);
        at = at + 1 == capture->ring_count ? 0 : at + 1;
    }
    return taken;
}

/* The port reports an error: a device that is down comes back by itself, anything else does not. */
static int broken(chimera_capture *capture, int number) {
    if (capture->is_device && chimera_interface_exists(&capture->interface)) {
        return 0;
    }
    capture->failure = "the netmap port is gone; open the capture again when it is back";
    return -number;
}

static int synchronise(chimera_capture *capture) {
    int result = control(capture->fd, CHIMERA_NETMAP_RX_SYNC, NULL);
    capture->given_back = 0;
    return result == 0 ? 0 : broken(capture, -result);
}

static int wait(chimera_capture *capture, int timeout_ms) {
    struct pollfd readable = {.fd = capture->fd, .events = POLLIN};
    int ready;
    do {
        ready = chimera_netmap_system->poll(&readable, 1, timeout_ms);
    } while (ready < 0 && errno == EINTR);
    if (ready < 0) {
        return -errno;
    }
    capture->given_back = 0;
    if ((readable.revents & (POLLERR | POLLHUP | POLLNVAL)) == 0) {
        return 0;
    }
    int result = broken(capture, ENODEV);
    if (result == 0) {
        /* poll() does not wait on a device that is down. */
        (void)chimera_netmap_system->poll(
                NULL, 0, timeout_ms < 0 || timeout_ms > DOWN_PAUSE_MS ? DOWN_PAUSE_MS : timeout_ms);
    }
    return result;
}

static int receive(chimera_capture *capture, struct chimera_packet *packets, int max, int timeout_ms) {
    int64_t end = 0;
    for (bool first = true;; first = false) {
        release(capture); /* the last batch, or slots that were left out */
        int result = capture->given_back >= capture->give_back_max ? synchronise(capture) : 0;
        if (result == 0) {
            result = take_in_turn(capture, packets, max);
        }
        if (result != 0) {
            return result;
        }
        int64_t now = timeout_ms > 0 ? clock_ns(CLOCK_MONOTONIC) : 0;
        if (first) {
            end = now + (int64_t)timeout_ms * 1000000;
        } else if (timeout_ms >= 0 && now >= end) {
            return 0;
        }
        int left_ms = timeout_ms < 0 ? -1 : (int)((end - now + 999999) / 1000000);
        result = capture->busy_poll || timeout_ms == 0 ? synchronise(capture) : wait(capture, left_ms);
        if (result < 0) {
            return result;
        }
    }
}

static int counters(chimera_capture *capture, struct chimera_capture_counters *into) {
    if (capture->is_device) {
        capture->counters.dropped_interface = chimera_interface_dropped(&capture->interface);
    }
    *into = capture->counters; /* netmap counts nothing for a full ring: the device does */
    return 0;
}

static int link_type(chimera_capture *capture) {
    (void)capture;
    return LINK_TYPE_ETHERNET;
}

static const char *failure(chimera_capture *capture) {
    return capture->failure;
}

/* ---- opening ---- */

static void close_capture(chimera_capture *capture) {
    if (capture->memory != NULL) {
        (void)chimera_netmap_system->unmap(capture->memory, capture->memory_bytes);
    }
    if (capture->fd >= 0) {
        (void)chimera_netmap_system->close(capture->fd);
    }
    if (capture->promiscuous >= 0) {
        (void)close(capture->promiscuous);
    }
    if (capture->is_device) {
        chimera_interface_close(&capture->interface);
    }
    chimera_filter_close(&capture->filter);
    free(capture->rings);
    free(capture->gathered);
    free(capture);
}

/* What to do about a device that cannot be opened. */
static const char *device_remedy(int number) {
    return number == ENOENT || number == ENXIO || number == ENODEV
            ? "the kernel module netmap is not loaded: build it from netmap's sources for this kernel and modprobe it"
            : "run as root, or give this user access to the device";
}

static const char *register_remedy(int number) {
    switch (number) {
        case EBUSY:
            return "another program has it: end that one";
        case EINVAL:
            return "the module refuses the port, its rings, or versions 14 and 15 of the interface (dmesg says which)";
        case ENODEV:
        case ENXIO:
            return "there is no such interface, or its driver has no netmap support: see ip link, or use a VALE port";
        case ENOMEM:
            return "netmap's memory is used up: raise ring_num, buf_num or if_num in /sys/module/netmap/parameters";
        default:
            return "dmesg may say more";
    }
}

static int register_port(
        chimera_capture *capture,
        const struct chimera_netmap_port *port,
        struct chimera_netmap_register *registration,
        const char *target,
        char *error,
        size_t capacity) {
    int result = -EINVAL;
    for (uint16_t version = CHIMERA_NETMAP_VERSION; result == -EINVAL && version <= CHIMERA_NETMAP_VERSION_MAX; version++) {
        struct chimera_netmap_request request = {
            .version = version,
            .type = CHIMERA_NETMAP_REGISTER,
            .body = (uint64_t)(uintptr_t)registration,
        };
        memcpy(request.name, port->name, sizeof request.name);
        memset(registration, 0, sizeof *registration);
        registration->mode = port->mode;
        registration->ringid = port->ringid;
        registration->mem_id = port->mem_id;
        registration->flags = port->flags;
        result = control(capture->fd, CHIMERA_NETMAP_CONTROL, &request);
    }
    if (result != 0) {
        return chimera_fail(
                error,
                capacity,
                -result,
                "netmap:%s: the port cannot be registered: %s: %s",
                target,
                strerror(-result),
                register_remedy(-result));
    }
    return 0;
}

/* Whether bytes from at on lie in the mapped memory, aligned for the structs of netmap. */
static bool holds(const chimera_capture *capture, uint64_t at, uint64_t bytes) {
    return at % 8 == 0 && at <= capture->memory_bytes && bytes <= capture->memory_bytes - at;
}

/* Takes the ring at that offset of the memory; false where it is not what netmap lays out. */
static bool find_ring(const chimera_capture *capture, uint64_t at, struct receive_ring *ring) {
    if (!holds(capture, at, sizeof *ring->shared)) {
        return false;
    }
    struct chimera_netmap_ring *shared = (void *)((uint8_t *)capture->memory + at);
    uint64_t buffers = at + (uint64_t)shared->buf_ofs;
    ring->shared = shared;
    ring->slots = shared->num_slots;
    ring->buffer_bytes = shared->buf_size;
    if (ring->slots < 2 || ring->slots > UINT16_MAX || ring->buffer_bytes == 0 || buffers > capture->memory_bytes
        || !holds(capture, at, sizeof *shared + ring->slots * sizeof *shared->slots)
        || shared->head >= ring->slots) {
        return false;
    }
    ring->buffers = (const uint8_t *)capture->memory + buffers;
    ring->buffer_count = (capture->memory_bytes - buffers) / ring->buffer_bytes;
    ring->released = shared->head;
    ring->next = shared->head;
    ring->time_at_open_ns = ring_time_ns(shared);
    shared->flags |= CHIMERA_NETMAP_TIMESTAMP;
    return true;
}

/* The receive rings that a registration of that mode covers: the first, and how many. */
static uint32_t covered(
        const struct chimera_netmap_if *port, const struct chimera_netmap_register *registration, uint32_t *first) {
    uint32_t ring = registration->ringid;
    switch (registration->mode) {
        case CHIMERA_NETMAP_ONE_NIC: /* a port with fewer receive than transmit rings gives its first one */
            *first = ring < port->rx_rings ? ring : 0;
            return port->rx_rings == 0 ? 0 : 1;
        case CHIMERA_NETMAP_ONE_SW:
            *first = port->rx_rings + (ring < port->host_rx_rings ? ring : 0);
            return port->host_rx_rings == 0 ? 0 : 1;
        case CHIMERA_NETMAP_SW:
            *first = port->rx_rings;
            return port->host_rx_rings;
        case CHIMERA_NETMAP_NIC_SW:
            *first = 0;
            return port->rx_rings + port->host_rx_rings;
        default:
            *first = 0;
            return port->rx_rings;
    }
}

/* Finds the rings in the mapped memory. 0 or -EPROTO: the memory is not laid out as chimera_netmap_abi.h says. */
static int find_rings(chimera_capture *capture, const struct chimera_netmap_register *registration) {
    uint32_t first;
    uint32_t slots_min = UINT32_MAX;
    if (!holds(capture, registration->offset, sizeof(struct chimera_netmap_if))) {
        return -EPROTO;
    }
    const struct chimera_netmap_if *port = (const void *)((const uint8_t *)capture->memory + registration->offset);
    uint32_t count = covered(port, registration, &first);
    uint64_t at = (uint64_t)port->tx_rings + port->host_tx_rings + first;
    if (count == 0 || count > UINT16_MAX
        || !holds(capture, registration->offset + sizeof *port + at * sizeof *port->ring_ofs, count * sizeof *port->ring_ofs)) {
        return -EPROTO;
    }
    capture->rings = calloc(count, sizeof *capture->rings);
    if (capture->rings == NULL) {
        return -ENOMEM;
    }
    for (uint32_t i = 0; i < count; i++) {
        struct receive_ring *ring = &capture->rings[i];
        if (!find_ring(capture, registration->offset + (uint64_t)port->ring_ofs[at + i], ring)) {
            return -EPROTO;
        }
        slots_min = ring->slots < slots_min ? ring->slots : slots_min;
    }
    capture->ring_count = count;
    /* A quarter: the kernel gets slots back long before it runs out, at a system call per some hundred packets. */
    capture->give_back_max = slots_min / 4 == 0 ? 1 : slots_min / 4;
    return 0;
}

static int map_port(
        chimera_capture *capture,
        const struct chimera_netmap_register *registration,
        const char *target,
        char *error,
        size_t capacity) {
    void *memory = chimera_netmap_system->map(capture->fd, registration->memsize);
    if (memory == MAP_FAILED) {
        int number = errno;
        return chimera_fail(
                error,
                capacity,
                number,
                "netmap:%s: its %llu bytes of memory cannot be mapped: %s",
                target,
                (unsigned long long)registration->memsize,
                strerror(number));
    }
    capture->memory = memory;
    capture->memory_bytes = registration->memsize;
    int result = find_rings(capture, registration);
    if (result != 0) {
        return chimera_fail(
                error,
                capacity,
                -result,
                "netmap:%s: its memory is not laid out as version 14 of netmap has it: use a module of version 14 or 15, "
                "and a port with receive rings",
                target);
    }
    return 0;
}

/* Captures that share a port have one ring each. */
static int share(
        struct chimera_netmap_port *port, const struct chimera_capture_options *options, char *error, size_t capacity) {
    if (options->queues <= 1) {
        return 0;
    }
    if (port->mode != CHIMERA_NETMAP_ALL_NIC) {
        return chimera_fail(
                error,
                capacity,
                EINVAL,
                "netmap:%s: %u captures can share only all rings of a device: leave the rings out of the name",
                options->target,
                options->queues);
    }
    port->mode = CHIMERA_NETMAP_ONE_NIC;
    port->ringid = (uint16_t)options->queue;
    return 0;
}

static int check_share(
        const struct chimera_netmap_register *registration,
        const struct chimera_capture_options *options,
        char *error,
        size_t capacity) {
    if (options->queues <= 1 || registration->rx_rings == options->queues) {
        return 0;
    }
    return chimera_fail(
            error,
            capacity,
            EINVAL,
            "netmap:%s: it has %u receive rings, and %u captures would share them: open as many captures as rings",
            options->target,
            registration->rx_rings,
            options->queues);
}

/* A port that is a network interface has counters and a promiscuous mode; pipes and switches have neither. */
static int open_device(
        chimera_capture *capture,
        const struct chimera_netmap_port *port,
        const struct chimera_capture_options *options,
        char *error,
        size_t capacity) {
    capture->is_device = chimera_interface_open(&capture->interface, port->name, error, capacity) == 0;
    if (!capture->is_device || (options->flags & CHIMERA_PROMISCUOUS) == 0) {
        return 0;
    }
    capture->promiscuous = chimera_link_promiscuous(capture->interface.index);
    if (capture->promiscuous < 0) {
        return chimera_fail(
                error,
                capacity,
                -capture->promiscuous,
                "netmap:%s: promiscuous mode: %s: run as root, or grant CAP_NET_RAW",
                options->target,
                strerror(-capture->promiscuous));
    }
    return 0;
}

static int start(chimera_capture *capture, const struct chimera_capture_options *options, char *error, size_t capacity) {
    struct chimera_netmap_port port;
    struct chimera_netmap_register registration;
    int result;
    if ((result = chimera_netmap_port_parse(options->target, &port, error, capacity)) != 0
        || (result = share(&port, options, error, capacity)) != 0
        || (result = chimera_filter_open(&capture->filter, options, LINK_TYPE_ETHERNET, error, capacity)) != 0) {
        return result;
    }
    capture->snap_length = options->snap_length == 0 ? UINT32_MAX : options->snap_length;
    capture->busy_poll = (options->flags & CHIMERA_BUSY_POLL) != 0;
    capture->gathered = malloc(GATHERED_BYTES);
    if (capture->gathered == NULL) {
        return chimera_fail(error, capacity, ENOMEM, "netmap:%s: no memory", options->target);
    }
    capture->fd = chimera_netmap_system->open(CHIMERA_NETMAP_DEVICE);
    if (capture->fd < 0) {
        int number = errno;
        return chimera_fail(
                error,
                capacity,
                number,
                "netmap:%s: %s: %s: %s",
                options->target,
                CHIMERA_NETMAP_DEVICE,
                strerror(number),
                device_remedy(number));
    }
    if ((result = register_port(capture, &port, &registration, options->target, error, capacity)) != 0
        || (result = check_share(&registration, options, error, capacity)) != 0
        || (result = map_port(capture, &registration, options->target, error, capacity)) != 0) {
        return result;
    }
    return open_device(capture, &port, options, error, capacity);
}

static int open_capture(
        const struct chimera_capture_options *options, chimera_capture **opened, char *error, size_t capacity) {
    chimera_capture *capture = calloc(1, sizeof *capture);
    if (capture == NULL) {
        return chimera_fail(error, capacity, ENOMEM, "netmap:%s: no memory", options->target);
    }
    capture->fd = -1;
    capture->promiscuous = -1;
    int result = start(capture, options, error, capacity);
    if (result != 0) {
        close_capture(capture);
        return result;
    }
    *opened = capture;
    return 0;
}

static int available(char *cause, size_t capacity) {
    int fd = chimera_netmap_system->open(CHIMERA_NETMAP_DEVICE);
    if (fd < 0) {
        int number = errno;
        (void)chimera_fail(
                cause, capacity, number, "%s: %s: %s", CHIMERA_NETMAP_DEVICE, strerror(number), device_remedy(number));
        return 0;
    }
    (void)chimera_netmap_system->close(fd);
    return 1;
}

const struct chimera_capture_ops chimera_netmap_ops = {
    .name = "netmap",
    .available = available,
    .open = open_capture,
    .receive = receive,
    .release = release,
    .counters = counters,
    .link_type = link_type,
    .close = close_capture,
    .failure = failure,
};
