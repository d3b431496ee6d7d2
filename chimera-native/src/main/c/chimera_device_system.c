#include "chimera_device_system.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static int uring_setup(uint32_t entries, struct chimera_uring_params *params) {
    return (int)syscall(CHIMERA_URING_SETUP, entries, params);
}

static int uring_enter(int ring, uint32_t submitted, uint32_t wanted, uint32_t flags) {
    return (int)syscall(CHIMERA_URING_ENTER, ring, submitted, wanted, flags, NULL, 0);
}

static int uring_register(int ring, uint32_t operation, const void *argument, uint32_t count) {
    return (int)syscall(CHIMERA_URING_REGISTER, ring, operation, argument, count);
}

static void *map(int ring, size_t bytes, int64_t offset) {
    return mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, ring, offset);
}

static const struct chimera_device_system kernel = {
        .pread = pread,
        .pwrite = pwrite,
        .fdatasync = fdatasync,
        .uring_setup = uring_setup,
        .uring_enter = uring_enter,
        .uring_register = uring_register,
        .map = map,
        .unmap = munmap,
        .poll = poll,
        .close = close,
        .facts = "/sys/dev/block",
};

const struct chimera_device_system *chimera_device_system = &kernel;
