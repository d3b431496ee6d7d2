/* Rings of the netmap back-end: walking, returning slots, damage, and concurrent senders. */
#include "netmap_capture.h"

#include <net/if.h>
#include <sched.h>

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
    kernel_expect_packet((const void *)(uintptr_t)first, 100, 8); /* refilled by the kernel */
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

static void serves_several_rings_in_turn(void) {
    kernel_start(
            (struct kernel_port){.tx_rings = 2, .rx_rings = 4, .host_tx_rings = 1, .host_rx_rings = 1, .slots = 32});
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
            /* No ring is ahead of another by more than its number of slots. */
            EXPECT(expected[number & 0xff] <= expected[(number + 1) & 3] + 64);
        }
    }
    EXPECT_NUMBER(receive(10, 0), 0); /* the host ring does not belong to the capture */
    close_port();
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
    slots[8].buf_idx = 0x80000000; /* in the middle of packet 7 */
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

static void times_are_the_rings_where_the_kernel_writes_them(void) {
    kernel_start((struct kernel_port){0});
    open_port("p}1");
    kernel.time_ns = 1700000000123456000;
    send_packet(0, 0, 64);
    EXPECT_NUMBER(receive(BATCH, PATIENCE_MS), 1);
    EXPECT_NUMBER(packets[0].timestamp_ns, 1700000000123456000);
    close_port();
    kernel_start((struct kernel_port){0});
    /* A time left by an earlier owner of the ring, and no new time. */
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
        (void)fprintf(stderr, "netmap_ring_test: skipped: a device that is down, as there is no lo\n");
        return;
    }
    kernel_start((struct kernel_port){0});
    open_port("lo");
    kernel.poll_error = POLLERR;
    kernel.sync_error = EIO;
    EXPECT_NUMBER(receive(BATCH, 30), 0);
    EXPECT(kernel.polls <= 5); /* does not spin */
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
    begin_tests();
    hands_out_slots_where_they_lie_while_the_ring_wraps();
    an_empty_ring_gives_nothing_in_time();
    a_full_ring_is_drained_and_filled_again();
    what_is_handed_out_stays_until_it_is_released();
    gives_slots_back_before_the_ring_runs_dry();
    serves_several_rings_in_turn();
    corrupt_slots_are_counted_and_left_out();
    a_corrupt_tail_is_counted_and_not_followed();
    times_are_the_rings_where_the_kernel_writes_them();
    interrupted_calls_go_on();
    a_port_that_vanishes_ends_the_capture();
    a_device_that_is_down_comes_back();
    every_packet_of_other_threads_arrives_once_and_in_order(0);
    every_packet_of_other_threads_arrives_once_and_in_order(CHIMERA_BUSY_POLL);
    free(kernel.memory);
    return 0;
}
