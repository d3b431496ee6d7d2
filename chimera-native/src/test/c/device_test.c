/* Devices on a disk that fails when told to (device_kernel.h), and on the one of this machine. */
#include "chimera_device.h"
#include "device_kernel.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

enum { SECTOR = 4096, BLOCK = 65536, BLOCKS = 64, DEPTH = 4, WAIT_MS = 60000 };

static const struct chimera_device_system *kernel;
static char path[] = "/tmp/chimera-device-test-XXXXXX";
static char error[1024];
static uint8_t *memory; /* DEPTH blocks, and one to read into */
static chimera_device *device;
static struct chimera_completion completions[DEPTH];

static int try_open(const char *target, uint64_t bytes, uint32_t mechanism) {
    struct chimera_device_options options = {
        .target = target,
        .bytes = bytes,
        .depth = DEPTH,
        .mechanism = mechanism,
    };
    return chimera_device_open(&options, &device, error, sizeof error);
}

static void open_device(uint32_t mechanism) {
    int result = try_open(path, (uint64_t)BLOCKS * BLOCK, mechanism);
    if (result != 0) {
        (void)fprintf(stderr, "%s\n", error);
    }
    EXPECT_NUMBER(result, 0);
}

static void close_device(void) {
    chimera_device_close(device);
    EXPECT_NUMBER(disk.opened, 0);
    EXPECT_NUMBER(disk.mapped, 0);
}

static void fill(uint32_t slot, uint64_t block) {
    for (uint32_t i = 0; i < BLOCK; i++) {
        memory[slot * BLOCK + i] = (uint8_t)(block * 31 + i % 251);
    }
}

static bool holds(uint64_t block) {
    uint8_t *read = memory + (size_t)DEPTH * BLOCK;
    EXPECT_NUMBER(chimera_device_read(device, block * BLOCK, read, BLOCK), BLOCK);
    for (uint32_t i = 0; i < BLOCK; i++) {
        if (read[i] != (uint8_t)(block * 31 + i % 251)) {
            return false;
        }
    }
    return true;
}

static int write_block(uint32_t slot, uint64_t block, uint64_t token) {
    return chimera_device_write(device, block * BLOCK, memory + (size_t)slot * BLOCK, BLOCK, token);
}

/* Polls one completion and says its result. */
static int one_result(uint64_t token) {
    EXPECT_NUMBER(chimera_device_poll(device, completions, 1, WAIT_MS), 1);
    EXPECT_NUMBER(completions[0].token, token);
    return completions[0].result;
}

/* Writes every block of the device with DEPTH slots, each used again as soon as its write has ended. */
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

/* All of the device in one write, which has pieces on every disk. */
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
        /* What the ring takes in part is written in part at once. */
        disk.enter_limit = 2;
        EXPECT_NUMBER(write_whole(whole), BLOCKS * BLOCK);
        EXPECT_NUMBER(disk.writes, 3 * pieces + 3);
        disk.enter_limit = 0;
        /* As many as the depth allows, all of them large. */
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
    /* Half in it is not in it. */
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
    } refusals[] = {{EPERM, "kernel.io_uring_disabled"}, {ENOSYS, "Linux 5.6"}, {ENOMEM, "ulimit -l"}, {0, "Linux 5.6"}};
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

static void expect_refused(const char *target, uint64_t bytes, int number, const char *why) {
    EXPECT_NUMBER(try_open(target, bytes, CHIMERA_DEVICE_BEST), -number);
    EXPECT_CONTAINS(error, target);
    EXPECT_CONTAINS(error, why);
}

static void what_cannot_be_opened_is_named_with_the_remedy(void) {
    disk_insert(1);
    expect_refused("/tmp", 0, ENOTBLK, "it is neither a block device nor a file");
    expect_refused("/dev/null", 0, ENOTBLK, "it is neither a block device nor a file");
    expect_refused("/nowhere/volume", 0, ENOENT, "say which size");
    expect_refused("/nowhere/volume", BLOCK, ENOENT, "cannot be opened");
    EXPECT(truncate(path, 0) == 0);
    expect_refused(path, 0, EINVAL, "it is empty");
    expect_refused(path, SECTOR - 1, EINVAL, "it is empty");
    expect_refused(path, UINT64_C(1) << 60, ENOSPC, "make room");
    open_device(CHIMERA_DEVICE_BEST);
    chimera_device *first = device;
    expect_refused(path, 0, EBUSY, "it is open elsewhere already");
    device = first;
    close_device();
    expect_refused(path, SECTOR, EINVAL, "leave the size away");
    open_device(CHIMERA_DEVICE_PWRITE);
    close_device();
}

static void a_lock_of_the_other_kind_keeps_it_away_too(void) {
    int fd = open(path, O_RDWR | O_CLOEXEC);
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    EXPECT(fd >= 0 && fcntl(fd, F_SETLK, &lock) == 0);
    disk_insert(1);
    expect_refused(path, 0, EBUSY, "it is open elsewhere already");
    EXPECT(close(fd) == 0);
}

static int holder; /* descriptor of a process that has ended, held by its writes */
static int waits;

static int poll_until_written(struct pollfd *fds, nfds_t count, int timeout_ms) {
    EXPECT(fds == NULL && count == 0 && timeout_ms > 0);
    if (++waits == 3) {
        EXPECT(close(holder) == 0);
    }
    return 0;
}

static int poll_in_vain(struct pollfd *fds, nfds_t count, int timeout_ms) {
    EXPECT(fds == NULL && count == 0 && timeout_ms > 0);
    return 0;
}

static void hold_as_writes_do(void) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 1, .l_len = 1};
    holder = open(path, O_RDWR | O_CLOEXEC);
    EXPECT(holder >= 0 && fcntl(holder, F_OFD_SETLK, &lock) == 0);
}

static void writes_of_a_process_that_has_ended_are_waited_for(void) {
    disk_insert(1);
    struct chimera_device_system system = *chimera_device_system;
    chimera_device_system = &system;
    hold_as_writes_do();
    system.poll = poll_in_vain;
    expect_refused(path, 0, EBUSY, "on their way still");
    system.poll = poll_until_written;
    EXPECT_NUMBER(try_open(path, 0, CHIMERA_DEVICE_PWRITE), 0);
    EXPECT_NUMBER(waits, 3);
    system.poll = disk_system.poll;
    close_device();
}

static void a_partition_that_begins_amid_a_sector_is_refused(void) {
    disk_insert(1);
    struct stat status;
    EXPECT(stat(path, &status) == 0);
    char folder[] = "/tmp/chimera-device-facts-XXXXXX";
    EXPECT(mkdtemp(folder) != NULL);
    char disk_folder[128];
    (void)snprintf(disk_folder, sizeof disk_folder, "%s/%u:%u", folder, major(status.st_dev), minor(status.st_dev));
    EXPECT(mkdir(disk_folder, 0700) == 0);
    char name[160];
    (void)snprintf(name, sizeof name, "%s/alignment_offset", disk_folder);
    struct chimera_device_system system = *chimera_device_system;
    system.facts = folder;
    chimera_device_system = &system;
    for (int offset = -1; offset <= 512; offset += 513) {
        FILE *file = fopen(name, "we");
        EXPECT(file != NULL && fprintf(file, "%d\n", offset) > 0 && fclose(file) == 0);
        expect_refused(path, 0, EINVAL, "begins amid a sector");
    }
    EXPECT(unlink(name) == 0);
    EXPECT_NUMBER(try_open(path, 0, CHIMERA_DEVICE_PWRITE), 0);
    close_device();
    EXPECT(rmdir(disk_folder) == 0 && rmdir(folder) == 0);
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
    a_device_that_answers_no_more_is_waited_for_in_vain();
    closing_waits_for_what_is_in_flight();
    what_the_ring_does_not_take_waits_or_is_done_at_once();
    a_large_write_ends_once_when_all_its_pieces_have();
    registered_memory_is_written_as_such();
    a_kernel_that_refuses_the_ring_is_written_to_without();
    reads_tell_errors_and_the_end();
    what_cannot_be_opened_is_named_with_the_remedy();
    a_lock_of_the_other_kind_keeps_it_away_too();
    writes_of_a_process_that_has_ended_are_waited_for();
    a_partition_that_begins_amid_a_sector_is_refused();
}

static void on_this_machine(void) {
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
    kernel = chimera_device_system;
    int fd = mkstemp(path);
    EXPECT(fd >= 0 && close(fd) == 0);
    memory = aligned_alloc(BLOCK, (size_t)(DEPTH + 1) * BLOCK);
    EXPECT(memory != NULL);
    on_the_disk_that_fails();
    on_this_machine();
    free(memory);
    EXPECT(unlink(path) == 0);
    return 0;
}
