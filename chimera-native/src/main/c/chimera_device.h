/*
 * Device, partition or file of fixed size, written in whole sectors past the page cache. Contract between
 * chimera_device_jni.c and chimera_device.c, independent of Java. BlockDevice.java defines the terms complete and
 * durable.
 *
 * Ownership of a write's memory: the device, from acceptance by chimera_device_write() until the completion is polled.
 *
 * Threads: any thread may call read(); other functions are called by one thread at a time. No thread may be in read()
 * during close().
 * Errors: 0 or -errno. Interrupted calls (EINTR) continue. No function allocates after open().
 */
#ifndef CHIMERA_DEVICE_H
#define CHIMERA_DEVICE_H

#include <stddef.h>
#include <stdint.h>

/* Changes with every change of the interface to Java; DeviceLibrary.java has the same number. */
#define CHIMERA_DEVICE_VERSION 2

enum chimera_device_mechanism {
    CHIMERA_DEVICE_BEST,     /* io_uring, or pwrite if unavailable */
    CHIMERA_DEVICE_IO_URING, /* several writes in flight; fails to open if unavailable */
    CHIMERA_DEVICE_PWRITE    /* each write is executed at submission */
};

enum { CHIMERA_DEVICE_ALIGNMENT_MIN = 4096, CHIMERA_DEVICE_ALIGNMENT_MAX = 65536 };

/* Facts, a bit set. */
#define CHIMERA_DEVICE_IS_DIRECT 1u /* past the page cache */
#define CHIMERA_DEVICE_HAS_URING 2u /* supports several writes in flight */
#define CHIMERA_DEVICE_IS_BLOCK 4u  /* not a file */

struct chimera_device_options {
    const char *target; /* path */
    uint64_t bytes;     /* size of a file, created or extended as needed; 0: existing size */
    uint32_t depth;     /* maximum operations in flight, at least 1 */
    uint32_t mechanism; /* enum chimera_device_mechanism */
};

struct chimera_device_facts {
    uint64_t size;      /*  0 bytes */
    uint32_t alignment; /*  8 of offsets, lengths and addresses */
    uint32_t flags;     /* 12 */
};
_Static_assert(sizeof(struct chimera_device_facts) == 16, "NativeDevice.java has the layout too");
_Static_assert(offsetof(struct chimera_device_facts, alignment) == 8, "NativeDevice.java has the layout too");
_Static_assert(offsetof(struct chimera_device_facts, flags) == 12, "NativeDevice.java has the layout too");

struct chimera_completion {
    uint64_t token;  /*  0 */
    int32_t result;  /*  8 bytes written, 0 for a flush, or -errno */
    int32_t padding; /* 12 */
};
_Static_assert(sizeof(struct chimera_completion) == 16, "NativeDevice.java has the layout too");
_Static_assert(offsetof(struct chimera_completion, result) == 8, "NativeDevice.java has the layout too");

typedef struct chimera_device chimera_device;

/* Returns 1, or 0 with the missing requirement of the mechanism and the remedy in cause. */
int chimera_device_available(uint32_t mechanism, char *cause, size_t capacity);

/* Returns 0 and the device, or -errno and an error message with the target and the remedy. */
int chimera_device_open(
        const struct chimera_device_options *options, chimera_device **opened, char *error, size_t capacity);

void chimera_device_facts(const chimera_device *device, struct chimera_device_facts *facts);

/* Registers the source memory of most writes, once. Writes still work if the kernel refuses the registration. */
int chimera_device_register(chimera_device *device, void *memory, size_t bytes);

/* Returns 1 when accepted, 0 when the maximum number of operations is in flight: poll first. */
int chimera_device_write(chimera_device *device, uint64_t offset, const void *memory, uint32_t bytes, uint64_t token);
int chimera_device_flush(chimera_device *device, uint64_t token);

/* Returns at most max completions, in any order; waits for the first completion if any operation is in flight. */
int chimera_device_poll(chimera_device *device, struct chimera_completion *completions, int max, int timeout_ms);

/* Returns the bytes read, fewer than requested at the end of a shrunken device; or -errno. */
int chimera_device_read(chimera_device *device, uint64_t offset, void *memory, uint32_t bytes);

/* Waits for operations in flight, frees all memory, and releases the claim to the target. */
void chimera_device_close(chimera_device *device);

#endif
