/* Kernel information about a network interface. All queries use the network namespace of open(). */
#ifndef CHIMERA_INTERFACE_H
#define CHIMERA_INTERFACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct chimera_interface {
    int index;
    int link_type;         /* numbered as in files */
    bool is_loopback;      /* delivers every packet twice: outgoing and incoming */
    int netlink;           /* socket for querying the counters below */
    uint32_t requests;     /* sequence number of queries, to recognise late answers */
    uint64_t dropped_base; /* packets dropped by the interface before open() */
    uint64_t dropped;      /* packets dropped since open(), at the last query */
};

/* Whether this process may open raw sockets; if not, cause has the required privilege. */
bool chimera_may_capture(char *cause, size_t capacity);

/* Returns 0, or -errno and an error message with the interface and the remedy. */
int chimera_interface_open(struct chimera_interface *interface, const char *name, char *error, size_t capacity);

/*
 * Returns the packets dropped by the interface since open(): rx_dropped and rx_missed_errors. A removed interface keeps
 * its last count.
 */
uint64_t chimera_interface_dropped(struct chimera_interface *interface);

/* Whether the interface still exists, up or down. */
bool chimera_interface_exists(const struct chimera_interface *interface);

void chimera_interface_close(struct chimera_interface *interface);

#endif
