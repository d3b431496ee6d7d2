/*
 * Simulates netmap's kernel module for tests: a memory region with the layout of chimera_netmap_abi.h, and the system
 * calls on the region. Senders (any thread) put packets on the wire of a ring; each synchronisation takes the slots
 * returned by the receiver, and fills free slots from the wire. One device per process.
 */
#ifndef NETMAP_KERNEL_H
#define NETMAP_KERNEL_H

#include "chimera_netmap_abi.h"
#include "chimera_netmap_system.h"
#include "expect.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <time.h>

enum { KERNEL_RINGS_MAX = 8, KERNEL_WIRE_MAX = 4096, KERNEL_IF_OFFSET = 256, KERNEL_FD = 1000 };

/* Layout to build. Zero means the default: 1 ring of 16 slots, buffers of 2048 bytes, no host rings. */
struct kernel_port {
    uint32_t tx_rings, rx_rings, host_tx_rings, host_rx_rings, slots, buf_size;
};

/* Packet on its way to a ring: starts with its number, from which all other bytes are derived. */
struct kernel_packet {
    uint64_t number;
    uint32_t length;
    uint32_t slot_bytes; /* maximum bytes per slot */
    bool endless;        /* the last slot claims that more slots follow */
};

struct kernel_ring {
    struct chimera_netmap_ring *shared;
    uint32_t hardware_head; /* the receiver has returned all slots before this one */
    uint32_t hardware_tail;
    uint32_t written; /* bytes of the first packet on the wire already written to slots */
    struct kernel_packet wire[KERNEL_WIRE_MAX];
    uint64_t wire_head, wire_tail;
};

/* Faults and facts set or read by a test between calls. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct kernel_port port;
    uint8_t *memory;
    uint64_t memory_bytes;
    struct kernel_ring rings[KERNEL_RINGS_MAX]; /* device rings, then host rings */
    int open_error, register_error, map_error, sync_error;
    short poll_error;                      /* revents of every poll */
    int interruptions;                     /* number of calls that first end with EINTR */
    uint16_t version_min;                  /* the module supports versions from here to 15 */
    int64_t time_ns;                       /* time written to rings by synchronisations; 0: none */
    struct chimera_netmap_request request; /* the last request */
    struct chimera_netmap_register registration;
    uint64_t memsize_claimed, offset_claimed; /* false values, unless 0 */
    int registrations, synchronisations, polls, mapped, opened;
} kernel;

static inline uint32_t kernel_ring_count(void) {
    return kernel.port.rx_rings + kernel.port.host_rx_rings;
}

static inline struct chimera_netmap_if *kernel_if(void) {
    return (void *)(kernel.memory + KERNEL_IF_OFFSET);
}

/* Byte i of a packet: the number first, then bytes derived from the number. */
static inline uint8_t kernel_byte(uint64_t number, uint32_t i) {
    return (uint8_t)(i < 8 ? number >> (8 * i) : number * 31 + i * 7);
}

static inline void kernel_write(const struct kernel_packet *packet, uint32_t from, uint32_t count, uint8_t *to) {
    for (uint32_t i = from; i < from + count; i++) {
        *to++ = kernel_byte(packet->number, i);
    }
}

/* Checks that the captured bytes belong to the packet with this number. */
static inline void kernel_expect_packet(const void *address, uint32_t captured, uint64_t number) {
    const uint8_t *bytes = address;
    for (uint32_t i = 0; i < captured; i++) {
        EXPECT_NUMBER(bytes[i], kernel_byte(number, i));
    }
}

static inline uint32_t kernel_following(const struct kernel_ring *ring, uint32_t slot) {
    return (slot + 1) % ring->shared->num_slots;
}

/* Writes the first packet on the wire to free slots of the ring; true when complete. */
static inline bool kernel_fill(struct kernel_ring *ring) {
    const struct kernel_packet *packet = &ring->wire[ring->wire_head % KERNEL_WIRE_MAX];
    while (ring->written < packet->length) {
        if (kernel_following(ring, ring->hardware_tail) == ring->hardware_head) {
            return false;
        }
        struct chimera_netmap_slot *slot = &ring->shared->slots[ring->hardware_tail];
        uint32_t left = packet->length - ring->written;
        uint32_t count = left < packet->slot_bytes ? left : packet->slot_bytes;
        uint8_t *buffers = (uint8_t *)ring->shared + ring->shared->buf_ofs;
        uint8_t *buffer = buffers + (uint64_t)slot->buf_idx * ring->shared->buf_size;
        kernel_write(packet, ring->written, count, buffer);
        ring->written += count;
        slot->len = (uint16_t)count;
        slot->flags = ring->written < packet->length || packet->endless ? CHIMERA_NETMAP_MOREFRAG : 0;
        ring->hardware_tail = kernel_following(ring, ring->hardware_tail);
    }
    ring->written = 0;
    ring->wire_head++;
    return true;
}

static inline void kernel_synchronise_ring(struct kernel_ring *ring) {
    uint32_t head = __atomic_load_n(&ring->shared->head, __ATOMIC_ACQUIRE);
    /* The receiver may only return slots it owned. */
    uint32_t had = (ring->hardware_tail + ring->shared->num_slots - ring->hardware_head) % ring->shared->num_slots;
    uint32_t gave = (head + ring->shared->num_slots - ring->hardware_head) % ring->shared->num_slots;
    EXPECT(gave <= had);
    ring->hardware_head = head;
    while (ring->wire_head != ring->wire_tail && kernel_fill(ring)) {
    }
    if (kernel.time_ns != 0) {
        EXPECT((ring->shared->flags & CHIMERA_NETMAP_TIMESTAMP) != 0);
        ring->shared->seconds = kernel.time_ns / 1000000000;
        ring->shared->microseconds = kernel.time_ns % 1000000000 / 1000;
    }
    __atomic_store_n(&ring->shared->tail, ring->hardware_tail, __ATOMIC_RELEASE);
}

static inline void kernel_synchronise(void) {
    kernel.synchronisations++;
    for (uint32_t i = 0; i < kernel_ring_count(); i++) {
        if (kernel.rings[i].shared != NULL) {
            kernel_synchronise_ring(&kernel.rings[i]);
        }
    }
}

static inline int kernel_fail(int error) {
    errno = error;
    return -1;
}

static inline bool kernel_interrupts(void) {
    if (kernel.interruptions > 0) {
        kernel.interruptions--;
        errno = EINTR;
        return true;
    }
    return false;
}

static inline int kernel_open(const char *path) {
    EXPECT(strcmp(path, "/dev/netmap") == 0);
    if (kernel.open_error != 0) {
        return kernel_fail(kernel.open_error);
    }
    kernel.opened++;
    return KERNEL_FD;
}

static inline int kernel_register(struct chimera_netmap_request *request) {
    struct chimera_netmap_register *registration = (void *)(uintptr_t)request->body;
    kernel.registrations++;
    kernel.request = *request;
    if (kernel.register_error != 0) {
        return kernel_fail(kernel.register_error);
    }
    if (request->version < kernel.version_min || request->version > 15 || request->type != CHIMERA_NETMAP_REGISTER) {
        return kernel_fail(EINVAL);
    }
    registration->offset = kernel.offset_claimed != 0 ? kernel.offset_claimed : KERNEL_IF_OFFSET;
    registration->memsize = kernel.memsize_claimed != 0 ? kernel.memsize_claimed : kernel.memory_bytes;
    registration->tx_rings = (uint16_t)kernel.port.tx_rings;
    registration->rx_rings = (uint16_t)kernel.port.rx_rings;
    registration->host_tx_rings = (uint16_t)kernel.port.host_tx_rings;
    registration->host_rx_rings = (uint16_t)kernel.port.host_rx_rings;
    kernel.registration = *registration;
    return 0;
}

static inline int kernel_ioctl(int fd, unsigned long request, void *argument) {
    int result = 0;
    EXPECT_NUMBER(fd, KERNEL_FD);
    pthread_mutex_lock(&kernel.lock);
    if (kernel_interrupts()) {
        result = -1;
    } else if (request == CHIMERA_NETMAP_CONTROL) {
        result = kernel_register(argument);
    } else {
        EXPECT_NUMBER(request, CHIMERA_NETMAP_RX_SYNC);
        if (kernel.sync_error != 0) {
            result = kernel_fail(kernel.sync_error);
        } else {
            kernel_synchronise();
        }
    }
    pthread_mutex_unlock(&kernel.lock);
    return result;
}

static inline void *kernel_map(int fd, size_t bytes) {
    EXPECT_NUMBER(fd, KERNEL_FD);
    EXPECT_NUMBER(bytes, kernel.registration.memsize);
    if (kernel.map_error != 0) {
        errno = kernel.map_error;
        return MAP_FAILED;
    }
    kernel.mapped++;
    return kernel.memory;
}

static inline int kernel_unmap(void *memory, size_t bytes) {
    EXPECT(memory == kernel.memory);
    EXPECT_NUMBER(bytes, kernel.registration.memsize);
    kernel.mapped--;
    return 0;
}

static inline bool kernel_readable(void) {
    for (uint32_t i = 0; i < kernel_ring_count(); i++) {
        const struct chimera_netmap_ring *shared = kernel.rings[i].shared;
        if (shared != NULL && __atomic_load_n(&shared->cur, __ATOMIC_RELAXED) != kernel.rings[i].hardware_tail) {
            return true;
        }
    }
    return false;
}

static inline int kernel_poll(struct pollfd *fds, nfds_t count, int timeout_ms) {
    struct timespec end;
    int result = 0;
    if (count == 0) {
        return poll(NULL, 0, timeout_ms);
    }
    EXPECT_NUMBER(fds->fd, KERNEL_FD);
    EXPECT_NUMBER(fds->events, POLLIN);
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += timeout_ms / 1000;
    end.tv_nsec += timeout_ms % 1000 * 1000000L;
    if (end.tv_nsec >= 1000000000) {
        end.tv_sec++;
        end.tv_nsec -= 1000000000;
    }
    pthread_mutex_lock(&kernel.lock);
    kernel.polls++;
    if (kernel_interrupts()) {
        result = -1;
    } else if (kernel.poll_error != 0) {
        fds->revents = kernel.poll_error;
        result = 1;
    } else {
        kernel_synchronise();
        int waited = 0;
        while (!kernel_readable() && waited == 0) {
            waited = timeout_ms < 0 ? pthread_cond_wait(&kernel.changed, &kernel.lock)
                                    : pthread_cond_timedwait(&kernel.changed, &kernel.lock, &end);
            kernel_synchronise();
        }
        fds->revents = kernel_readable() ? POLLIN : 0;
        result = fds->revents != 0;
    }
    pthread_mutex_unlock(&kernel.lock);
    return result;
}

static inline int kernel_close(int fd) {
    EXPECT_NUMBER(fd, KERNEL_FD);
    kernel.opened--;
    return 0;
}

static const struct chimera_netmap_system kernel_system = {
        .open = kernel_open,
        .ioctl = kernel_ioctl,
        .map = kernel_map,
        .unmap = kernel_unmap,
        .poll = kernel_poll,
        .close = kernel_close,
};

static inline uint32_t kernel_or(uint32_t value, uint32_t otherwise) {
    return value == 0 ? otherwise : value;
}

/* Resets the device. Each ring has separate buffers; the first two buffers stay unused, as in netmap. */
static inline void kernel_start(struct kernel_port port) {
    free(kernel.memory);
    memset(&kernel, 0, sizeof kernel);
    pthread_mutex_init(&kernel.lock, NULL);
    pthread_cond_init(&kernel.changed, NULL);
    kernel.version_min = 14;
    port.tx_rings = kernel_or(port.tx_rings, 1);
    port.rx_rings = kernel_or(port.rx_rings, 1);
    port.slots = kernel_or(port.slots, 16);
    port.buf_size = kernel_or(port.buf_size, 2048);
    kernel.port = port;
    uint32_t transmit = port.tx_rings + port.host_tx_rings;
    uint32_t receive = port.rx_rings + port.host_rx_rings;
    EXPECT(receive <= KERNEL_RINGS_MAX);
    uint64_t ring_bytes = sizeof(struct chimera_netmap_ring) + port.slots * sizeof(struct chimera_netmap_slot);
    uint64_t rings_at = KERNEL_IF_OFFSET + sizeof(struct chimera_netmap_if) + (transmit + receive) * sizeof(int64_t);
    uint64_t buffers_at = rings_at + receive * ring_bytes;
    kernel.memory_bytes = buffers_at + (2 + (uint64_t)receive * port.slots) * port.buf_size;
    /* Allocated with malloc at the exact size, so that AddressSanitizer detects any access beyond the end. */
    kernel.memory = calloc(1, kernel.memory_bytes);
    EXPECT(kernel.memory != NULL);
    struct chimera_netmap_if *interface = kernel_if();
    interface->tx_rings = port.tx_rings;
    interface->rx_rings = port.rx_rings;
    interface->host_tx_rings = port.host_tx_rings;
    interface->host_rx_rings = port.host_rx_rings;
    for (uint32_t i = 0; i < receive; i++) {
        uint64_t at = rings_at + i * ring_bytes;
        struct chimera_netmap_ring *ring = (void *)(kernel.memory + at);
        interface->ring_ofs[transmit + i] = (int64_t)(at - KERNEL_IF_OFFSET);
        ring->buf_ofs = (int64_t)(buffers_at - at);
        ring->num_slots = port.slots;
        ring->buf_size = port.buf_size;
        ring->ringid = (uint16_t)i;
        ring->dir = 1;
        for (uint32_t slot = 0; slot < port.slots; slot++) {
            ring->slots[slot].buf_idx = 2 + i * port.slots + slot;
        }
        kernel.rings[i].shared = ring;
    }
    chimera_netmap_system = &kernel_system;
}

/* Puts a packet on the wire of a ring; false when the wire is full. */
static inline bool kernel_send(uint32_t ring_number, struct kernel_packet packet) {
    struct kernel_ring *ring = &kernel.rings[ring_number];
    pthread_mutex_lock(&kernel.lock);
    bool room = ring->wire_tail - ring->wire_head < KERNEL_WIRE_MAX;
    if (room) {
        packet.slot_bytes = kernel_or(packet.slot_bytes, kernel.port.buf_size);
        ring->wire[ring->wire_tail++ % KERNEL_WIRE_MAX] = packet;
        pthread_cond_signal(&kernel.changed);
    }
    pthread_mutex_unlock(&kernel.lock);
    return room;
}

#endif
