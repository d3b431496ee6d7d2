/* Devices with io_uring: waiting operations, refused operations, and writes split into pieces. */
#include "device_file.h"

static void a_device_that_answers_no_more_is_waited_for_in_vain(void) {
    disk_insert(1);
    open_device(CHIMERA_DEVICE_IO_URING);
    disk.stuck = true;
    EXPECT_NUMBER(write_block(0, 0, 1), 1);
    EXPECT_NUMBER(chimera_device_poll(device, completions, DEPTH, 0), 0);
    EXPECT_NUMBER(disk.polls, 0);
    EXPECT_NUMBER(chimera_device_poll(device, completions, DEPTH, 1), 0);
    EXPECT_NUMBER(disk.polls, 1);
    disk.stuck = false;
    EXPECT_NUMBER(one_result(1), BLOCK);
    close_device();
}

static void closing_waits_for_what_is_in_flight(void) {
    disk_insert(1);
    open_device(CHIMERA_DEVICE_IO_URING);
    for (uint32_t slot = 0; slot < DEPTH; slot++) {
        EXPECT_NUMBER(write_block(slot, slot, slot), 1);
    }
    EXPECT_NUMBER(disk.writes, 0);
    close_device();
    EXPECT_NUMBER(disk.writes, DEPTH);
    EXPECT_NUMBER(disk.flushes, 0);
}

static void closing_waits_although_the_kernel_refuses_to_wait(void) {
    const int refusals[] = {EAGAIN, EBUSY, ENOMEM};
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        disk_insert(1);
        open_device(CHIMERA_DEVICE_IO_URING);
        for (uint32_t slot = 0; slot < DEPTH; slot++) {
            EXPECT_NUMBER(write_block(slot, slot, slot), 1);
        }
        disk.wait_error = refusals[i];
        close_device();
        EXPECT_NUMBER(disk.writes, DEPTH);
        EXPECT_NUMBER(disk.mapped, 0);
    }
}

static void what_the_ring_does_not_take_waits_or_is_done_at_once(void) {
    disk_insert(1);
    open_device(CHIMERA_DEVICE_IO_URING);
    fill(0, 4);
    disk.enter_error = EAGAIN;
    EXPECT_NUMBER(write_block(0, 4, 1), 1);
    EXPECT_NUMBER(disk.writes, 1);
    EXPECT_NUMBER(write_block(1, 5, 2), 1);
    disk.enter_error = EAGAIN;
    EXPECT_NUMBER(write_block(2, 6, 3), 0);
    disk.enter_error = EBUSY;
    EXPECT_NUMBER(chimera_device_flush(device, 3), 0);
    EXPECT_NUMBER(write_block(2, 6, 3), 1);
    EXPECT_NUMBER(chimera_device_poll(device, completions, DEPTH, WAIT_MS), 1);
    EXPECT_NUMBER(completions[0].token, 1);
    EXPECT_NUMBER(completions[0].result, BLOCK);
    EXPECT(holds(4));
    while (chimera_device_poll(device, completions, DEPTH, WAIT_MS) > 0) {
    }
    disk.enter_error = EBADF;
    EXPECT_NUMBER(chimera_device_flush(device, 4), 1);
    EXPECT_NUMBER(one_result(4), 0);
    close_device();
}

/* Writes the whole device in one write, which has several pieces on every disk. */
static int write_whole(const uint8_t *whole) {
    EXPECT_NUMBER(chimera_device_write(device, 0, whole, BLOCKS * BLOCK, 7), 1);
    return one_result(7);
}

static void a_large_write_ends_once_when_all_its_pieces_have(void) {
    uint8_t *whole = aligned_alloc(BLOCK, (size_t)BLOCKS * BLOCK);
    EXPECT(whole != NULL);
    for (uint32_t block = 0; block < BLOCKS; block++) {
        fill(0, block);
        memcpy(whole + (size_t)block * BLOCK, memory, BLOCK);
    }
    for (uint64_t seed = 1; seed < 20; seed++) {
        disk_insert(seed);
        open_device(CHIMERA_DEVICE_IO_URING);
        EXPECT_NUMBER(write_whole(whole), BLOCKS * BLOCK);
        int pieces = disk.writes;
        EXPECT(pieces >= 4 && pieces <= 8);
        for (uint64_t block = 0; block < BLOCKS; block++) {
            EXPECT(holds(block));
        }
        EXPECT_NUMBER(chimera_device_poll(device, completions, DEPTH, 0), 0);
        disk.fail_write = pieces + 2;
        disk.write_error = EIO;
        EXPECT_NUMBER(write_whole(whole), -EIO);
        disk.short_write = 2 * pieces + 1;
        disk.short_bytes = SECTOR;
        EXPECT_NUMBER(write_whole(whole), BLOCKS * BLOCK - BLOCKS * BLOCK / pieces + SECTOR);
        /* The part of a write refused by the ring is written synchronously. */
        disk.enter_limit = 2;
        EXPECT_NUMBER(write_whole(whole), BLOCKS * BLOCK);
        EXPECT_NUMBER(disk.writes, 3 * pieces + 3);
        disk.enter_limit = 0;
        /* As many large writes as the depth permits. */
        for (uint64_t token = 0; token < DEPTH; token++) {
            EXPECT_NUMBER(chimera_device_write(device, 0, whole, BLOCKS * BLOCK, token), 1);
        }
        EXPECT_NUMBER(chimera_device_flush(device, 9), 0);
        for (int ended = 0; ended < DEPTH; ended++) {
            EXPECT_NUMBER(chimera_device_poll(device, completions, 1, WAIT_MS), 1);
            EXPECT_NUMBER(completions[0].result, BLOCKS * BLOCK);
        }
        close_device();
    }
    free(whole);
}

static void registered_memory_is_written_as_such(void) {
    disk_insert(1);
    open_device(CHIMERA_DEVICE_IO_URING);
    EXPECT_NUMBER(chimera_device_register(device, memory + BLOCK, 2 * (size_t)BLOCK), 0);
    EXPECT_NUMBER(chimera_device_register(device, memory, BLOCK), -EBUSY);
    for (uint32_t slot = 0; slot < DEPTH; slot++) {
        fill(slot, slot);
        EXPECT_NUMBER(write_block(slot, slot, slot), 1);
        EXPECT_NUMBER(one_result(slot), BLOCK);
        bool inside = slot == 1 || slot == 2;
        EXPECT_NUMBER(disk.log[slot].operation, inside ? CHIMERA_URING_WRITE_FIXED : CHIMERA_URING_WRITE);
        EXPECT(holds(slot));
    }
    /* A range that only partly lies in registered memory counts as unregistered. */
    EXPECT_NUMBER(chimera_device_write(device, 0, memory + 2 * BLOCK + BLOCK / 2, BLOCK, 9), 1);
    EXPECT_NUMBER(one_result(9), BLOCK);
    EXPECT_NUMBER(disk.log[DEPTH].operation, CHIMERA_URING_WRITE);
    close_device();

    disk_insert(1);
    open_device(CHIMERA_DEVICE_IO_URING);
    disk.register_error = ENOMEM;
    EXPECT_NUMBER(chimera_device_register(device, memory, BLOCK), -ENOMEM);
    EXPECT_NUMBER(write_block(0, 0, 1), 1);
    EXPECT_NUMBER(one_result(1), BLOCK);
    EXPECT_NUMBER(disk.log[0].operation, CHIMERA_URING_WRITE);
    close_device();
}

static void a_kernel_that_refuses_the_ring_is_written_to_without(void) {
    const struct {
        int number;
        const char *why;
    } refusals[] = {
            {EPERM, "kernel.io_uring_disabled"}, {ENOSYS, "Linux 5.6"}, {ENOMEM, "ulimit -l"}, {0, "Linux 5.6"}};
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        disk_insert(1);
        disk.setup_error = refusals[i].number;
        disk.features = CHIMERA_URING_SINGLE_MAP;
        EXPECT_NUMBER(chimera_device_available(CHIMERA_DEVICE_IO_URING, error, sizeof error), 0);
        EXPECT_CONTAINS(error, refusals[i].why);
        EXPECT_NUMBER(try_open(path, 0, CHIMERA_DEVICE_IO_URING) < 0, true);
        EXPECT_CONTAINS(error, path);
        EXPECT_CONTAINS(error, refusals[i].why);
        EXPECT_NUMBER(chimera_device_available(CHIMERA_DEVICE_BEST, error, sizeof error), 1);
        open_device(CHIMERA_DEVICE_BEST);
        struct chimera_device_facts facts;
        chimera_device_facts(device, &facts);
        EXPECT_NUMBER(facts.flags & CHIMERA_DEVICE_HAS_URING, 0);
        EXPECT_NUMBER(chimera_device_register(device, memory, BLOCK), 0);
        EXPECT_NUMBER(write_block(0, 0, 1), 1);
        EXPECT_NUMBER(one_result(1), BLOCK);
        close_device();
    }
}

int main(void) {
    begin_tests();
    a_device_that_answers_no_more_is_waited_for_in_vain();
    closing_waits_for_what_is_in_flight();
    closing_waits_although_the_kernel_refuses_to_wait();
    what_the_ring_does_not_take_waits_or_is_done_at_once();
    a_large_write_ends_once_when_all_its_pieces_have();
    registered_memory_is_written_as_such();
    a_kernel_that_refuses_the_ring_is_written_to_without();
    end_tests();
    return 0;
}
