/*
 * The system calls of the netmap back-end. Tests put a table of their own in their place, with which a region of memory
 * stands for the device.
 */
#ifndef CHIMERA_NETMAP_SYSTEM_H
#define CHIMERA_NETMAP_SYSTEM_H

#include <poll.h>
#include <stddef.h>

/* Each as the call of its name: -1 (or MAP_FAILED) with errno on failure. */
struct chimera_netmap_system {
    int (*open)(const char *path);
    int (*ioctl)(int fd, unsigned long request, void *argument);
    void *(*map)(int fd, size_t bytes);
    int (*unmap)(void *memory, size_t bytes);
    int (*poll)(struct pollfd *fds, nfds_t count, int timeout_ms);
    int (*close)(int fd);
};

/* What the back-end calls. A test sets it before it opens a capture. */
extern const struct chimera_netmap_system *chimera_netmap_system;

#endif
