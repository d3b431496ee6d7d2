/*
 * XDP program of an interface: redirects each packet to the AF_XDP socket of its receive queue, or to the kernel's
 * network stack if the queue has no socket. An interface has at most one XDP program, so all captures of this process
 * on the interface share the program and its map; the first capture attaches the program, the last one detaches it.
 */
#ifndef CHIMERA_XDP_PROGRAM_H
#define CHIMERA_XDP_PROGRAM_H

#include <stdint.h>

enum { CHIMERA_XDP_QUEUES_MAX = 256 }; /* entries of the map; one pointer each in the kernel */

struct chimera_xdp_program;

/*
 * Attaches or shares the program of the interface. Returns 0 or -errno: -EBUSY when another process has an XDP program
 * on the interface, -EPERM without CAP_BPF and CAP_NET_ADMIN. Thread-safe.
 */
int chimera_xdp_program_acquire(int interface_index, uint64_t netns, struct chimera_xdp_program **program);

/* Redirects packets of the queue to the socket, until the socket is closed. Returns 0 or -errno. */
int chimera_xdp_program_redirect(struct chimera_xdp_program *program, uint32_t queue, int socket);

/* Releases the result of chimera_xdp_program_acquire; the last user detaches the program from the interface. */
void chimera_xdp_program_release(struct chimera_xdp_program *program);

/* Creates a map of sockets, to check the permission of this process. Returns a descriptor or -errno. */
int chimera_xdp_map_create(uint32_t entries);

#endif
