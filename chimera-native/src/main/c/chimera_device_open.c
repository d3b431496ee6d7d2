#include "chimera_device_open.h"

#include "chimera_capture.h"
#include "chimera_device_system.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <limits.h>
#include <linux/fs.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* Locked bytes of the file: one byte for the claim descriptor, one for the data descriptor. */
enum { CLAIM_BYTE, DATA_BYTE };

/* Maximum wait for the writes of a terminated process. */
enum { WAIT_MS = 10, WAIT_MAX_MS = 30000 };

enum { NEW_FILE_MODE = 0640, PAGE_BYTES = 4096, PIECE_BYTES_MIN = 128 << 10, PIECE_BYTES_MAX = 1 << 20 };

/* Path being opened, and the destination of its errors. */
struct target {
    const char *name;
    uint64_t bytes; /* requested size; 0: unchanged */
    struct stat stat;
    bool is_block;
    bool is_new;
    char *error;
    size_t capacity;
};

static int cannot_open(const struct target *target, int number) {
    const char *remedy = number == EBUSY
            ? "; it is already open elsewhere, or mounted, or a part of a RAID or of LVM: release it"
            : number == EACCES || number == EPERM
            ? "; run as its owner or as root, and see that it is not read-only (blockdev --getro)"
            : "";
    return chimera_fail(
            target->error, target->capacity, number, "%s: cannot be opened: %s%s", target->name, strerror(number),
            remedy);
}

static int look_at(struct target *target) {
    if (stat(target->name, &target->stat) != 0) {
        int number = errno;
        if (number != ENOENT) {
            return cannot_open(target, number);
        }
        if (target->bytes == 0) {
            return chimera_fail(
                    target->error, target->capacity, number, "%s: there is no such file; specify a size to create it",
                    target->name);
        }
        target->is_new = true;
        return 0;
    }
    target->is_block = S_ISBLK(target->stat.st_mode);
    if (!target->is_block && !S_ISREG(target->stat.st_mode)) {
        return chimera_fail(
                target->error, target->capacity, ENOTBLK,
                "%s: it is neither a block device nor a file; choose another path", target->name);
    }
    return 0;
}

/*
 * Locks the open file description instead of the process. Conflicts with the JDK's lock, which covers the whole file.
 */
static int lock(int fd, int byte) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1};
    return fcntl(fd, F_OFD_SETLK, &lock) == 0 ? 0 : errno == EACCES ? EAGAIN : errno;
}

static int cannot_lock(const struct target *target, int number) {
    return chimera_fail(
            target->error, target->capacity, number, "%s: cannot be locked: %s; use a local file system", target->name,
            strerror(number));
}

/*
 * For a block device: exclusive claim against mounts and other claims. For devices and files: a lock against devices
 * opened by the JDK.
 */
static int claim(struct target *target, int *claimed) {
    int flags = O_RDWR | O_CLOEXEC | (target->is_block ? O_EXCL : target->bytes > 0 ? O_CREAT : 0);
    int fd = open(target->name, flags, NEW_FILE_MODE);
    if (fd < 0) {
        return cannot_open(target, errno);
    }
    *claimed = fd;
    int number = lock(fd, CLAIM_BYTE);
    if (number == EAGAIN) {
        return chimera_fail(
                target->error, target->capacity, EBUSY,
                "%s: it is already open elsewhere; stop the other process first", target->name);
    }
    if (number != 0) {
        return cannot_lock(target, number);
    }
    return fstat(fd, &target->stat) == 0 ? 0 : cannot_open(target, errno);
}

/* Reads a number from a file; 0 without a number. */
static int64_t number_in(const char *path) {
    int64_t number = 0;
    FILE *file = fopen(path, "re");
    if (file != NULL) {
        if (fscanf(file, "%" SCNd64, &number) != 1) {
            number = 0;
        }
        (void)fclose(file);
    }
    return number;
}

/* Reads a kernel fact about a disk or partition, 0 when unknown; for a file, about the device below the file system. */
static int64_t fact(const struct target *target, const char *name) {
    dev_t device = target->is_block ? target->stat.st_rdev : target->stat.st_dev;
    char path[PATH_MAX];
    (void)snprintf(path, sizeof path, "%s/%u:%u/%s", chimera_device_system->facts, major(device), minor(device), name);
    return number_in(path);
}

/* Reads a fact about the disk's queue; partitions have no queue of their own. */
static uint32_t queue_fact(const struct target *target, const char *name) {
    int64_t number = 0;
    for (int i = 0; i < 2 && number == 0; i++) {
        char path[64];
        (void)snprintf(path, sizeof path, "%squeue/%s", i == 0 ? "" : "../", name);
        number = fact(target, path);
    }
    return number > 0 && number <= UINT32_MAX ? (uint32_t)number : 0;
}

static int find_alignment(const struct target *target, struct chimera_device_facts *facts) {
    uint32_t bytes = queue_fact(target, "physical_block_size");
    facts->alignment = bytes > CHIMERA_DEVICE_ALIGNMENT_MIN ? bytes : CHIMERA_DEVICE_ALIGNMENT_MIN;
    if (facts->alignment > CHIMERA_DEVICE_ALIGNMENT_MAX || (facts->alignment & (facts->alignment - 1)) != 0) {
        return chimera_fail(
                target->error, target->capacity, EINVAL, "%s: its sectors of %u bytes are too large; %d are supported",
                target->name, facts->alignment, CHIMERA_DEVICE_ALIGNMENT_MAX);
    }
    int64_t offset = fact(target, "alignment_offset");
    if (offset != 0) {
        return chimera_fail(
                target->error, target->capacity, EINVAL,
                "%s: it starts inside a sector of %u bytes (alignment_offset %" PRId64
                "), so a write could damage adjacent data; start the partition at a multiple of 1 MiB",
                target->name, facts->alignment, offset);
    }
    return 0;
}

/* Computes the piece size for memory with arbitrary page placement. */
static uint32_t find_piece(const struct target *target) {
    uint64_t segments = (uint64_t)queue_fact(target, "max_segments") * PAGE_BYTES;
    uint64_t sectors = (uint64_t)queue_fact(target, "max_sectors_kb") * 1024;
    uint64_t bytes = segments != 0 && segments < sectors ? segments : sectors;
    /* Powers of two divide blocks evenly. */
    uint32_t piece = PIECE_BYTES_MAX;
    while (bytes != 0 && piece > bytes && piece > PIECE_BYTES_MIN) {
        piece /= 2;
    }
    return piece;
}

/* Makes a new directory entry durable. */
static int sync_folder(const char *path) {
    char copy[PATH_MAX];
    (void)snprintf(copy, sizeof copy, "%s", path);
    int folder = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) {
        return errno;
    }
    int number = fsync(folder) == 0 ? 0 : errno;
    (void)close(folder);
    return number;
}

/* Allocates the file's disk space now, so that no later write fails for lack of space. */
static int lengthen(const struct target *target, int fd, uint64_t length, uint64_t bytes) {
    struct statvfs system;
    int number = fstatvfs(fd, &system) == 0 ? 0 : errno;
    uint64_t room = number == 0 ? (uint64_t)system.f_bavail * system.f_frsize : 0;
    if (number == 0 && bytes - length > room) {
        return chimera_fail(
                target->error, target->capacity, ENOSPC,
                "%s: its file system has room for %" PRIu64 " more bytes, not %" PRIu64
                "; free some space, or specify a smaller size",
                target->name, room, bytes - length);
    }
    if (number == 0) {
        number = posix_fallocate(fd, (off_t)length, (off_t)(bytes - length));
    }
    if (number == 0 && fsync(fd) != 0) {
        number = errno;
    }
    if (number == 0 && target->is_new) {
        number = sync_folder(target->name);
    }
    if (number != 0) {
        (void)!ftruncate(fd, (off_t)length);
        return chimera_fail(
                target->error, target->capacity, number, "%s: cannot be made %" PRIu64 " bytes long: %s", target->name,
                bytes, strerror(number));
    }
    return 0;
}

static int find_size(const struct target *target, int fd, struct chimera_device_facts *facts) {
    uint64_t length = (uint64_t)target->stat.st_size;
    uint64_t bytes = target->bytes - target->bytes % facts->alignment;
    if (target->is_block && ioctl(fd, BLKGETSIZE64, &length) != 0) {
        return cannot_open(target, errno);
    }
    if (bytes != 0 && bytes != length) {
        if (length > bytes || length % facts->alignment != 0 || target->is_block) {
            return chimera_fail(
                    target->error, target->capacity, EINVAL,
                    "%s: it has %" PRIu64 " bytes, not %" PRIu64 "; omit the size to use it as it is", target->name,
                    length, bytes);
        }
        int result = lengthen(target, fd, length, bytes);
        if (result < 0) {
            return result;
        }
        length = bytes;
    }
    facts->size = length - length % facts->alignment;
    if (facts->size == 0) {
        return chimera_fail(target->error, target->capacity, EINVAL, "%s: it is empty; specify a size", target->name);
    }
    return 0;
}

/*
 * Writes in flight of a killed process still complete, and hold its descriptor and the lock until then. Reads must wait
 * for them.
 */
static int await_writes(const struct target *target, int fd) {
    int number = lock(fd, DATA_BYTE);
    for (int waited = 0; number == EAGAIN && waited < WAIT_MAX_MS; waited += WAIT_MS) {
        (void)chimera_device_system->poll(NULL, 0, WAIT_MS);
        number = lock(fd, DATA_BYTE);
    }
    if (number == EAGAIN) {
        return chimera_fail(
                target->error, target->capacity, EBUSY,
                "%s: writes of a terminated process are still in flight; see why the disk does not complete them "
                "(dmesg), then open it again",
                target->name);
    }
    return number == 0 ? 0 : cannot_lock(target, number);
}

/*
 * After a failed write-back, the page cache keeps the bytes and drops the error. All following reads must come from the
 * disk.
 */
static int empty_page_cache(const struct target *target, int fd) {
    int number = fdatasync(fd) == 0 ? posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED) : errno;
    return number == 0 ? 0
                       : chimera_fail(
                               target->error, target->capacity, number,
                               "%s: its data in the page cache cannot be written: %s; check the disk", target->name,
                               strerror(number));
}

static int open_data(const struct target *target, struct chimera_opened *opened) {
    opened->facts.flags = CHIMERA_DEVICE_IS_DIRECT | (target->is_block ? CHIMERA_DEVICE_IS_BLOCK : 0);
    opened->fd = open(target->name, O_RDWR | O_CLOEXEC | O_DIRECT);
    if (opened->fd < 0 && errno == EINVAL) {
        opened->facts.flags &= ~CHIMERA_DEVICE_IS_DIRECT;
        opened->fd = open(target->name, O_RDWR | O_CLOEXEC);
    }
    if (opened->fd < 0) {
        return cannot_open(target, errno);
    }
    int result = await_writes(target, opened->fd);
    bool is_cached = (opened->facts.flags & CHIMERA_DEVICE_IS_DIRECT) == 0;
    return result == 0 && is_cached ? empty_page_cache(target, opened->fd) : result;
}

int chimera_open_target(
        const struct chimera_device_options *options, struct chimera_opened *opened, char *error, size_t capacity) {
    struct target target = {
            .name = options->target,
            .bytes = options->bytes,
            .error = error,
            .capacity = capacity,
    };
    int result;
    *opened = (struct chimera_opened){.claim = -1, .fd = -1};
    if ((result = look_at(&target)) < 0 || (result = claim(&target, &opened->claim)) < 0
        || (result = find_alignment(&target, &opened->facts)) < 0
        || (result = find_size(&target, opened->claim, &opened->facts)) < 0
        || (result = open_data(&target, opened)) < 0) {
        chimera_close_target(opened);
        return result;
    }
    opened->piece_bytes = find_piece(&target);
    return 0;
}

void chimera_close_target(struct chimera_opened *opened) {
    if (opened->fd >= 0) {
        (void)close(opened->fd);
        opened->fd = -1;
    }
    if (opened->claim >= 0) {
        (void)close(opened->claim);
        opened->claim = -1;
    }
}
