/*
 * Interface between netmap's kernel module and programs, version 14: the requests of /dev/netmap and the mapped memory.
 * Declared here because no distribution packages netmap's header.
 *
 *   mapped memory (memsize bytes)
 *   +------------------------------------------------------------------------------+
 *   | ... | netmap_if | ... | ring | ring | ... | buffer 0 | buffer 1 | buffer 2 ...|
 *   +------------------------------------------------------------------------------+
 *         ^offset of the registration       ^ring + buf_ofs
 *         netmap_if.ring_ofs[]: from netmap_if to each ring: transmit rings of the device, transmit rings to the host,
 *         receive rings of the device, receive rings from the host
 *
 *   slots of a receive ring
 *   +------+------+------+------+------+------+------+
 *   |kernel| ours | ours | ours |kernel|kernel|kernel|
 *   +------+------+------+------+------+------+------+
 *            head .............. tail
 *
 * This process owns the slots from head up to, not including, tail, and advances head (and cur, the position for poll)
 * to return slots. The kernel moves tail, and reads head, in a system call: NIOCRXSYNC or poll. A packet has one or
 * more slots; all slots but the last have CHIMERA_NETMAP_MOREFRAG.
 */
#ifndef CHIMERA_NETMAP_ABI_H
#define CHIMERA_NETMAP_ABI_H

#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>

#define CHIMERA_NETMAP_DEVICE "/dev/netmap"

enum { CHIMERA_NETMAP_VERSION = 14, CHIMERA_NETMAP_VERSION_MAX = 15, CHIMERA_NETMAP_NAME_BYTES = 64 };

/* Request types. */
enum { CHIMERA_NETMAP_REGISTER = 1 };

/* Rings of a registration. */
enum {
    CHIMERA_NETMAP_ALL_NIC = 1,
    CHIMERA_NETMAP_SW = 2,     /* host rings */
    CHIMERA_NETMAP_NIC_SW = 3, /* device and host rings */
    CHIMERA_NETMAP_ONE_NIC = 4,
    CHIMERA_NETMAP_ONE_SW = 8,
};

/* Flags of a registration. */
#define CHIMERA_NETMAP_MONITOR_TX UINT64_C(0x100)
#define CHIMERA_NETMAP_MONITOR_RX UINT64_C(0x200)
#define CHIMERA_NETMAP_ZERO_COPY_MONITOR UINT64_C(0x400)
#define CHIMERA_NETMAP_EXCLUSIVE UINT64_C(0x800)
#define CHIMERA_NETMAP_RX_RINGS_ONLY UINT64_C(0x2000)
#define CHIMERA_NETMAP_NO_TX_POLL UINT64_C(0x20000)

struct chimera_netmap_request {
    uint16_t version;
    uint16_t type;
    uint32_t reserved;
    char name[CHIMERA_NETMAP_NAME_BYTES]; /* without "netmap:" */
    uint64_t options;                     /* address of a list, or 0 */
    uint64_t body;                        /* address of the chimera_netmap_register */
};
_Static_assert(sizeof(struct chimera_netmap_request) == 88, "netmap's request header");
_Static_assert(offsetof(struct chimera_netmap_request, version) == 0, "netmap's request header");
_Static_assert(offsetof(struct chimera_netmap_request, type) == 2, "netmap's request header");
_Static_assert(offsetof(struct chimera_netmap_request, name) == 8, "netmap's request header");
_Static_assert(offsetof(struct chimera_netmap_request, options) == 72, "netmap's request header");
_Static_assert(offsetof(struct chimera_netmap_request, body) == 80, "netmap's request header");

struct chimera_netmap_register {
    uint64_t offset;  /* out: offset of netmap_if in the mapped memory */
    uint64_t memsize; /* out: bytes to map */
    uint32_t tx_slots;
    uint32_t rx_slots;
    uint16_t tx_rings; /* out */
    uint16_t rx_rings; /* out */
    uint16_t host_tx_rings;
    uint16_t host_rx_rings;
    uint16_t mem_id; /* in and out: memory region shared by the port */
    uint16_t ringid; /* for the single-ring modes */
    uint32_t mode;
    uint32_t extra_bufs;
    uint32_t reserved;
    uint64_t flags;
};
_Static_assert(sizeof(struct chimera_netmap_register) == 56, "netmap's registration");
_Static_assert(offsetof(struct chimera_netmap_register, offset) == 0, "netmap's registration");
_Static_assert(offsetof(struct chimera_netmap_register, memsize) == 8, "netmap's registration");
_Static_assert(offsetof(struct chimera_netmap_register, tx_slots) == 16, "netmap's registration");
_Static_assert(offsetof(struct chimera_netmap_register, rx_slots) == 20, "netmap's registration");
_Static_assert(offsetof(struct chimera_netmap_register, tx_rings) == 24, "netmap's registration");
_Static_assert(offsetof(struct chimera_netmap_register, rx_rings) == 26, "netmap's registration");
_Static_assert(offsetof(struct chimera_netmap_register, host_tx_rings) == 28, "netmap's registration");
_Static_assert(offsetof(struct chimera_netmap_register, host_rx_rings) == 30, "netmap's registration");
_Static_assert(offsetof(struct chimera_netmap_register, mem_id) == 32, "netmap's registration");
_Static_assert(offsetof(struct chimera_netmap_register, ringid) == 34, "netmap's registration");
_Static_assert(offsetof(struct chimera_netmap_register, mode) == 36, "netmap's registration");
_Static_assert(offsetof(struct chimera_netmap_register, extra_bufs) == 40, "netmap's registration");
_Static_assert(offsetof(struct chimera_netmap_register, flags) == 48, "netmap's registration");

#define CHIMERA_NETMAP_CONTROL _IOWR('i', 151, struct chimera_netmap_request)
#define CHIMERA_NETMAP_TX_SYNC _IO('i', 148)
#define CHIMERA_NETMAP_RX_SYNC _IO('i', 149)
_Static_assert(CHIMERA_NETMAP_CONTROL == 0xc0586997, "NIOCCTRL");
_Static_assert(CHIMERA_NETMAP_TX_SYNC == 0x6994, "NIOCTXSYNC");
_Static_assert(CHIMERA_NETMAP_RX_SYNC == 0x6995, "NIOCRXSYNC");

struct chimera_netmap_if {
    char name[16];
    uint32_t version; /* 0 in practice: must not be checked */
    uint32_t flags;
    uint32_t tx_rings;
    uint32_t rx_rings;
    uint32_t bufs_head;
    uint32_t host_tx_rings;
    uint32_t host_rx_rings;
    uint32_t spare[3];
    int64_t ring_ofs[]; /* 0 for rings not covered by the registration */
};
_Static_assert(sizeof(struct chimera_netmap_if) == 56, "netmap_if");
_Static_assert(offsetof(struct chimera_netmap_if, version) == 16, "netmap_if");
_Static_assert(offsetof(struct chimera_netmap_if, flags) == 20, "netmap_if");
_Static_assert(offsetof(struct chimera_netmap_if, tx_rings) == 24, "netmap_if");
_Static_assert(offsetof(struct chimera_netmap_if, rx_rings) == 28, "netmap_if");
_Static_assert(offsetof(struct chimera_netmap_if, bufs_head) == 32, "netmap_if");
_Static_assert(offsetof(struct chimera_netmap_if, host_tx_rings) == 36, "netmap_if");
_Static_assert(offsetof(struct chimera_netmap_if, host_rx_rings) == 40, "netmap_if");
_Static_assert(offsetof(struct chimera_netmap_if, ring_ofs) == 56, "netmap_if");

/* Flags of a slot. */
enum { CHIMERA_NETMAP_BUF_CHANGED = 0x1, CHIMERA_NETMAP_MOREFRAG = 0x20 };

struct chimera_netmap_slot {
    uint32_t buf_idx;
    uint16_t len;
    uint16_t flags;
    uint64_t ptr;
};
_Static_assert(sizeof(struct chimera_netmap_slot) == 16, "netmap_slot");
_Static_assert(offsetof(struct chimera_netmap_slot, buf_idx) == 0, "netmap_slot");
_Static_assert(offsetof(struct chimera_netmap_slot, len) == 4, "netmap_slot");
_Static_assert(offsetof(struct chimera_netmap_slot, flags) == 6, "netmap_slot");
_Static_assert(offsetof(struct chimera_netmap_slot, ptr) == 8, "netmap_slot");

/* Flags of a ring. */
enum { CHIMERA_NETMAP_TIMESTAMP = 0x2 /* asks the kernel to write the time of each synchronisation */ };

struct chimera_netmap_ring {
    int64_t buf_ofs; /* from here to buffer 0 */
    uint32_t num_slots;
    uint32_t buf_size;
    uint16_t ringid;
    uint16_t dir; /* 0 transmit, 1 receive */
    uint32_t head;
    uint32_t cur;
    uint32_t tail;
    uint32_t flags;
    uint32_t reserved;
    int64_t seconds; /* wall clock of the last synchronisation, 0 if not written by the kernel */
    int64_t microseconds;
    uint8_t reserved_too[72];
    uint8_t semaphore[128];
    struct chimera_netmap_slot slots[];
};
_Static_assert(sizeof(struct chimera_netmap_ring) == 256, "netmap_ring");
_Static_assert(offsetof(struct chimera_netmap_ring, buf_ofs) == 0, "netmap_ring");
_Static_assert(offsetof(struct chimera_netmap_ring, num_slots) == 8, "netmap_ring");
_Static_assert(offsetof(struct chimera_netmap_ring, buf_size) == 12, "netmap_ring");
_Static_assert(offsetof(struct chimera_netmap_ring, ringid) == 16, "netmap_ring");
_Static_assert(offsetof(struct chimera_netmap_ring, dir) == 18, "netmap_ring");
_Static_assert(offsetof(struct chimera_netmap_ring, head) == 20, "netmap_ring");
_Static_assert(offsetof(struct chimera_netmap_ring, cur) == 24, "netmap_ring");
_Static_assert(offsetof(struct chimera_netmap_ring, tail) == 28, "netmap_ring");
_Static_assert(offsetof(struct chimera_netmap_ring, flags) == 32, "netmap_ring");
_Static_assert(offsetof(struct chimera_netmap_ring, seconds) == 40, "netmap_ring");
_Static_assert(offsetof(struct chimera_netmap_ring, microseconds) == 48, "netmap_ring");
_Static_assert(offsetof(struct chimera_netmap_ring, semaphore) == 128, "netmap_ring");
_Static_assert(offsetof(struct chimera_netmap_ring, slots) == 256, "netmap_ring");

#endif
