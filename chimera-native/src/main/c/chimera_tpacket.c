/*
 * Live packets through a TPACKET_V3 ring: the kernel fills blocks with packets of any length, and passes a block to
 * this process when the block is full or RETIRE_MS old.
 *
 *   ring, mapped:  | block 0 | block 1 | block 2 | block 3 | ...              block_status: owner of the block
 *                       ^                   ^         ^
 *                 oldest held, given   current: walked    the kernel's
 *                 back by release()    packet by packet
 *
 * A block is returned as a whole. A block completely walked by receive() is held until release(); the current block
 * stays with this process.
 */
#include "chimera_capture.h"
#include "chimera_clock.h"
#include "chimera_fanout.h"
#include "chimera_interface.h"
#include "chimera_libpcap.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    /* Maximum wait of a packet for its block to fill: a tenth of the delay noticed by a human. */
    RETIRE_MS = 10,
    BLOCK_BYTES_MAX = 1 << 20,
    /* Longest packet produced by segmentation offload on an ordinary interface. */
    BLOCK_BYTES_MIN = 1 << 17,
    BLOCKS_MIN = 4,
    /*
     * At a low rate each block is passed after RETIRE_MS with few packets: 256 blocks cover a pause of the caller of
     * 2.5 s.
     */
    BLOCKS_WANTED = 256,
    /* Unused with variable-fill blocks, but must divide the block size. */
    FRAME_BYTES = 2048,
};

struct chimera_capture {
    int socket;
    struct chimera_interface interface;
    struct chimera_fanout_group *group; /* group sharing the packets; NULL: not shared */
    uint32_t queue;                     /* position in the group */
    uint8_t *ring;
    uint32_t block_bytes;
    uint32_t blocks;
    uint32_t oldest;                   /* first held block */
    uint32_t held;                     /* blocks completely walked but not yet returned */
    uint32_t current;                  /* the block being walked, or the next block */
    uint32_t left;                     /* remaining packets of the current block; 0: not started */
    const struct tpacket3_hdr *packet; /* next packet of the current block */
    bool is_gone;                      /* the interface was removed */
    bool busy_poll;
    struct chimera_capture_counters counters;
    char *name;
    char failure[512];
};

static int fail(chimera_capture *capture, int number, const char *cause) {
    (void)snprintf(capture->failure, sizeof capture->failure, "%s: %s", capture->name, cause);
    return -number;
}

static struct tpacket_block_desc *block_at(const chimera_capture *capture, uint32_t number) {
    return (void *)(capture->ring + (size_t)number * capture->block_bytes);
}

/* Starts the current block; false while the kernel owns the block. */
static bool begin_block(chimera_capture *capture) {
    if (capture->held == capture->blocks) {
        return false;
    }
    const struct tpacket_block_desc *block = block_at(capture, capture->current);
    if ((__atomic_load_n(&block->hdr.bh1.block_status, __ATOMIC_ACQUIRE) & TP_STATUS_USER) == 0) {
        return false;
    }
    capture->left = block->hdr.bh1.num_pkts;
    capture->packet = (const void *)((const uint8_t *)block + block->hdr.bh1.offset_to_first_pkt);
    return true;
}

static void end_block(chimera_capture *capture) {
    capture->held++;
    capture->current = capture->current + 1 == capture->blocks ? 0 : capture->current + 1;
}

/* Whether the packet is the outgoing copy on a loopback interface, where every sent packet is also received. */
static bool is_second_sight(const chimera_capture *capture, const struct tpacket3_hdr *header) {
    _Static_assert(sizeof *header % TPACKET_ALIGNMENT == 0, "the address stands right behind the header");
    const struct sockaddr_ll *address = (const void *)(header + 1);
    return capture->interface.is_loopback && address->sll_pkttype == PACKET_OUTGOING;
}

static void hand_out(chimera_capture *capture, const struct tpacket3_hdr *header, struct chimera_packet *packet) {
    bool has_tag = (header->tp_status & TP_STATUS_VLAN_VALID) != 0;
    uint16_t tag_type = (header->tp_status & TP_STATUS_VLAN_TPID_VALID) != 0 ? header->hv1.tp_vlan_tpid : ETH_P_8021Q;
    *packet = (struct chimera_packet){
            .address = (uint64_t)(uintptr_t)((const uint8_t *)header + header->tp_mac),
            .timestamp_ns = (int64_t)header->tp_sec * 1000000000 + header->tp_nsec,
            .captured = header->tp_snaplen,
            .length = header->tp_len,
            .slot = capture->current,
            .vlan_tci = has_tag ? (uint16_t)header->hv1.tp_vlan_tci : 0,
            .vlan_tpid = has_tag ? tag_type : 0,
    };
    capture->counters.bytes += header->tp_len;
    capture->counters.truncated += header->tp_snaplen < header->tp_len;
}

/* Returns packets passed by the kernel, at most max. */
static int take(chimera_capture *capture, struct chimera_packet *packets, int max) {
    int count = 0;
    while (count < max && (capture->left > 0 || begin_block(capture))) {
        while (count < max && capture->left > 0) {
            const struct tpacket3_hdr *header = capture->packet;
            if (!is_second_sight(capture, header)) {
                hand_out(capture, header, &packets[count++]);
            }
            capture->packet = (const void *)((const uint8_t *)header + header->tp_next_offset);
            capture->left--;
        }
        if (capture->left == 0) {
            end_block(capture);
        }
    }
    capture->counters.received += (uint64_t)count;
    return count;
}

/* Clears the error of the socket: an interface that is down may recover, a removed interface will not. */
static int check_socket(chimera_capture *capture) {
    int number = 0;
    socklen_t length = sizeof number;
    if (getsockopt(capture->socket, SOL_SOCKET, SO_ERROR, &number, &length) != 0) {
        number = errno;
    }
    capture->is_gone = number == ENETDOWN && !chimera_interface_exists(&capture->interface);
    return number == 0 || number == ENETDOWN ? 0 : fail(capture, number, strerror(number));
}

static int wait_for_block(chimera_capture *capture, int timeout_ms) {
    struct pollfd readable = {.fd = capture->socket, .events = POLLIN};
    int ready = poll(&readable, 1, timeout_ms);
    if (ready < 0) {
        return errno == EINTR ? 0 : fail(capture, errno, strerror(errno));
    }
    return (readable.revents & POLLERR) != 0 ? check_socket(capture) : 0;
}

static int release_tpacket(chimera_capture *capture) {
    for (; capture->held > 0; capture->held--) {
        struct tpacket_block_desc *block = block_at(capture, capture->oldest);
        __atomic_store_n(&block->hdr.bh1.block_status, TP_STATUS_KERNEL, __ATOMIC_RELEASE);
        capture->oldest = capture->oldest + 1 == capture->blocks ? 0 : capture->oldest + 1;
    }
    return 0;
}

static int receive_tpacket(chimera_capture *capture, struct chimera_packet *packets, int max, int timeout_ms) {
    (void)release_tpacket(capture);
    int count = take(capture, packets, max);
    if (count > 0) {
        return count;
    }
    struct chimera_deadline deadline = chimera_deadline_in(timeout_ms);
    int left_ms = timeout_ms;
    do {
        /* Also checks for a socket error when no time is left. */
        int result = wait_for_block(capture, capture->busy_poll ? 0 : left_ms);
        if (result < 0) {
            return result;
        }
        /* Returns blocks without matching packets, because the kernel may have no other block. */
        (void)release_tpacket(capture);
        count = take(capture, packets, max);
        if (count == 0 && capture->is_gone) {
            return fail(capture, ENODEV, "the interface was removed; open it again when it is back");
        }
        left_ms = chimera_deadline_left_ms(&deadline);
    } while (count == 0 && left_ms != 0);
    return count;
}

static int counters_tpacket(chimera_capture *capture, struct chimera_capture_counters *counters) {
    struct tpacket_stats_v3 statistics = {0};
    socklen_t length = sizeof statistics;
    /* The kernel resets its counters at each query. */
    if (getsockopt(capture->socket, SOL_PACKET, PACKET_STATISTICS, &statistics, &length) == 0) {
        capture->counters.dropped_ring += statistics.tp_drops;
    }
    capture->counters.dropped_interface = chimera_interface_dropped(&capture->interface);
    *counters = capture->counters;
    return 0;
}

static int link_type_tpacket(chimera_capture *capture) {
    return capture->interface.link_type;
}

static const char *failure_tpacket(chimera_capture *capture) {
    return capture->failure;
}

static void close_tpacket(chimera_capture *capture) {
    if (capture->ring != NULL) {
        (void)munmap(capture->ring, (size_t)capture->blocks * capture->block_bytes);
    }
    if (capture->group != NULL) {
        chimera_fanout_close(capture->group, capture->queue, capture->socket);
    } else if (capture->socket >= 0) {
        (void)close(capture->socket);
    }
    if (capture->interface.index != 0) {
        chimera_interface_close(&capture->interface);
    }
    free(capture->name);
    free(capture);
}

static int set_option(
        const chimera_capture *capture, int level, int option, const void *value, size_t bytes, const char *what,
        char *error, size_t capacity) {
    if (setsockopt(capture->socket, level, option, value, (socklen_t)bytes) == 0) {
        return 0;
    }
    int number = errno;
    return chimera_fail(
            error, capacity, number, "%s: the kernel refuses %s: %s", capture->name, what, strerror(number));
}

static int attach(
        const chimera_capture *capture, struct sock_filter *instructions, size_t count, char *error, size_t capacity) {
    struct sock_fprog program = {.len = (unsigned short)count, .filter = instructions};
    return set_option(capture, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program, "the filter", error, capacity);
}

/* Attaches the requested filter, which also truncates packets to the snap length. */
static int attach_wanted(
        const chimera_capture *capture, const struct chimera_capture_options *options, char *error, size_t capacity) {
    if (options->filter == NULL) {
        struct sock_filter all = BPF_STMT(BPF_RET | BPF_K, options->snap_length);
        return attach(capture, &all, 1, error, capacity);
    }
    if (strstr(options->filter, "vlan") != NULL) {
        return chimera_fail(
                error, capacity, EINVAL,
                "%s: the filter \"%s\" tests a VLAN tag, which the kernel removes before tpacket sees the frame; "
                "use libpcap:%s instead",
                capture->name, options->filter, capture->name);
    }
    struct chimera_pcap_program program;
    int result = chimera_filter_compile(
            capture->name, options->filter, capture->interface.link_type, options->snap_length, &program, error,
            capacity);
    if (result < 0) {
        return result;
    }
    result = attach(capture, program.instructions, program.length, error, capacity);
    chimera_libpcap(error, capacity)->freecode(&program);
    return result;
}

static int map_ring(chimera_capture *capture, uint32_t ring_bytes, char *error, size_t capacity) {
    capture->block_bytes = BLOCK_BYTES_MAX;
    while (capture->block_bytes > BLOCK_BYTES_MIN && ring_bytes / capture->block_bytes < BLOCKS_WANTED) {
        capture->block_bytes /= 2;
    }
    capture->blocks = ring_bytes / capture->block_bytes;
    capture->blocks = capture->blocks < BLOCKS_MIN ? BLOCKS_MIN : capture->blocks;
    struct tpacket_req3 request = {
            .tp_block_size = capture->block_bytes,
            .tp_block_nr = capture->blocks,
            .tp_frame_size = FRAME_BYTES,
            .tp_frame_nr = capture->block_bytes / FRAME_BYTES * capture->blocks,
            .tp_retire_blk_tov = RETIRE_MS,
    };
    size_t bytes = (size_t)capture->blocks * capture->block_bytes;
    int result = set_option(capture, SOL_PACKET, PACKET_RX_RING, &request, sizeof request, "the ring", error, capacity);
    if (result < 0) {
        return result;
    }
    void *ring = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, capture->socket, 0);
    if (ring == MAP_FAILED) {
        int number = errno;
        return chimera_fail(
                error, capacity, number, "%s: a ring of %zu bytes cannot be mapped: %s; use a smaller ring",
                capture->name, bytes, strerror(number));
    }
    capture->ring = ring;
    return 0;
}

static int bind_to_interface(
        chimera_capture *capture, const struct chimera_capture_options *options, char *error, size_t capacity) {
    struct sockaddr_ll address = {
            .sll_family = AF_PACKET,
            .sll_protocol = htons(ETH_P_ALL),
            .sll_ifindex = capture->interface.index,
    };
    if (bind(capture->socket, (const void *)&address, sizeof address) != 0) {
        int number = errno;
        return chimera_fail(error, capacity, number, "%s: cannot be bound to: %s", capture->name, strerror(number));
    }
    struct packet_mreq membership = {.mr_ifindex = capture->interface.index, .mr_type = PACKET_MR_PROMISC};
    int result = 0;
    if ((options->flags & CHIMERA_PROMISCUOUS) != 0) {
        result = set_option(
                capture, SOL_PACKET, PACKET_ADD_MEMBERSHIP, &membership, sizeof membership, "promiscuous mode", error,
                capacity);
    }
    if (result == 0 && options->queues > 1) {
        capture->queue = options->queue;
        result = chimera_fanout_join(
                capture->socket, capture->interface.index, options, &capture->group, error, capacity);
    }
    return result;
}

static int open_socket(chimera_capture *capture, char *error, size_t capacity) {
    int version = TPACKET_V3;
    /*
     * Rejects every packet until the setup is complete: packets of other interfaces, or of another member of the group.
     */
    struct sock_filter nothing = BPF_STMT(BPF_RET | BPF_K, 0);
    capture->socket = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
    if (capture->socket < 0) {
        int number = errno;
        return chimera_fail(
                error, capacity, number,
                "%s: packets cannot be captured: %s; requires root or CAP_NET_RAW (systemd: AmbientCapabilities)",
                capture->name, strerror(number));
    }
    int result =
            set_option(capture, SOL_PACKET, PACKET_VERSION, &version, sizeof version, "TPACKET_V3", error, capacity);
    return result < 0 ? result : attach(capture, &nothing, 1, error, capacity);
}

static int open_tpacket(
        const struct chimera_capture_options *options, chimera_capture **opened, char *error, size_t capacity) {
    int result;
    chimera_capture *capture = calloc(1, sizeof *capture);
    if (capture == NULL) {
        return chimera_fail(error, capacity, ENOMEM, "%s: no memory to open it", options->target);
    }
    capture->socket = -1;
    capture->busy_poll = (options->flags & CHIMERA_BUSY_POLL) != 0;
    capture->name = strdup(options->target);
    if (capture->name == NULL) {
        result = chimera_fail(error, capacity, ENOMEM, "%s: no memory to open it", options->target);
        goto fail;
    }
    if ((result = chimera_interface_open(&capture->interface, capture->name, error, capacity)) < 0
        || (result = open_socket(capture, error, capacity)) < 0
        || (result = map_ring(capture, options->ring_bytes, error, capacity)) < 0
        || (result = bind_to_interface(capture, options, error, capacity)) < 0
        || (result = attach_wanted(capture, options, error, capacity)) < 0) {
        goto fail;
    }
    *opened = capture;
    return 0;
fail:
    close_tpacket(capture);
    return result;
}

static int available_tpacket(char *cause, size_t capacity) {
    return chimera_may_capture(cause, capacity);
}

const struct chimera_capture_ops chimera_tpacket_ops = {
        .name = "tpacket",
        .available = available_tpacket,
        .open = open_tpacket,
        .receive = receive_tpacket,
        .release = release_tpacket,
        .counters = counters_tpacket,
        .link_type = link_type_tpacket,
        .close = close_tpacket,
        .failure = failure_tpacket,
};
