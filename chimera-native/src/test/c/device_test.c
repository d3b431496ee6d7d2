/* Writes, flushes and reads with each mechanism: on a disk with injected failures, and on this machine's disk. */
#include "device_file.h"

/* Writes every block of the device with DEPTH slots, each reused as soon as its write has completed. */
static void write_all(int error_expected, uint64_t *failed) {
    bool busy[DEPTH] = {false};
    uint64_t of_slot[DEPTH];
    uint32_t ended = 0;
    for (uint64_t block = 0; ended < BLOCKS;) {
        for (uint32_t slot = 0; slot < DEPTH && block < BLOCKS; slot++) {
            if (!busy[slot]) {
                fill(slot, block);
                EXPECT_NUMBER(write_block(slot, block, slot), 1);
                busy[slot] = true;
                of_slot[slot] = block++;
            }
        }
        if (busy[0] && busy[1] && busy[2] && busy[3]) {
            EXPECT_NUMBER(write_block(0, 0, 99), 0);
            EXPECT_NUMBER(chimera_device_flush(device, 99), 0);
        }
        int count = chimera_device_poll(device, completions, DEPTH, WAIT_MS);
        EXPECT(count > 0);
        for (int i = 0; i < count; i++, ended++) {
            uint64_t slot = completions[i].token;
            EXPECT(slot < DEPTH && busy[slot]);
            busy[slot] = false;
            if (completions[i].result != BLOCK) {
                EXPECT_NUMBER(completions[i].result, error_expected);
                *failed = of_slot[slot];
            }
        }
    }
}

static void every_block_lands_where_it_belongs(uint32_t mechanism) {
    uint64_t failed = BLOCKS;
    open_device(mechanism);
    struct chimera_device_facts facts;
    chimera_device_facts(device, &facts);
    EXPECT_NUMBER(facts.size, BLOCKS * BLOCK);
    EXPECT(facts.alignment >= SECTOR && facts.alignment <= BLOCK);
    EXPECT_NUMBER((facts.flags & CHIMERA_DEVICE_HAS_URING) != 0, mechanism != CHIMERA_DEVICE_PWRITE);
    EXPECT_NUMBER(facts.flags & CHIMERA_DEVICE_IS_BLOCK, 0);
    write_all(0, &failed);
    EXPECT_NUMBER(chimera_device_flush(device, 7), 1);
    EXPECT_NUMBER(one_result(7), 0);
    for (uint64_t block = 0; block < BLOCKS; block++) {
        EXPECT(holds(block));
    }
    EXPECT_NUMBER(failed, BLOCKS);
    EXPECT_NUMBER(chimera_device_poll(device, completions, DEPTH, 0), 0);
    EXPECT_NUMBER(chimera_device_poll(device, completions, DEPTH, WAIT_MS), 0);
    close_device();
}

static void a_failed_write_is_told_once_and_the_others_are_not_harmed(uint32_t mechanism) {
    for (int number = 1; number < BLOCKS; number += 13) {
        uint64_t failed = BLOCKS;
        disk_insert((uint64_t)number);
        open_device(mechanism);
        disk.fail_write = number;
        disk.write_error = number % 2 == 0 ? EIO : ENODEV;
        write_all(-disk.write_error, &failed);
        EXPECT(failed < BLOCKS);
        EXPECT_NUMBER(disk.writes, BLOCKS);
        for (uint64_t block = 0; block < BLOCKS; block++) {
            EXPECT(block == failed || holds(block));
        }
        close_device();
    }
}

static void a_short_write_is_told(uint32_t mechanism) {
    disk_insert(1);
    open_device(mechanism);
    disk.short_write = 1;
    disk.short_bytes = 512;
    EXPECT_NUMBER(write_block(0, 3, 5), 1);
    EXPECT_NUMBER(one_result(5), 512);
    EXPECT_NUMBER(disk.writes, 1);
    close_device();
}

static void what_ended_at_a_sector_goes_on_where_each_write_is_done_at_once(void) {
    disk_insert(1);
    open_device(CHIMERA_DEVICE_PWRITE);
    fill(0, 3);
    disk.short_write = 1;
    disk.short_bytes = 2 * SECTOR;
    EXPECT_NUMBER(write_block(0, 3, 5), 1);
    EXPECT_NUMBER(one_result(5), BLOCK);
    EXPECT_NUMBER(disk.writes, 2);
    EXPECT(holds(3));
    disk.fail_write = 4;
    disk.write_error = EIO;
    disk.short_write = 3;
    EXPECT_NUMBER(write_block(0, 3, 6), 1);
    EXPECT_NUMBER(one_result(6), 2 * SECTOR);
    close_device();
}

static void a_failed_flush_is_told_and_not_tried_again(uint32_t mechanism) {
    disk_insert(1);
    open_device(mechanism);
    disk.flush_error = EIO;
    EXPECT_NUMBER(chimera_device_flush(device, 8), 1);
    EXPECT_NUMBER(one_result(8), -EIO);
    EXPECT_NUMBER(disk.flushes, 1);
    close_device();
    EXPECT_NUMBER(disk.flushes, 1);
}

static void a_flush_reaches_the_disk_behind_the_writes_that_ended(uint32_t mechanism) {
    disk_insert(1);
    open_device(mechanism);
    EXPECT_NUMBER(write_block(0, 0, 1), 1);
    EXPECT_NUMBER(one_result(1), BLOCK);
    EXPECT_NUMBER(chimera_device_flush(device, 2), 1);
    EXPECT_NUMBER(one_result(2), 0);
    EXPECT_NUMBER(disk.logged, 2);
    EXPECT_NUMBER(disk.log[0].operation, CHIMERA_URING_WRITE);
    EXPECT_NUMBER(disk.log[1].operation, CHIMERA_URING_FSYNC);
    close_device();
}

static void an_interrupted_call_goes_on(uint32_t mechanism) {
    disk_insert(1);
    open_device(mechanism);
    fill(0, 9);
    disk.interruptions = 2;
    EXPECT_NUMBER(write_block(0, 9, 1), 1);
    EXPECT_NUMBER(disk.interruptions, 0);
    disk.interruptions = mechanism == CHIMERA_DEVICE_PWRITE ? 0 : 2;
    EXPECT_NUMBER(one_result(1), BLOCK);
    EXPECT_NUMBER(disk.interruptions, 0);
    disk.interruptions = 2;
    EXPECT_NUMBER(chimera_device_flush(device, 2), 1);
    EXPECT_NUMBER(one_result(2), 0);
    disk.interruptions = 2;
    EXPECT(holds(9));
    EXPECT_NUMBER(write_block(0, 9, 3), 1);
    disk.interruptions = 2;
    close_device();
}

static void reads_tell_errors_and_the_end(void) {
    disk_insert(1);
    open_device(CHIMERA_DEVICE_BEST);
    uint8_t *read = memory + (size_t)DEPTH * BLOCK;
    disk.read_error = ENODEV;
    EXPECT_NUMBER(chimera_device_read(device, 0, read, BLOCK), -ENODEV);
    disk.read_error = 0;
    EXPECT(truncate(path, 3 * SECTOR) == 0);
    EXPECT_NUMBER(chimera_device_read(device, SECTOR, read, BLOCK), 2 * SECTOR);
    EXPECT_NUMBER(chimera_device_read(device, BLOCK, read, BLOCK), 0);
    EXPECT(truncate(path, 3 * SECTOR + 100) == 0);
    EXPECT_NUMBER(chimera_device_read(device, SECTOR, read, BLOCK), 2 * SECTOR + 100);
    close_device();
    EXPECT(truncate(path, 0) == 0);
}

static void with_each_mechanism(void (*test)(uint32_t)) {
    test(CHIMERA_DEVICE_IO_URING);
    test(CHIMERA_DEVICE_PWRITE);
}

static void on_the_disk_that_fails(void) {
    for (uint64_t seed = 1; seed <= 20; seed++) {
        disk_insert(seed);
        every_block_lands_where_it_belongs(CHIMERA_DEVICE_IO_URING);
    }
    disk_insert(1);
    every_block_lands_where_it_belongs(CHIMERA_DEVICE_PWRITE);
    with_each_mechanism(a_failed_write_is_told_once_and_the_others_are_not_harmed);
    with_each_mechanism(a_short_write_is_told);
    what_ended_at_a_sector_goes_on_where_each_write_is_done_at_once();
    with_each_mechanism(a_failed_flush_is_told_and_not_tried_again);
    with_each_mechanism(a_flush_reaches_the_disk_behind_the_writes_that_ended);
    with_each_mechanism(an_interrupted_call_goes_on);
    reads_tell_errors_and_the_end();
}

static void on_this_machine(const struct chimera_device_system *kernel) {
    chimera_device_system = kernel;
    memset(&disk, 0, sizeof disk);
    every_block_lands_where_it_belongs(CHIMERA_DEVICE_PWRITE);
    if (chimera_device_available(CHIMERA_DEVICE_IO_URING, error, sizeof error)) {
        every_block_lands_where_it_belongs(CHIMERA_DEVICE_IO_URING);
        open_device(CHIMERA_DEVICE_IO_URING);
        uint64_t failed = BLOCKS;
        (void)chimera_device_register(device, memory, DEPTH * (size_t)BLOCK);
        write_all(0, &failed);
        EXPECT_NUMBER(failed, BLOCKS);
        EXPECT(holds(0) && holds(BLOCKS - 1));
        EXPECT_NUMBER(write_block(0, 0, 1), 1);
        close_device();
    } else {
        (void)fprintf(stderr, "device_test: not tested on this kernel: %s\n", error);
    }
}

int main(void) {
    const struct chimera_device_system *kernel = chimera_device_system;
    begin_tests();
    on_the_disk_that_fails();
    on_this_machine(kernel);
    end_tests();
    return 0;
}
