/*
 * System calls of the netmap back-end. Tests substitute a table of their own, in which a memory region replaces the
 * device.
 */
#ifndef CHIMERA_NETMAP_SYSTEM_H
#define CHIMERA_NETMAP_SYSTEM_H

#include <poll.h>
#include <stddef.h>

/* Each function behaves like the system call of the same name: -1 (or MAP_FAILED) with errno on failure. */
struct chimera_netmap_system {
    int (*open)(const char *path);
    int (*ioctl)(int fd, unsigned long request, void *argument);
    void *(*map)(int fd, size_t bytes);
    int (*unmap)(void *memory, size_t bytes);
    int (*poll)(struct pollfd *fds, nfds_t count, int timeout_ms);
    int (*close)(int fd);
};

/* Table used by the back-end. A test sets the table before opening a capture. */
extern const struct chimera_netmap_system *chimera_netmap_system;

#endif
