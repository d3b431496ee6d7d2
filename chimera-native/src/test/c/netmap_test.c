/* The netmap back-end against a region of memory laid out as netmap's kernel module lays it out (netmap_kernel.h). */
#include "chimera_capture.h"
#include "chimera_netmap_port.h"
#include "expect.h"
#include "netmap_kernel.h"

#include <net/if.h>
#include <sched.h>

enum { BATCH = 64, PATIENCE_MS = 60000 };

static const struct chimera_capture_ops *netmap;
static chimera_capture *capture;
static struct chimera_packet packets[BATCH];
static char error[512];

static struct chimera_capture_options options(const char *target) {
    return (struct chimera_capture_options){.target = target, .snap_length = 262144, .queues = 1};
}

static void open_with(struct chimera_capture_options with) {
    int result = netmap->open(&with, &capture, error, sizeof error);
    if (result != 0) {
        (void)fprintf(stderr, "%s\n", error);
    }
    EXPECT_NUMBER(result, 0);
}

static void open_port(const char *target) {
    open_with(options(target));
}

static void expect_refused(const char *target, int number, const char *why) {
    struct chimera_capture_options with = options(target);
    EXPECT_NUMBER(netmap->open(&with, &capture, error, sizeof error), -number);
    EXPECT_CONTAINS(error, "netmap:");
    EXPECT_CONTAINS(error, target);
    EXPECT_CONTAINS(error, why);
    EXPECT_NUMBER(kernel.opened, 0);
    EXPECT_NUMBER(kernel.mapped, 0);
}

static void close_port(void) {
    netmap->close(capture);
    EXPECT_NUMBER(kernel.opened, 0);
    EXPECT_NUMBER(kernel.mapped, 0);
}

static struct chimera_capture_counters counters(void) {
    struct chimera_capture_counters now;
    EXPECT_NUMBER(netmap->counters(capture, &now), 0);
    return now;
}

static void send_packet(uint32_t ring, uint64_t number, uint32_t length) {
    EXPECT(kernel_send(ring, (struct kernel_packet){.number = number, .length = length}));
}

static void send_slots(uint32_t ring, uint64_t number, uint32_t length, uint32_t slot_bytes) {
    EXPECT(kernel_send(ring, (struct kernel_packet){.number = number, .length = length, .slot_bytes = slot_bytes}));
}

static int receive(int max, int timeout_ms) {
    return netmap->receive(capture, packets, max, timeout_ms);
}

static void expect_packet(int i, uint64_t number, uint32_t captured, uint32_t length) {
    EXPECT_NUMBER(packets[i].captured, captured);
    EXPECT_NUMBER(packets[i].length, length);
    EXPECT_NUMBER(packets[i].vlan_tpid, 0);
    kernel_expect_packet((const void *)(uintptr_t)packets[i].address, captured, number);
}

static bool in_region(uint64_t address) {
    uint64_t start = (uint64_t)(uintptr_t)kernel.memory;
    return address >= start && address < start + kernel.memory_bytes;
}

static void expect_port(
        const char *text, const char *name, uint32_t mode, uint32_t ringid, uint32_t mem_id, uint64_t flags) {
    struct chimera_netmap_port port;
    EXPECT_NUMBER(chimera_netmap_port_parse(text, &port, error, sizeof error), 0);
    EXPECT(strcmp(port.name, name) == 0);
    EXPECT_NUMBER(port.mode, mode);
    EXPECT_NUMBER(port.ringid, ringid);
    EXPECT_NUMBER(port.mem_id, mem_id);
    EXPECT_NUMBER(port.flags, flags | CHIMERA_NETMAP_NO_TX_POLL);
}

static void reads_names_of_ports_as_users_write_them(void) {
    struct chimera_netmap_port port;
    const char *const wrong[] = {
        "", "-1", "eth0-", "eth0-x", "eth0-4096", "eth0^x", "eth0*1", "eth0@", "eth0@0", "eth0@x", "eth0/q", "vale0:",
        "0123456789012345678901234567890123456789012345678901234567890123",
    };
    expect_port("eth0", "eth0", CHIMERA_NETMAP_ALL_NIC, 0, 0, 0);
    expect_port("eth0-2", "eth0", CHIMERA_NETMAP_ONE_NIC, 2, 0, 0);
    expect_port("eth0^", "eth0", CHIMERA_NETMAP_SW, 0, 0, 0);
    expect_port("eth0^3", "eth0", CHIMERA_NETMAP_ONE_SW, 3, 0, 0);
    expect_port("eth0*", "eth0", CHIMERA_NETMAP_NIC_SW, 0, 0, 0);
    expect_port("p}1", "p}1", CHIMERA_NETMAP_ALL_NIC, 0, 0, 0);
    expect_port("eth0{7", "eth0{7", CHIMERA_NETMAP_ALL_NIC, 0, 0, 0);
    expect_port("vale0:r", "vale0:r", CHIMERA_NETMAP_ALL_NIC, 0, 0, 0);
    expect_port("vale-a:r-1", "vale-a:r", CHIMERA_NETMAP_ONE_NIC, 1, 0, 0);
    expect_port("eth0-1@5", "eth0", CHIMERA_NETMAP_ONE_NIC, 1, 5, 0);
    expect_port("eth0/rz", "eth0", CHIMERA_NETMAP_ALL_NIC, 0, 0,
                CHIMERA_NETMAP_MONITOR_RX | CHIMERA_NETMAP_ZERO_COPY_MONITOR);
    expect_port("eth0*/txR@3", "eth0", CHIMERA_NETMAP_NIC_SW, 0, 3,
                CHIMERA_NETMAP_MONITOR_TX | CHIMERA_NETMAP_EXCLUSIVE | CHIMERA_NETMAP_RX_RINGS_ONLY);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        EXPECT_NUMBER(chimera_netmap_port_parse(wrong[i], &port, error, sizeof error), -EINVAL);
        EXPECT_CONTAINS(error, wrong[i]);
    }
}

static void says_that_the_module_is_missing(void) {
    kernel_start((struct kernel_port){0});
    kernel.open_error = ENOENT;
    EXPECT_NUMBER(netmap->available(error, sizeof error), 0);
    EXPECT_CONTAINS(error, "modprobe");
    expect_refused("p}1", ENOENT, "modprobe");
    kernel.open_error = EACCES;
    EXPECT_NUMBER(netmap->available(error, sizeof error), 0);
    EXPECT_CONTAINS(error, "run as root");
    kernel.open_error = 0;
    EXPECT_NUMBER(netmap->available(error, sizeof error), 1);
    EXPECT_NUMBER(kernel.opened, 0);
}

static void says_why_a_port_is_refused(void) {
    kernel_start((struct kernel_port){0});
    kernel.register_error = EINVAL;
    expect_refused("p}1", EINVAL, "versions 14 and 15");
    kernel.register_error = ENODEV;
    expect_refused("eth7", ENODEV, "no such interface");
    kernel.register_error = EBUSY;
    expect_refused("eth0", EBUSY, "another program");
    kernel.register_error = ENOMEM;
    expect_refused("eth0", ENOMEM, "buf_num");
    kernel.register_error = 0;
    kernel.map_error = ENOMEM;
    expect_refused("eth0", ENOMEM, "cannot be mapped");
}

static void registers_what_the_name_says(void) {
    kernel_start((struct kernel_port){.rx_rings = 2});
    kernel.interruptions = 1;
    open_port("eth0-1/x@9");
    EXPECT_NUMBER(kernel.request.version, 14);
    EXPECT(strcmp(kernel.request.name, "eth0") == 0);
    EXPECT_NUMBER(kernel.registration.mode, CHIMERA_NETMAP_ONE_NIC);
    EXPECT_NUMBER(kernel.registration.ringid, 1);
    EXPECT_NUMBER(kernel.registration.mem_id, 9);
    EXPECT_NUMBER(kernel.registration.flags, CHIMERA_NETMAP_EXCLUSIVE | CHIMERA_NETMAP_NO_TX_POLL);
    EXPECT_NUMBER(netmap->link_type(capture), 1);
    close_port();
}

static void speaks_version_15_where_the_module_wants_it(void) {
    kernel_start((struct kernel_port){0});
    kernel.version_min = 15;
    open_port("p}1");
    EXPECT_NUMBER(kernel.request.version, 15);
    EXPECT_NUMBER(kernel.registrations, 2);
    close_port();
}

static void hands_out_slots_where_they_lie_while_the_ring_wraps(void) {
    kernel_start((struct kernel_port){.slots = 16});
    open_port("p}1");
    uint64_t expected = 0;
    for (uint64_t number = 0; number < 1000; number++) {
        send_packet(0, number, (uint32_t)(60 + number % 1400));
        if (number % 11 == 10 || number == 999) {
            for (int count; (count = receive(7, 0)) != 0;) {
                EXPECT(count > 0);
                for (int i = 0; i < count; i++, expected++) {
                    uint32_t length = (uint32_t)(60 + expected % 1400);
                    EXPECT(in_region(packets[i].address));
                    expect_packet(i, expected, length, length);
                }
            }
        }
    }
    EXPECT_NUMBER(expected, 1000);
    EXPECT_NUMBER(counters().received, 1000);
    EXPECT_NUMBER(counters().invalid, 0);
    EXPECT_NUMBER(counters().truncated, 0);
    EXPECT_NUMBER(counters().dropped_ring, 0);
    close_port();
}

static void an_empty_ring_gives_nothing_in_time(void) {
    kernel_start((struct kernel_port){0});
    open_port("p}1");
    EXPECT_NUMBER(receive(BATCH, 0), 0);
    EXPECT_NUMBER(receive(BATCH, 20), 0);
    EXPECT(kernel.polls >= 1);
    send_packet(0, 1, 60);
    EXPECT_NUMBER(receive(BATCH, PATIENCE_MS), 1);
    EXPECT_NUMBER(receive(BATCH, 0), 0);
    close_port();
}

static void a_full_ring_is_drained_and_filled_again(void) {
    kernel_start((struct kernel_port){.slots = 8});
    open_port("p}1");
    for (uint64_t number = 0; number < 20; number++) {
        send_packet(0, number, 100);
    }
    for (uint64_t number = 0; number < 20;) {
        int count = receive(BATCH, PATIENCE_MS);
        EXPECT_NUMBER(count, number < 14 ? 7 : 6); /* a ring of 8 holds 7 */
        for (int i = 0; i < count; i++) {
            expect_packet(i, number++, 100, 100);
        }
    }
    close_port();
}

static void what_is_handed_out_stays_until_it_is_released(void) {
    kernel_start((struct kernel_port){.slots = 8});
    open_port("p}1");
    for (uint64_t number = 0; number < 14; number++) {
        send_packet(0, number, 100);
    }
    EXPECT_NUMBER(receive(5, PATIENCE_MS), 5);
    kernel_synchronise();
    kernel_synchronise();
    for (int i = 0; i < 5; i++) {
        expect_packet(i, (uint64_t)i, 100, 100);
    }
    uint64_t first = packets[0].address;
    EXPECT_NUMBER(netmap->release(capture), 0);
    EXPECT_NUMBER(netmap->release(capture), 0);
    kernel_synchronise();
    kernel_expect_packet((const void *)(uintptr_t)first, 100, 8); /* the kernel has filled it again */
    for (uint64_t number = 5; number < 14;) {
        int count = receive(BATCH, PATIENCE_MS);
        EXPECT(count > 0);
        for (int i = 0; i < count; i++) {
            expect_packet(i, number++, 100, 100);
        }
    }
    close_port();
}

static void gives_slots_back_before_the_ring_runs_dry(void) {
    kernel_start((struct kernel_port){.slots = 16});
    open_port("p}1");
    for (uint64_t number = 0; number < 100; number++) {
        send_packet(0, number, 100);
    }
    EXPECT_NUMBER(receive(4, 0), 4);
    int before = kernel.synchronisations;
    EXPECT_NUMBER(receive(4, 0), 4);
    EXPECT_NUMBER(kernel.synchronisations, before + 1);
    close_port();
}

static void gathers_packets_of_several_slots(void) {
    kernel_start((struct kernel_port){.slots = 16});
    open_port("p}1");
    uint64_t expected = 0;
    for (uint64_t number = 0; number < 300; number++) {
        /* One to seven slots, the last of another length each time: they lie across the ring's end in all ways. */
        send_slots(0, number, (uint32_t)(300 + number * 37 % 1700), 256);
        for (int count; (count = receive(BATCH, 0)) != 0;) {
            EXPECT(count > 0);
            for (int i = 0; i < count; i++, expected++) {
                uint32_t length = (uint32_t)(300 + expected * 37 % 1700);
                EXPECT(!in_region(packets[i].address));
                expect_packet(i, expected, length, length);
            }
        }
    }
    EXPECT_NUMBER(expected, 300);
    EXPECT_NUMBER(counters().truncated, 0);
    EXPECT_NUMBER(counters().invalid, 0);
    close_port();
}

static void gathered_and_single_packets_keep_their_order_in_a_batch(void) {
    kernel_start((struct kernel_port){.slots = 64});
    open_port("p}1");
    for (uint64_t number = 0; number < 20; number++) {
        send_slots(0, number, number % 2 == 0 ? 200 : 700, 256);
    }
    EXPECT_NUMBER(receive(BATCH, PATIENCE_MS), 20);
    for (int i = 0; i < 20; i++) {
        expect_packet(i, (uint64_t)i, i % 2 == 0 ? 200 : 700, i % 2 == 0 ? 200 : 700);
        EXPECT(in_region(packets[i].address) == (i % 2 == 0));
    }
    close_port();
}

static void a_packet_longer_than_the_memory_for_it_is_cut(void) {
    kernel_start((struct kernel_port){.slots = 128});
    open_port("p}1");
    send_slots(0, 1, 70000, 2048);
    send_slots(0, 2, 65536, 2048);
    send_packet(0, 3, 60);
    EXPECT_NUMBER(receive(BATCH, PATIENCE_MS), 3);
    expect_packet(0, 1, 65536, 70000);
    expect_packet(1, 2, 65536, 65536);
    expect_packet(2, 3, 60, 60);
    EXPECT_NUMBER(counters().truncated, 1);
    EXPECT_NUMBER(counters().bytes, 70000 + 65536 + 60);
    close_port();
}

static void a_batch_ends_where_the_memory_for_long_packets_does(void) {
    kernel_start((struct kernel_port){.slots = 1024});
    open_port("p}1");
    for (uint64_t number = 0; number < 30; number++) {
        send_slots(0, number, 65000, 2048);
    }
    for (uint64_t number = 0; number < 30;) {
        int count = receive(BATCH, PATIENCE_MS);
        EXPECT(count > 0 && count <= 16);
        for (int i = 0; i < count; i++) {
            expect_packet(i, number++, 65000, 65000);
        }
    }
    close_port();
}

static void cuts_at_the_snap_length(void) {
    kernel_start((struct kernel_port){.slots = 64});
    struct chimera_capture_options with = options("p}1");
    with.snap_length = 96;
    open_with(with);
    send_packet(0, 0, 96);
    send_packet(0, 1, 97);
    send_slots(0, 2, 1000, 64);
    EXPECT_NUMBER(receive(BATCH, PATIENCE_MS), 3);
    expect_packet(0, 0, 96, 96);
    expect_packet(1, 1, 96, 97);
    expect_packet(2, 2, 96, 1000);
    EXPECT_NUMBER(counters().truncated, 2);
    EXPECT_NUMBER(counters().bytes, 96 + 97 + 1000);
    close_port();
}

static void waits_for_the_rest_of_a_packet(void) {
    kernel_start((struct kernel_port){.slots = 8});
    open_port("p}1");
    /* Seven slots are free and nine are needed: 4 of the first packet and 3 of the second. */
    send_slots(0, 1, 400, 100);
    send_slots(0, 2, 500, 100);
    EXPECT_NUMBER(receive(BATCH, PATIENCE_MS), 1);
    expect_packet(0, 1, 400, 400);
    EXPECT_NUMBER(receive(BATCH, PATIENCE_MS), 1);
    expect_packet(0, 2, 500, 500);
    close_port();
}

static void sleeps_while_only_a_part_of_a_packet_is_there(void) {
    kernel_start((struct kernel_port){.slots = 16});
    open_port("p}1");
    struct chimera_netmap_ring *ring = kernel.rings[0].shared;
    EXPECT(kernel_send(0, (struct kernel_packet){.number = 1, .length = 100, .endless = true}));
    EXPECT_NUMBER(receive(BATCH, 20), 0);
    EXPECT(kernel.polls <= 3); /* poll waited: cur stands behind what is there */
    EXPECT_NUMBER(ring->head, 0);
    /* The rest comes. */
    ring->slots[0].flags = 0;
    EXPECT_NUMBER(receive(BATCH, PATIENCE_MS), 1);
    expect_packet(0, 1, 100, 100);
    close_port();
}

static void a_packet_that_never_ends_is_left_out(void) {
    kernel_start((struct kernel_port){.slots = 8});
    open_port("p}1");
    for (uint64_t number = 0; number < 10; number++) {
        EXPECT(kernel_send(0, (struct kernel_packet){.number = number, .length = 100, .endless = true}));
    }
    send_packet(0, 10, 100); /* its end */
    send_packet(0, 11, 100);
    EXPECT_NUMBER(receive(BATCH, PATIENCE_MS), 1);
    expect_packet(0, 11, 100, 100);
    EXPECT_NUMBER(counters().invalid, 1);
    close_port();
}

static void serves_several_rings_in_turn(void) {
    kernel_start((struct kernel_port){
        .tx_rings = 2, .rx_rings = 4, .host_tx_rings = 1, .host_rx_rings = 1, .slots = 32});
    open_port("eth0");
    uint64_t expected[4] = {0};
    for (uint32_t ring = 0; ring < 5; ring++) {
        for (uint64_t number = 0; number < 200; number++) {
            send_packet(ring, number << 8 | ring, 64);
        }
    }
    uint64_t total = 0;
    while (total < 800) {
        int count = receive(10, PATIENCE_MS);
        EXPECT(count > 0);
        for (int i = 0; i < count; i++, total++) {
            uint64_t number;
            memcpy(&number, (const void *)(uintptr_t)packets[i].address, sizeof number);
            EXPECT((number & 0xff) < 4);
            EXPECT_NUMBER(number >> 8, expected[number & 0xff]++);
            /* No ring is more than what fits into its slots ahead of another. */
            EXPECT(expected[number & 0xff] <= expected[(number + 1) & 3] + 64);
        }
    }
    EXPECT_NUMBER(receive(10, 0), 0); /* the host's ring is not ours */
    close_port();
}

static void expect_rings(const char *target, uint32_t first, uint32_t count) {
    kernel_start((struct kernel_port){.tx_rings = 3, .rx_rings = 2, .host_tx_rings = 2, .host_rx_rings = 2});
    open_port(target);
    for (uint32_t ring = 0; ring < 4; ring++) {
        send_packet(ring, ring, 64);
    }
    EXPECT_NUMBER(receive(BATCH, PATIENCE_MS), count);
    uint32_t seen = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t number;
        memcpy(&number, (const void *)(uintptr_t)packets[i].address, sizeof number);
        expect_packet((int)i, number, 64, 64);
        seen |= 1u << number;
    }
    EXPECT_NUMBER(seen, ((1u << count) - 1) << first);
    close_port();
}

static void serves_the_rings_that_the_name_says(void) {
    expect_rings("eth0", 0, 2);
    expect_rings("eth0-0", 0, 1);
    expect_rings("eth0-1", 1, 1);
    expect_rings("eth0-2", 0, 1); /* a third transmit ring, and the first receive ring for want of a third */
    expect_rings("eth0^", 2, 2);
    expect_rings("eth0^1", 3, 1);
    expect_rings("eth0*", 0, 4);
}

static void captures_that_share_a_port_have_a_ring_each(void) {
    kernel_start((struct kernel_port){.rx_rings = 2});
    struct chimera_capture_options with = options("eth0");
    with.queue = 1;
    with.queues = 2;
    open_with(with);
    EXPECT_NUMBER(kernel.registration.mode, CHIMERA_NETMAP_ONE_NIC);
    send_packet(0, 0, 64);
    send_packet(1, 1, 64);
    EXPECT_NUMBER(receive(BATCH, PATIENCE_MS), 1);
    expect_packet(0, 1, 64, 64);
    close_port();
    with.queues = 3;
    EXPECT_NUMBER(netmap->open(&with, &capture, error, sizeof error), -EINVAL);
    EXPECT_CONTAINS(error, "as many captures as rings");
    with.target = "eth0^";
    EXPECT_NUMBER(netmap->open(&with, &capture, error, sizeof error), -EINVAL);
    EXPECT_CONTAINS(error, "leave the rings out");
    EXPECT_NUMBER(kernel.opened, 0);
}

static void corrupt_slots_are_counted_and_left_out(void) {
    kernel_start((struct kernel_port){.slots = 32});
    open_port("p}1");
    struct chimera_netmap_slot *slots = kernel.rings[0].shared->slots;
    uint32_t buffers = 2 + 32;
    for (uint64_t number = 0; number < 7; number++) {
        send_packet(0, number, 100);
    }
    send_slots(0, 7, 300, 100);
    send_packet(0, 8, 100);
    kernel_synchronise();
    slots[1].buf_idx = buffers;
    slots[2].buf_idx = UINT32_MAX;
    slots[3].len = 2049;
    slots[4].len = 0;
    slots[8].buf_idx = 0x80000000; /* in the midst of packet 7 */
    EXPECT_NUMBER(receive(BATCH, PATIENCE_MS), 4);
    expect_packet(0, 0, 100, 100);
    expect_packet(1, 5, 100, 100);
    expect_packet(2, 6, 100, 100);
    expect_packet(3, 8, 100, 100);
    EXPECT_NUMBER(counters().invalid, 5);
    EXPECT_NUMBER(counters().received, 4);
    close_port();
}

static void a_corrupt_tail_is_counted_and_not_followed(void) {
    kernel_start((struct kernel_port){.slots = 16});
    open_port("p}1");
    kernel.sync_error = 0;
    kernel.rings[0].hardware_tail = 16;
    EXPECT_NUMBER(receive(BATCH, 0), 0);
    EXPECT(counters().invalid > 0);
    EXPECT_NUMBER(counters().received, 0);
    close_port();
}

static void expect_bad_layout(void) {
    expect_refused("p}1", EPROTO, "not laid out");
}

static void memory_that_is_laid_out_otherwise_is_refused(void) {
    struct kernel_port port = {0};
    const int64_t offsets[] = {INT64_MIN, -4096, 1, 1 << 20, INT64_MAX};
    kernel_start(port);
    kernel.offset_claimed = kernel.memory_bytes;
    expect_bad_layout();
    kernel.offset_claimed = UINT64_MAX - 7;
    expect_bad_layout();
    kernel.offset_claimed = 0;
    for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++) {
        kernel_start(port);
        kernel_if()->ring_ofs[1] = offsets[i];
        expect_bad_layout();
        kernel_start(port);
        kernel.rings[0].shared->buf_ofs = i == 2 ? INT64_MAX - 64 : offsets[i];
        if (i != 1) { /* buffers before their ring are odd, but within the memory they do no harm */
            expect_bad_layout();
        }
    }
    const uint32_t counts[] = {0, 1 << 16, UINT32_MAX};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        kernel_start(port);
        kernel_if()->rx_rings = counts[i];
        expect_bad_layout();
        kernel_start(port);
        kernel_if()->tx_rings = counts[i] == 0 ? 1 << 20 : counts[i];
        expect_bad_layout();
        kernel_start(port);
        kernel.rings[0].shared->num_slots = counts[i];
        expect_bad_layout();
        kernel_start(port);
        kernel.rings[0].shared->head = counts[i] == 0 ? 16 : counts[i];
        expect_bad_layout();
    }
    kernel_start(port);
    kernel.rings[0].shared->buf_size = 0;
    expect_bad_layout();
    kernel_start(port);
    kernel.memsize_claimed = 200; /* before netmap_if */
    expect_bad_layout();
}

static void times_are_the_rings_where_the_kernel_writes_them(void) {
    kernel_start((struct kernel_port){0});
    open_port("p}1");
    kernel.time_ns = 1700000000123456000;
    send_packet(0, 0, 64);
    EXPECT_NUMBER(receive(BATCH, PATIENCE_MS), 1);
    EXPECT_NUMBER(packets[0].timestamp_ns, 1700000000123456000);
    close_port();
    kernel_start((struct kernel_port){0});
    /* A time that an earlier owner of the ring has left behind, and no new one. */
    kernel.rings[0].shared->seconds = 5;
    open_port("p}1");
    struct timespec before;
    clock_gettime(CLOCK_REALTIME, &before);
    send_packet(0, 0, 64);
    EXPECT_NUMBER(receive(BATCH, PATIENCE_MS), 1);
    EXPECT(packets[0].timestamp_ns >= (int64_t)before.tv_sec * 1000000000 + before.tv_nsec);
    close_port();
}

static void interrupted_calls_go_on(void) {
    kernel_start((struct kernel_port){0});
    open_port("p}1");
    kernel.interruptions = 3;
    send_packet(0, 0, 64);
    EXPECT_NUMBER(receive(BATCH, 0), 1);
    kernel.interruptions = 3;
    send_packet(0, 1, 64);
    EXPECT_NUMBER(receive(BATCH, PATIENCE_MS), 1);
    close_port();
}

static void a_port_that_vanishes_ends_the_capture(void) {
    kernel_start((struct kernel_port){0});
    open_port("p}1");
    kernel.poll_error = POLLERR;
    EXPECT_NUMBER(receive(BATCH, PATIENCE_MS), -ENODEV);
    EXPECT_CONTAINS(netmap->failure(capture), "gone");
    kernel.poll_error = 0;
    kernel.sync_error = ENXIO;
    EXPECT_NUMBER(receive(BATCH, 0), -ENXIO);
    EXPECT_CONTAINS(netmap->failure(capture), "gone");
    close_port();
}

static void a_device_that_is_down_comes_back(void) {
    if (if_nametoindex("lo") == 0) {
        (void)fprintf(stderr, "netmap_test: skipped: a device that is down, as there is no lo\n");
        return;
    }
    kernel_start((struct kernel_port){0});
    open_port("lo");
    kernel.poll_error = POLLERR;
    kernel.sync_error = EIO;
    EXPECT_NUMBER(receive(BATCH, 30), 0);
    EXPECT(kernel.polls <= 5); /* it does not burn the core */
    EXPECT_NUMBER(receive(BATCH, 0), 0);
    kernel.poll_error = 0;
    kernel.sync_error = 0;
    send_packet(0, 0, 64);
    EXPECT_NUMBER(receive(BATCH, PATIENCE_MS), 1);
    close_port();
}

enum { STREAM_PACKETS = 100000, STREAM_RINGS = 2 };

static void *stream(void *argument) {
    uint32_t ring = *(uint32_t *)argument;
    for (uint64_t number = 0; number < STREAM_PACKETS;) {
        uint32_t length = number % 5 == 0 ? 700 : 60;
        struct kernel_packet packet = {.number = number << 8 | ring, .length = length, .slot_bytes = 256};
        if (kernel_send(ring, packet)) {
            number++;
        } else {
            sched_yield();
        }
    }
    return NULL;
}

static void every_packet_of_other_threads_arrives_once_and_in_order(uint32_t flags) {
    pthread_t threads[STREAM_RINGS];
    uint32_t numbers[STREAM_RINGS];
    uint64_t expected[STREAM_RINGS] = {0};
    kernel_start((struct kernel_port){.rx_rings = STREAM_RINGS, .slots = 256, .buf_size = 256});
    struct chimera_capture_options with = options("eth0");
    with.flags = flags;
    open_with(with);
    for (uint32_t ring = 0; ring < STREAM_RINGS; ring++) {
        numbers[ring] = ring;
        EXPECT_NUMBER(pthread_create(&threads[ring], NULL, stream, &numbers[ring]), 0);
    }
    for (uint64_t total = 0; total < STREAM_RINGS * STREAM_PACKETS;) {
        int count = receive(BATCH, PATIENCE_MS);
        EXPECT(count > 0);
        for (int i = 0; i < count; i++, total++) {
            uint64_t number;
            memcpy(&number, (const void *)(uintptr_t)packets[i].address, sizeof number);
            EXPECT_NUMBER(number >> 8, expected[number & 0xff]++);
            EXPECT_NUMBER(packets[i].length, (number >> 8) % 5 == 0 ? 700 : 60);
            kernel_expect_packet((const void *)(uintptr_t)packets[i].address, 16, number);
        }
    }
    for (uint32_t ring = 0; ring < STREAM_RINGS; ring++) {
        EXPECT_NUMBER(pthread_join(threads[ring], NULL), 0);
    }
    EXPECT_NUMBER(receive(BATCH, 0), 0);
    EXPECT_NUMBER(counters().received, STREAM_RINGS * STREAM_PACKETS);
    EXPECT_NUMBER(counters().invalid, 0);
    close_port();
}

int main(void) {
    netmap = chimera_back_end_of("netmap");
    EXPECT(netmap != NULL);
    reads_names_of_ports_as_users_write_them();
    says_that_the_module_is_missing();
    says_why_a_port_is_refused();
    registers_what_the_name_says();
    speaks_version_15_where_the_module_wants_it();
    hands_out_slots_where_they_lie_while_the_ring_wraps();
    an_empty_ring_gives_nothing_in_time();
    a_full_ring_is_drained_and_filled_again();
    what_is_handed_out_stays_until_it_is_released();
    gives_slots_back_before_the_ring_runs_dry();
    gathers_packets_of_several_slots();
    gathered_and_single_packets_keep_their_order_in_a_batch();
    a_packet_longer_than_the_memory_for_it_is_cut();
    a_batch_ends_where_the_memory_for_long_packets_does();
    cuts_at_the_snap_length();
    waits_for_the_rest_of_a_packet();
    sleeps_while_only_a_part_of_a_packet_is_there();
    a_packet_that_never_ends_is_left_out();
    serves_several_rings_in_turn();
    serves_the_rings_that_the_name_says();
    captures_that_share_a_port_have_a_ring_each();
    corrupt_slots_are_counted_and_left_out();
    a_corrupt_tail_is_counted_and_not_followed();
    memory_that_is_laid_out_otherwise_is_refused();
    times_are_the_rings_where_the_kernel_writes_them();
    interrupted_calls_go_on();
    a_port_that_vanishes_ends_the_capture();
    a_device_that_is_down_comes_back();
    every_packet_of_other_threads_arrives_once_and_in_order(0);
    every_packet_of_other_threads_arrives_once_and_in_order(CHIMERA_BUSY_POLL);
    free(kernel.memory);
    return 0;
}
