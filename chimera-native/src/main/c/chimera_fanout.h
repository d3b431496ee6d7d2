/*
 * Groups of packet sockets among which the kernel spreads the packets of an interface by flow (PACKET_FANOUT). A group is
 * that of one set of captures: those of this process with the same interface, filter, snap length and number of queues,
 * each queue once. A second capture of the same queue begins another group, which sees all packets too. The kernel gives
 * the number of a group, so that it is nobody else's, whatever process or container that is.
 */
#ifndef CHIMERA_FANOUT_H
#define CHIMERA_FANOUT_H

#include "chimera_capture.h"

struct chimera_fanout_group;

/*
 * Lets a bound socket share the packets of an interface with those that joined for the other queues of the options. 0 and
 * the group, or -errno and a sentence. Thread-safe.
 */
int chimera_fanout_join(
        int socket, int interface, const struct chimera_capture_options *options, struct chimera_fanout_group **joined,
        char *error, size_t capacity);

/* Closes a socket that is in the group for that queue. Thread-safe. */
void chimera_fanout_close(struct chimera_fanout_group *group, uint32_t queue, int socket);

#endif
