/*
 * Packet sender for tests and measurements: the kernel sends the frames of an XDP test run ("live frames"), several
 * times faster than a packet socket. Requires root and a kernel of 5.18 or newer.
 *
 * Frame: Ethernet, IPv4, UDP to port 9, and zeroes. The first eight payload bytes (offset 42) are the packet's number
 * from 0, little-endian. Flow f (number modulo flows) has the source address 10.1.(f & 0xff).(f >> 8 & 0xff) and the
 * source port 1024 + (f >> 16). The header checksum is valid for every flow: the identification cancels the address.
 */
#ifndef INJECT_H
#define INJECT_H

#include <stdint.h>

enum { INJECT_BYTES_MIN = 60, INJECT_BYTES_MAX = 3000, INJECT_NUMBER_OFFSET = 42 };

struct injector {
    int map;
    int program;
    uint32_t bytes; /* of a frame, without the frame checksum */
    int interface_index;
    int receive;
    uint8_t frame[INJECT_BYTES_MAX];
};

/*
 * receive 0: the packets leave through the interface and arrive at the other end of a veth pair, which needs an XDP
 * program or gro on. receive 1: the packets arrive at the interface itself. Returns 0 or -errno.
 */
int inject_open(struct injector *injector, int interface_index, int receive, uint32_t bytes, uint32_t flows);

/*
 * Sends packets on the CPU of this thread, which on veth determines the receive queue, evenly paced at rate per second
 * (0: full speed). Returns after the last packet: 0 or -errno, -EINTR after a signal.
 */
int inject(struct injector *injector, uint64_t packets, uint64_t rate);

void inject_close(struct injector *injector);

#endif
