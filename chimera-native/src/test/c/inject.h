/*
 * A sender of packets for tests and measurements: the kernel makes the frames of an XDP test run real ("live frames")
 * and sends them on, several times as fast as a packet socket can. Needs root and a kernel of 5.18 or newer.
 *
 * Frame: Ethernet, IPv4, UDP to port 9, and zeroes. The first eight payload bytes (offset 42) are the packet's number
 * from 0, little-endian. Flow f (number modulo flows) has the source address 10.1.(f & 0xff).(f >> 8 & 0xff) and the
 * source port 1024 + (f >> 16). The header's checksum is right for every flow: the identification cancels the address.
 */
#ifndef INJECT_H
#define INJECT_H

#include <stdint.h>

enum { INJECT_BYTES_MIN = 60, INJECT_BYTES_MAX = 3000, INJECT_NUMBER_OFFSET = 42 };

struct injector {
    int map;
    int program;
    uint32_t bytes; /* of a frame, without its checksum */
    int interface_index;
    int receive;
    uint8_t frame[INJECT_BYTES_MAX];
};

/*
 * receive 0: the packets leave by the interface, so they come in at the other end of a veth pair, which must have an
 * XDP program or gro on. receive 1: they come in at the interface itself. 0 or -errno.
 */
int inject_open(struct injector *injector, int interface_index, int receive, uint32_t bytes, uint32_t flows);

/*
 * Sends so many packets from this thread's processor, which on veth chooses the receive queue, at most rate per second,
 * evenly (0: as fast as it goes). Returns when all are sent: 0 or -errno, -EINTR after a signal.
 */
int inject(struct injector *injector, uint64_t packets, uint64_t rate);

void inject_close(struct injector *injector);

#endif
