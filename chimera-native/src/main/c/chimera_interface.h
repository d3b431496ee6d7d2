/* What the kernel knows of a network interface. Everything is asked in the network namespace of open(). */
#ifndef CHIMERA_INTERFACE_H
#define CHIMERA_INTERFACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct chimera_interface {
    int index;
    int link_type;         /* as files number it */
    bool is_loopback;      /* hands out every packet twice: going out, and coming in */
    int netlink;           /* asks for the counters below */
    uint32_t requests;     /* numbers the questions, so that a late answer is known for what it is */
    uint64_t dropped_base; /* what the interface had dropped before */
    uint64_t dropped;      /* what it dropped since then, as was last seen */
};

/* Whether this process may open raw sockets; where not, cause says what it takes. */
bool chimera_may_capture(char *cause, size_t capacity);

/* 0, or -errno and a sentence that names the interface and the remedy. */
int chimera_interface_open(struct chimera_interface *interface, const char *name, char *error, size_t capacity);

/*
 * Packets that the interface dropped since it was opened: rx_dropped and rx_missed_errors. An interface that is gone
 * keeps its last count.
 */
uint64_t chimera_interface_dropped(struct chimera_interface *interface);

/* Whether the interface is still there, up or down. */
bool chimera_interface_exists(const struct chimera_interface *interface);

void chimera_interface_close(struct chimera_interface *interface);

#endif
