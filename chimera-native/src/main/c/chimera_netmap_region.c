#include "chimera_netmap_region.h"

#include "chimera_netmap_system.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int real_open(const char *path) {
    return open(path, O_RDWR | O_CLOEXEC);
}

static int real_ioctl(int fd, unsigned long request, void *argument) {
    return ioctl(fd, request, argument);
}

static void *real_map(int fd, size_t bytes) {
    return mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
}

static const struct chimera_netmap_system real_system = {
        .open = real_open,
        .ioctl = real_ioctl,
        .map = real_map,
        .unmap = munmap,
        .poll = poll,
        .close = close,
};

const struct chimera_netmap_system *chimera_netmap_system = &real_system;

static int control(int fd, unsigned long request, void *argument) {
    int result;
    do {
        result = chimera_netmap_system->ioctl(fd, request, argument);
    } while (result < 0 && errno == EINTR);
    return result < 0 ? -errno : 0;
}

/* Returns the remedy for a failure to open the device. */
static const char *device_remedy(int number) {
    return number == ENOENT || number == ENXIO || number == ENODEV
            ? "the kernel module netmap is not loaded: build it from netmap's sources for this kernel and modprobe it"
            : "run as root, or give this user access to the device";
}

static const char *register_remedy(int number) {
    switch (number) {
        case EBUSY:
            return "another program uses the port: stop that program";
        case EINVAL:
            return "the module refuses the port, its rings, or versions 14 and 15 of the interface (dmesg says which)";
        case ENODEV:
        case ENXIO:
            return "there is no such interface, or its driver has no netmap support: see ip link, or use a VALE port";
        case ENOMEM:
            return "netmap's memory is used up: raise ring_num, buf_num or if_num in /sys/module/netmap/parameters";
        default:
            return "dmesg may say more";
    }
}

static int register_port(
        struct chimera_netmap_region *region, const struct chimera_netmap_port *port,
        struct chimera_netmap_register *registration, const char *target, char *error, size_t capacity) {
    int result = -EINVAL;
    uint16_t version = CHIMERA_NETMAP_VERSION;
    for (; result == -EINVAL && version <= CHIMERA_NETMAP_VERSION_MAX; version++) {
        struct chimera_netmap_request request = {
                .version = version,
                .type = CHIMERA_NETMAP_REGISTER,
                .body = (uint64_t)(uintptr_t)registration,
        };
        memcpy(request.name, port->name, sizeof request.name);
        memset(registration, 0, sizeof *registration);
        registration->mode = port->mode;
        registration->ringid = port->ringid;
        registration->mem_id = port->mem_id;
        registration->flags = port->flags;
        result = control(region->fd, CHIMERA_NETMAP_CONTROL, &request);
    }
    if (result != 0) {
        return chimera_fail(
                error, capacity, -result, "netmap:%s: the port cannot be registered: %s: %s", target, strerror(-result),
                register_remedy(-result));
    }
    return 0;
}

/* Whether a range lies in the mapped memory, aligned for netmap's structs. */
static bool holds(const struct chimera_netmap_region *region, uint64_t at, uint64_t bytes) {
    return at % 8 == 0 && at <= region->memory_bytes && bytes <= region->memory_bytes - at;
}

/* Adds the ring at an offset of the memory; false for an invalid layout. */
static bool find_ring(const struct chimera_netmap_region *region, uint64_t at, struct chimera_receive_ring *ring) {
    if (!holds(region, at, sizeof *ring->shared)) {
        return false;
    }
    struct chimera_netmap_ring *shared = (void *)((uint8_t *)region->memory + at);
    uint64_t buffers = at + (uint64_t)shared->buf_ofs;
    ring->shared = shared;
    ring->slots = shared->num_slots;
    ring->buffer_bytes = shared->buf_size;
    if (ring->slots < 2 || ring->slots > UINT16_MAX || ring->buffer_bytes == 0 || buffers > region->memory_bytes
        || !holds(region, at, sizeof *shared + ring->slots * sizeof *shared->slots) || shared->head >= ring->slots) {
        return false;
    }
    ring->buffers = (const uint8_t *)region->memory + buffers;
    ring->buffer_count = (region->memory_bytes - buffers) / ring->buffer_bytes;
    ring->released = shared->head;
    ring->next = shared->head;
    ring->time_at_open_ns = chimera_netmap_time_ns(shared);
    shared->flags |= CHIMERA_NETMAP_TIMESTAMP;
    return true;
}

/* Returns the receive rings covered by a registration mode: first ring and number of rings. */
static uint32_t covered(
        const struct chimera_netmap_if *port, const struct chimera_netmap_register *registration, uint32_t *first) {
    uint32_t ring = registration->ringid;
    switch (registration->mode) {
        case CHIMERA_NETMAP_ONE_NIC: /* a port with fewer receive than transmit rings returns its first receive ring */
            *first = ring < port->rx_rings ? ring : 0;
            return port->rx_rings == 0 ? 0 : 1;
        case CHIMERA_NETMAP_ONE_SW:
            *first = port->rx_rings + (ring < port->host_rx_rings ? ring : 0);
            return port->host_rx_rings == 0 ? 0 : 1;
        case CHIMERA_NETMAP_SW:
            *first = port->rx_rings;
            return port->host_rx_rings;
        case CHIMERA_NETMAP_NIC_SW:
            *first = 0;
            return port->rx_rings + port->host_rx_rings;
        default:
            *first = 0;
            return port->rx_rings;
    }
}

/* Finds the rings in the mapped memory. Returns 0, or -EPROTO when the layout differs from chimera_netmap_abi.h. */
static int find_rings(struct chimera_netmap_region *region, const struct chimera_netmap_register *registration) {
    uint32_t first;
    uint32_t slots_min = UINT32_MAX;
    if (!holds(region, registration->offset, sizeof(struct chimera_netmap_if))) {
        return -EPROTO;
    }
    const struct chimera_netmap_if *port = (const void *)((const uint8_t *)region->memory + registration->offset);
    uint32_t count = covered(port, registration, &first);
    uint64_t at = (uint64_t)port->tx_rings + port->host_tx_rings + first;
    if (count == 0 || count > UINT16_MAX
        || !holds(
                region, registration->offset + sizeof *port + at * sizeof *port->ring_ofs,
                count * sizeof *port->ring_ofs)) {
        return -EPROTO;
    }
    region->rings = calloc(count, sizeof *region->rings);
    if (region->rings == NULL) {
        return -ENOMEM;
    }
    for (uint32_t i = 0; i < count; i++) {
        struct chimera_receive_ring *ring = &region->rings[i];
        if (!find_ring(region, registration->offset + (uint64_t)port->ring_ofs[at + i], ring)) {
            return -EPROTO;
        }
        slots_min = ring->slots < slots_min ? ring->slots : slots_min;
    }
    region->ring_count = count;
    region->slots_min = slots_min;
    return 0;
}

static int map_port(
        struct chimera_netmap_region *region, const struct chimera_netmap_register *registration, const char *target,
        char *error, size_t capacity) {
    void *memory = chimera_netmap_system->map(region->fd, registration->memsize);
    if (memory == MAP_FAILED) {
        int number = errno;
        return chimera_fail(
                error, capacity, number, "netmap:%s: its %llu bytes of memory cannot be mapped: %s", target,
                (unsigned long long)registration->memsize, strerror(number));
    }
    region->memory = memory;
    region->memory_bytes = registration->memsize;
    int result = find_rings(region, registration);
    if (result != 0) {
        return chimera_fail(
                error, capacity, -result,
                "netmap:%s: its memory is not laid out as version 14 of netmap has it: use a module of version 14 or "
                "15, and a port with receive rings",
                target);
    }
    return 0;
}

/* Captures sharing a port have one ring each. */
static int share(
        struct chimera_netmap_port *port, const struct chimera_capture_options *options, char *error, size_t capacity) {
    if (options->queues <= 1) {
        return 0;
    }
    if (port->mode != CHIMERA_NETMAP_ALL_NIC) {
        return chimera_fail(
                error, capacity, EINVAL,
                "netmap:%s: %u captures can share only all rings of a device: omit the rings from the name",
                options->target, options->queues);
    }
    port->mode = CHIMERA_NETMAP_ONE_NIC;
    port->ringid = (uint16_t)options->queue;
    return 0;
}

static int check_share(
        const struct chimera_netmap_register *registration, const struct chimera_capture_options *options, char *error,
        size_t capacity) {
    if (options->queues <= 1 || registration->rx_rings == options->queues) {
        return 0;
    }
    return chimera_fail(
            error, capacity, EINVAL,
            "netmap:%s: it has %u receive rings, and %u captures would share them: open as many captures as rings",
            options->target, registration->rx_rings, options->queues);
}

int chimera_netmap_region_open(
        struct chimera_netmap_region *region, struct chimera_netmap_port *port,
        const struct chimera_capture_options *options, char *error, size_t capacity) {
    struct chimera_netmap_register registration;
    int result = share(port, options, error, capacity);
    if (result != 0) {
        return result;
    }
    region->fd = chimera_netmap_system->open(CHIMERA_NETMAP_DEVICE);
    if (region->fd < 0) {
        int number = errno;
        return chimera_fail(
                error, capacity, number, "netmap:%s: %s: %s: %s", options->target, CHIMERA_NETMAP_DEVICE,
                strerror(number), device_remedy(number));
    }
    if ((result = register_port(region, port, &registration, options->target, error, capacity)) != 0
        || (result = check_share(&registration, options, error, capacity)) != 0) {
        return result;
    }
    return map_port(region, &registration, options->target, error, capacity);
}

void chimera_netmap_region_close(struct chimera_netmap_region *region) {
    if (region->memory != NULL) {
        (void)chimera_netmap_system->unmap(region->memory, region->memory_bytes);
    }
    if (region->fd >= 0) {
        (void)chimera_netmap_system->close(region->fd);
    }
    free(region->rings);
}

int chimera_netmap_synchronise(const struct chimera_netmap_region *region) {
    return control(region->fd, CHIMERA_NETMAP_RX_SYNC, NULL);
}

int chimera_netmap_available(char *cause, size_t capacity) {
    int fd = chimera_netmap_system->open(CHIMERA_NETMAP_DEVICE);
    if (fd < 0) {
        int number = errno;
        (void)chimera_fail(
                cause, capacity, number, "%s: %s: %s", CHIMERA_NETMAP_DEVICE, strerror(number), device_remedy(number));
        return 0;
    }
    (void)chimera_netmap_system->close(fd);
    return 1;
}
