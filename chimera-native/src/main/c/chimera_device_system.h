/*
 * System calls for I/O on an open device. Tests substitute a table of their own, which injects disk failures and keeps
 * a log.
 */
#ifndef CHIMERA_DEVICE_SYSTEM_H
#define CHIMERA_DEVICE_SYSTEM_H

#include "chimera_uring_abi.h"

#include <poll.h>
#include <sys/types.h>

/* Each function behaves like the system call of the same name: -1 (or MAP_FAILED) with errno on failure. */
struct chimera_device_system {
    ssize_t (*pread)(int fd, void *memory, size_t bytes, off_t offset);
    ssize_t (*pwrite)(int fd, const void *memory, size_t bytes, off_t offset);
    int (*fdatasync)(int fd);
    int (*uring_setup)(uint32_t entries, struct chimera_uring_params *params);
    int (*uring_enter)(int ring, uint32_t submitted, uint32_t wanted, uint32_t flags);
    int (*uring_register)(int ring, uint32_t operation, const void *argument, uint32_t count);
    void *(*map)(int ring, size_t bytes, int64_t offset);
    int (*unmap)(void *memory, size_t bytes);
    int (*poll)(struct pollfd *fds, nfds_t count, int timeout_ms);
    int (*close)(int ring);
    const char *facts; /* folder with the kernel's information about disks, by device number */
};

/* Table used by devices. A test sets the table before opening a device. */
extern const struct chimera_device_system *chimera_device_system;

#endif
