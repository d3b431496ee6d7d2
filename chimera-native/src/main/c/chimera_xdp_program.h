/*
 * The XDP program of an interface: it sends each packet to the AF_XDP socket of the receive queue that it came by, and
 * to the kernel's own stack where that queue has no socket. An interface carries one XDP program, so all captures of
 * this process on the interface share it and its map; the first one attaches it, the last one takes it away.
 */
#ifndef CHIMERA_XDP_PROGRAM_H
#define CHIMERA_XDP_PROGRAM_H

#include <stdint.h>

enum { CHIMERA_XDP_QUEUES_MAX = 256 }; /* entries of the map; a pointer each in the kernel */

struct chimera_xdp_program;

/*
 * The program of the interface, attached. 0 or -errno: -EBUSY where another process holds XDP on the interface, -EPERM
 * without CAP_BPF and CAP_NET_ADMIN. Any thread.
 */
int chimera_xdp_program_acquire(int interface_index, uint64_t netns, struct chimera_xdp_program **program);

/* From now on packets of the queue go to the socket; closing the socket ends it. 0 or -errno. */
int chimera_xdp_program_redirect(struct chimera_xdp_program *program, uint32_t queue, int socket);

/* Gives back what chimera_xdp_program_acquire gave; the last user takes the program off the interface. */
void chimera_xdp_program_release(struct chimera_xdp_program *program);

/* A map of sockets, to see whether the kernel lets this process have one. A descriptor or -errno. */
int chimera_xdp_map_create(uint32_t entries);

#endif
