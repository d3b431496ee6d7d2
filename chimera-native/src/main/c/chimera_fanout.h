/*
 * Groups of packet sockets: the kernel distributes an interface's packets by flow among the sockets of a group
 * (PACKET_FANOUT). A group contains captures of this process with the same interface, filter, snap length and number of
 * queues, with each queue once. A second capture of the same queue starts another group, which also sees all packets.
 * The kernel assigns the number of a group, so that no other process or container has the same number.
 */
#ifndef CHIMERA_FANOUT_H
#define CHIMERA_FANOUT_H

#include "chimera_capture.h"

struct chimera_fanout_group;

/*
 * Adds a bound socket to the sockets opened for the other queues of the same options. Returns 0 and the group, or
 * -errno and an error message. Thread-safe.
 */
int chimera_fanout_join(
        int socket, int interface, const struct chimera_capture_options *options, struct chimera_fanout_group **joined,
        char *error, size_t capacity);

/* Closes a group's socket for a queue. Thread-safe. */
void chimera_fanout_close(struct chimera_fanout_group *group, uint32_t queue, int socket);

#endif
