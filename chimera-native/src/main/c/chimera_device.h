/*
 * A device, partition or file of fixed size, written in whole sectors past the page cache. This is the contract between
 * chimera_device_jni.c and chimera_device.c; nothing here knows of Java. BlockDevice.java says what complete and durable
 * mean.
 *
 * Who owns the memory of a write: the device from chimera_device_write() that took it until its completion was polled.
 *
 * Threads: read() may be called by any; the others by one thread at a time. Nobody may be in read() when close() is called.
 * Errors: 0 or -errno. A call that is interrupted (EINTR) goes on by itself. Nothing is allocated after open().
 */
#ifndef CHIMERA_DEVICE_H
#define CHIMERA_DEVICE_H

#include <stddef.h>
#include <stdint.h>

/* Changes with every change of what crosses to Java; DeviceLibrary.java has the same number. */
#define CHIMERA_DEVICE_VERSION 2

enum chimera_device_mechanism {
    CHIMERA_DEVICE_BEST,     /* io_uring, and where that cannot be had, pwrite */
    CHIMERA_DEVICE_IO_URING, /* several writes in flight, or not open at all */
    CHIMERA_DEVICE_PWRITE    /* each write is done when it is submitted */
};

enum { CHIMERA_DEVICE_ALIGNMENT_MIN = 4096, CHIMERA_DEVICE_ALIGNMENT_MAX = 65536 };

/* Facts, a set of bits. */
#define CHIMERA_DEVICE_IS_DIRECT 1u   /* past the page cache */
#define CHIMERA_DEVICE_HAS_URING 2u   /* several writes are in flight */
#define CHIMERA_DEVICE_IS_BLOCK 4u    /* not a file */

struct chimera_device_options {
    const char *target; /* path */
    uint64_t bytes;     /* size of a file, which is made or made longer; 0: what is there is taken as it is */
    uint32_t depth;     /* operations in flight, at least 1 */
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

/* 1, or 0 with what the mechanism lacks here and the remedy in cause. */
int chimera_device_available(uint32_t mechanism, char *cause, size_t capacity);

/* 0 and the device, or -errno and a sentence in error that names the target and the remedy. */
int chimera_device_open(
        const struct chimera_device_options *options, chimera_device **opened, char *error, size_t capacity);

void chimera_device_facts(const chimera_device *device, struct chimera_device_facts *facts);

/* Memory from which most writes will come, once. Where the kernel does not take it, writes are as good. */
int chimera_device_register(chimera_device *device, void *memory, size_t bytes);

/* 1 when it was taken, 0 when as many operations are in flight as may be: poll first. */
int chimera_device_write(
        chimera_device *device, uint64_t offset, const void *memory, uint32_t bytes, uint64_t token);
int chimera_device_flush(chimera_device *device, uint64_t token);

/* Hands out at most max completions, in any order; waits for the first where any operation is in flight. */
int chimera_device_poll(chimera_device *device, struct chimera_completion *completions, int max, int timeout_ms);

/* Bytes read, fewer than asked for at the end of a device that shrank; or -errno. */
int chimera_device_read(chimera_device *device, uint64_t offset, void *memory, uint32_t bytes);

/* Waits for what is in flight, frees everything, and lets others open it. */
void chimera_device_close(chimera_device *device);

#endif
