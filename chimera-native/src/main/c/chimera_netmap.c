/*
 * netmap: packets from /dev/netmap without copying (chimera_netmap_abi.h draws the memory). A capture serves the
 * receive rings of its port in turn. A packet in a single slot is returned in place; a packet in several slots is first
 * gathered in private memory:
 *
 *   gathered (fixed, filled from the start in each batch)
 *   +----------------+----------------+-------------------------+
 *   | packet of      | packet of      | room for at least one   |     no room: the batch ends early
 *   | several slots  | several slots  | more                    |
 *   +----------------+----------------+-------------------------+
 *
 * A slot belongs to this process from the synchronisation that shows the slot until release(), which moves the ring's
 * head past the slot; the kernel sees the new head at the next synchronisation. Indices and lengths in the rings are
 * validated before use.
 */
#include "chimera_capture.h"
#include "chimera_clock.h"
#include "chimera_filter.h"
#include "chimera_interface.h"
#include "chimera_link.h"
#include "chimera_netmap_region.h"
#include "chimera_netmap_system.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    LINK_TYPE_ETHERNET = 1,
    GATHERED_PACKET_MAX = 65536,               /* per packet; longer packets are truncated */
    GATHERED_BYTES = 16 * GATHERED_PACKET_MAX, /* 1 MiB: per batch, 16 packets of maximum size, or 110 of 9,000 B */
    DOWN_PAUSE_MS = 10,                        /* poll interval of a device that is down */
};

struct chimera_capture {
    struct chimera_netmap_region region;
    uint32_t turn;          /* next ring to serve */
    uint32_t given_back;    /* slots since the last synchronisation */
    uint32_t give_back_max; /* a quarter of a ring: the kernel gets slots back long before running out */
    uint32_t snap_length;
    uint8_t *gathered;
    uint32_t gathered_bytes;
    bool busy_poll;
    bool is_device;  /* whether the port is a network interface instead of a pipe or a switch */
    int promiscuous; /* descriptor, or -1 */
    struct chimera_interface interface;
    struct chimera_filter filter;
    struct chimera_capture_counters counters;
    const char *failure;
};

/* ---- receiving ---- */

static uint32_t following(const struct chimera_receive_ring *ring, uint32_t slot) {
    return slot + 1 == ring->slots ? 0 : slot + 1;
}

static uint32_t distance(const struct chimera_receive_ring *ring, uint32_t from, uint32_t to) {
    return to >= from ? to - from : to + ring->slots - from;
}

static int release(chimera_capture *capture) {
    for (uint32_t i = 0; i < capture->region.ring_count; i++) {
        struct chimera_receive_ring *ring = &capture->region.rings[i];
        capture->given_back += distance(ring, ring->released, ring->next);
        ring->released = ring->next;
        __atomic_store_n(&ring->shared->cur, ring->next, __ATOMIC_RELAXED);
        __atomic_store_n(&ring->shared->head, ring->next, __ATOMIC_RELEASE);
    }
    capture->gathered_bytes = 0;
    return 0;
}

/* Copies the slot: the validated values must be the values used. */
static struct chimera_netmap_slot slot_at(const struct chimera_receive_ring *ring, uint32_t number) {
    const volatile struct chimera_netmap_slot *shared = &ring->shared->slots[number];
    return (struct chimera_netmap_slot){.buf_idx = shared->buf_idx, .len = shared->len, .flags = shared->flags};
}

static bool is_valid(const struct chimera_receive_ring *ring, const struct chimera_netmap_slot *slot) {
    return slot->buf_idx < ring->buffer_count && slot->len != 0 && slot->len <= ring->buffer_bytes;
}

static const uint8_t *buffer(const struct chimera_receive_ring *ring, const struct chimera_netmap_slot *slot) {
    return ring->buffers + (uint64_t)slot->buf_idx * ring->buffer_bytes;
}

enum outcome { TAKEN, LEFT_OUT, INCOMPLETE, NO_ROOM };

static enum outcome take_single(
        chimera_capture *capture, struct chimera_receive_ring *ring, const struct chimera_netmap_slot *slot,
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

/* Gathers a packet with more than one slot. */
static enum outcome take_gathered(
        chimera_capture *capture, struct chimera_receive_ring *ring, uint32_t tail, struct chimera_packet *packet) {
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
    /* A packet filling the whole ring can never become complete. */
    if (more && distance(ring, ring->released, tail) < ring->slots - 1) {
        return INCOMPLETE;
    }
    if (more && ring->released != ring->next) {
        return INCOMPLETE; /* releasing the returned slots makes room for the rest */
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

/* Completes and counts a packet; false when the filter rejects the packet. */
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

static int take(chimera_capture *capture, struct chimera_receive_ring *ring, struct chimera_packet *packets, int max) {
    uint32_t tail = __atomic_load_n(&ring->shared->tail, __ATOMIC_ACQUIRE);
    int64_t time_ns = 0;
    int taken = 0;
    if (tail >= ring->slots) {
        capture->counters.invalid++;
        return 0;
    }
    if (tail != ring->next) {
        time_ns = chimera_netmap_time_ns(ring->shared);
        if (time_ns == ring->time_at_open_ns) {
            time_ns = chimera_clock_ns(CLOCK_REALTIME);
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
            /* poll() shall wait for slots beyond this one. */
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
    capture->turn = at + 1 == capture->region.ring_count ? 0 : at + 1;
    for (uint32_t i = 0; i < capture->region.ring_count && taken < max; i++) {
        taken += take(capture, &capture->region.rings[at], packets + taken, max - taken);
        at = at + 1 == capture->region.ring_count ? 0 : at + 1;
    }
    return taken;
}

/* Handles an error of the port: a device that is down may recover, any other error is permanent. */
static int broken(chimera_capture *capture, int number) {
    if (capture->is_device && chimera_interface_exists(&capture->interface)) {
        return 0;
    }
    capture->failure = "the netmap port is gone; open the capture again when it is back";
    return -number;
}

static int synchronise(chimera_capture *capture) {
    int result = chimera_netmap_synchronise(&capture->region);
    capture->given_back = 0;
    return result == 0 ? 0 : broken(capture, -result);
}

static int wait(chimera_capture *capture, int timeout_ms) {
    struct pollfd readable = {.fd = capture->region.fd, .events = POLLIN};
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
    struct chimera_turns turns = {.timeout_ms = timeout_ms};
    for (;;) {
        release(capture); /* the last batch, or skipped slots */
        int result = capture->given_back >= capture->give_back_max ? synchronise(capture) : 0;
        if (result == 0) {
            result = take_in_turn(capture, packets, max);
        }
        if (result != 0) {
            return result;
        }
        int left_ms;
        if (!chimera_turns_next(&turns, &left_ms)) {
            return 0;
        }
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
    *into = capture->counters; /* netmap does not count losses in a full ring; the device counts these losses */
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
    chimera_netmap_region_close(&capture->region);
    if (capture->promiscuous >= 0) {
        (void)close(capture->promiscuous);
    }
    if (capture->is_device) {
        chimera_interface_close(&capture->interface);
    }
    chimera_filter_close(&capture->filter);
    free(capture->gathered);
    free(capture);
}

/* A network interface has counters and a promiscuous mode; pipes and switches have neither. */
static int open_device(
        chimera_capture *capture, const struct chimera_netmap_port *port, const struct chimera_capture_options *options,
        char *error, size_t capacity) {
    capture->is_device = chimera_interface_open(&capture->interface, port->name, error, capacity) == 0;
    if (!capture->is_device || (options->flags & CHIMERA_PROMISCUOUS) == 0) {
        return 0;
    }
    capture->promiscuous = chimera_link_promiscuous(capture->interface.index);
    if (capture->promiscuous < 0) {
        return chimera_fail(
                error, capacity, -capture->promiscuous,
                "netmap:%s: promiscuous mode: %s: run as root, or grant CAP_NET_RAW", options->target,
                strerror(-capture->promiscuous));
    }
    return 0;
}

static int start(
        chimera_capture *capture, const struct chimera_capture_options *options, char *error, size_t capacity) {
    struct chimera_netmap_port port;
    int result;
    if ((result = chimera_netmap_port_parse(options->target, &port, error, capacity)) != 0
        || (result = chimera_filter_open(&capture->filter, options, LINK_TYPE_ETHERNET, error, capacity)) != 0
        || (result = chimera_netmap_region_open(&capture->region, &port, options, error, capacity)) != 0) {
        return result;
    }
    capture->give_back_max = capture->region.slots_min < 4 ? 1 : capture->region.slots_min / 4;
    capture->snap_length = options->snap_length == 0 ? UINT32_MAX : options->snap_length;
    capture->busy_poll = (options->flags & CHIMERA_BUSY_POLL) != 0;
    capture->gathered = malloc(GATHERED_BYTES);
    if (capture->gathered == NULL) {
        return chimera_fail(error, capacity, ENOMEM, "netmap:%s: no memory", options->target);
    }
    return open_device(capture, &port, options, error, capacity);
}

static int open_capture(
        const struct chimera_capture_options *options, chimera_capture **opened, char *error, size_t capacity) {
    chimera_capture *capture = calloc(1, sizeof *capture);
    if (capture == NULL) {
        return chimera_fail(error, capacity, ENOMEM, "netmap:%s: no memory", options->target);
    }
    capture->region.fd = -1;
    capture->promiscuous = -1;
    int result = start(capture, options, error, capacity);
    if (result != 0) {
        close_capture(capture);
        return result;
    }
    *opened = capture;
    return 0;
}

const struct chimera_capture_ops chimera_netmap_ops = {
        .name = "netmap",
        .available = chimera_netmap_available,
        .open = open_capture,
        .receive = receive,
        .release = release,
        .counters = counters,
        .link_type = link_type,
        .close = close_capture,
        .failure = failure,
};
