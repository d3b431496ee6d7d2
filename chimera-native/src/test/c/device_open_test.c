/* Opening of devices, refusals with a remedy, and exclusion of other users. */
#include "device_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

static void expect_refused(const char *target, uint64_t bytes, int number, const char *why) {
    EXPECT_NUMBER(try_open(target, bytes, CHIMERA_DEVICE_BEST), -number);
    EXPECT_CONTAINS(error, target);
    EXPECT_CONTAINS(error, why);
}

static void what_cannot_be_opened_is_named_with_the_remedy(void) {
    disk_insert(1);
    expect_refused("/tmp", 0, ENOTBLK, "it is neither a block device nor a file");
    expect_refused("/dev/null", 0, ENOTBLK, "it is neither a block device nor a file");
    expect_refused("/nowhere/volume", 0, ENOENT, "specify a size");
    expect_refused("/nowhere/volume", BLOCK, ENOENT, "cannot be opened");
    EXPECT(truncate(path, 0) == 0);
    expect_refused(path, 0, EINVAL, "it is empty");
    expect_refused(path, SECTOR - 1, EINVAL, "it is empty");
    expect_refused(path, UINT64_C(1) << 60, ENOSPC, "free some space");
    open_device(CHIMERA_DEVICE_BEST);
    chimera_device *first = device;
    expect_refused(path, 0, EBUSY, "already open elsewhere");
    device = first;
    close_device();
    expect_refused(path, SECTOR, EINVAL, "omit the size");
    open_device(CHIMERA_DEVICE_PWRITE);
    close_device();
}

static void a_lock_of_the_other_kind_keeps_it_away_too(void) {
    int fd = open(path, O_RDWR | O_CLOEXEC);
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    EXPECT(fd >= 0 && fcntl(fd, F_SETLK, &lock) == 0);
    disk_insert(1);
    expect_refused(path, 0, EBUSY, "already open elsewhere");
    EXPECT(close(fd) == 0);
}

static int holder; /* descriptor of a terminated process, held by its writes */
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
    expect_refused(path, 0, EBUSY, "still in flight");
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
        expect_refused(path, 0, EINVAL, "starts inside a sector");
    }
    EXPECT(unlink(name) == 0);
    EXPECT_NUMBER(try_open(path, 0, CHIMERA_DEVICE_PWRITE), 0);
    close_device();
    EXPECT(rmdir(disk_folder) == 0 && rmdir(folder) == 0);
}

int main(void) {
    begin_tests();
    what_cannot_be_opened_is_named_with_the_remedy();
    a_lock_of_the_other_kind_keeps_it_away_too();
    writes_of_a_process_that_has_ended_are_waited_for();
    a_partition_that_begins_amid_a_sector_is_refused();
    end_tests();
    return 0;
}
