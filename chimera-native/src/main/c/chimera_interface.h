/*
 * What a live capture asks about a network interface and changes on it, without any library. Everything is bound to
 * the network namespace of the thread that opens it. Nothing here runs per packet.
 */
#ifndef CHIMERA_INTERFACE_H
#define CHIMERA_INTERFACE_H

#include <stdint.h>

struct chimera_interface {
    int index;
    int mtu;             /* bytes, without the link header */
    int link_type;       /* a pcap DLT: 1 Ethernet (also the loopback device), 12 bare IP */
    uint32_t queues;     /* receive queues in use, at least 1 */
    uint64_t netns;      /* tells interfaces of the same index in two network namespaces apart */
};

/* Looks the interface up by name. 0, -ENODEV where there is none, or another -errno. */
int chimera_interface_find(const char *name, struct chimera_interface *found);

/*
 * Puts the interface into promiscuous mode until the returned descriptor is closed, be it by the death of the process.
 * The descriptor or -errno.
 */
int chimera_interface_promiscuous(int index);

/* Opens the descriptor by which chimera_interface_dropped asks the kernel. The descriptor or -errno. */
int chimera_interface_statistics(void);

/* Packets that the interface itself lost on receive since it was made: rx_dropped and rx_missed_errors. 0 or -errno. */
int chimera_interface_dropped(int statistics, int index, uint64_t *dropped);

#endif
