/* Packets of the netmap back-end in several slots, and their truncation. */
#include "netmap_capture.h"

static void gathers_packets_of_several_slots(void) {
    kernel_start((struct kernel_port){.slots = 16});
    open_port("p}1");
    uint64_t expected = 0;
    for (uint64_t number = 0; number < 300; number++) {
        /*
         * One to seven slots, with varying lengths of the last slot: packets wrap around the ring in every possible
         * way.
         */
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
    /* Seven of nine needed slots are free: 4 for the first packet and 3 for the second. */
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
    EXPECT(kernel.polls <= 3); /* poll waited: cur is past the available slots */
    EXPECT_NUMBER(ring->head, 0);
    /* Delivers the rest. */
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
    send_packet(0, 10, 100); /* end of the packet */
    send_packet(0, 11, 100);
    EXPECT_NUMBER(receive(BATCH, PATIENCE_MS), 1);
    expect_packet(0, 11, 100, 100);
    EXPECT_NUMBER(counters().invalid, 1);
    close_port();
}

int main(void) {
    begin_tests();
    gathers_packets_of_several_slots();
    gathered_and_single_packets_keep_their_order_in_a_batch();
    a_packet_longer_than_the_memory_for_it_is_cut();
    a_batch_ends_where_the_memory_for_long_packets_does();
    cuts_at_the_snap_length();
    waits_for_the_rest_of_a_packet();
    sleeps_while_only_a_part_of_a_packet_is_there();
    a_packet_that_never_ends_is_left_out();
    free(kernel.memory);
    return 0;
}
