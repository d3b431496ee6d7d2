/*
 * Linked with the library of main into a library with working netmap but without the kernel module: a device with two
 * rings. After opening, one thread per ring sends STAND_IN_PACKETS packets. Every fifth packet has three slots. Used by
 * the test through Java (NetmapRegionIT.java has the same numbers).
 */
#include "netmap_kernel.h"

#include <sched.h>

enum { STAND_IN_RINGS = 2, STAND_IN_PACKETS = 50000 };

static struct chimera_netmap_system stand_in;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void *send_all(void *argument) {
    uint64_t ring = (uint64_t)(uintptr_t)argument;
    for (uint64_t number = 0; number < STAND_IN_PACKETS;) {
        uint32_t length = number % 5 == 0 ? 700 : 60;
        if (kernel_send((uint32_t)ring, (struct kernel_packet){.number = number << 8 | ring, .length = length})) {
            number++;
        } else {
            sched_yield();
        }
    }
    return NULL;
}

static void start_senders(void) {
    for (uint64_t ring = 0; ring < STAND_IN_RINGS; ring++) {
        pthread_t thread;
        EXPECT_NUMBER(pthread_create(&thread, NULL, send_all, (void *)(uintptr_t)ring), 0);
        EXPECT_NUMBER(pthread_detach(thread), 0);
    }
}

static int open_and_send(const char *path) {
    (void)pthread_once(&once, start_senders);
    return kernel_open(path);
}

__attribute__((constructor)) static void stand_in_for_netmap(void) {
    kernel_start((struct kernel_port){.rx_rings = STAND_IN_RINGS, .slots = 256, .buf_size = 256});
    stand_in = *chimera_netmap_system;
    stand_in.open = open_and_send;
    chimera_netmap_system = &stand_in;
}
