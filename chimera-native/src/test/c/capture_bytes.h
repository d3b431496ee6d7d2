/* Builds capture files in memory, in either byte order. */
#ifndef CAPTURE_BYTES_H
#define CAPTURE_BYTES_H

#include "expect.h"

#include <stdbool.h>
#include <stdint.h>

struct capture_bytes {
    uint8_t bytes[65536];
    size_t size;
    bool swapped;
};

static inline void put(struct capture_bytes *file, const void *bytes, size_t size) {
    EXPECT(file->size + size <= sizeof file->bytes);
    memcpy(file->bytes + file->size, bytes, size);
    file->size += size;
}

static inline void put16(struct capture_bytes *file, uint16_t value) {
    value = file->swapped ? __builtin_bswap16(value) : value;
    put(file, &value, sizeof value);
}

static inline void put32(struct capture_bytes *file, uint32_t value) {
    value = file->swapped ? __builtin_bswap32(value) : value;
    put(file, &value, sizeof value);
}

static inline void put64(struct capture_bytes *file, uint64_t value) {
    value = file->swapped ? __builtin_bswap64(value) : value;
    put(file, &value, sizeof value);
}

static inline void put_pcap_header(struct capture_bytes *file, uint32_t magic, uint32_t link_type) {
    put32(file, magic);
    put16(file, 2);
    put16(file, 4);
    put32(file, 0);
    put32(file, 0);
    put32(file, 65535);
    put32(file, link_type);
}

/* Packet bytes 0, 1, 2 ... */
static inline void put_payload(struct capture_bytes *file, uint32_t captured) {
    for (uint32_t i = 0; i < captured; i++) {
        uint8_t byte = (uint8_t)i;
        put(file, &byte, 1);
    }
}

static inline void put_pcap_record(
        struct capture_bytes *file, uint32_t seconds, uint32_t fraction, uint32_t captured, uint32_t length) {
    put32(file, seconds);
    put32(file, fraction);
    put32(file, captured);
    put32(file, length);
    put_payload(file, captured);
}

/* Starts a block; ending the block writes the length at both places. */
static inline size_t begin_block(struct capture_bytes *file, uint32_t type) {
    size_t begin = file->size;
    put32(file, type);
    put32(file, 0);
    return begin;
}

static inline void end_block(struct capture_bytes *file, size_t begin) {
    while (file->size % 4 != 0) {
        put(file, "", 1);
    }
    uint32_t total = (uint32_t)(file->size - begin + 4);
    put32(file, total);
    memcpy(file->bytes + begin + 4, file->bytes + file->size - 4, 4);
}

static inline void put_section(struct capture_bytes *file) {
    size_t block = begin_block(file, 0x0A0D0D0A);
    put32(file, 0x1A2B3C4D);
    put16(file, 1);
    put16(file, 0);
    put64(file, UINT64_MAX);
    end_block(file, block);
}

/* A resolution of 6 and an offset of 0 are omitted, because they are the defaults. */
static inline void put_interface(
        struct capture_bytes *file, uint16_t link_type, uint32_t snap_length, uint8_t resolution, uint64_t offset) {
    size_t block = begin_block(file, 1);
    put16(file, link_type);
    put16(file, 0);
    put32(file, snap_length);
    put16(file, 2);
    put16(file, 3);
    put(file, "lo0\0", 4);
    if (resolution != 6) {
        put16(file, 9);
        put16(file, 1);
        put(file, (uint8_t[]){resolution, 0, 0, 0}, 4);
    }
    if (offset != 0) {
        put16(file, 14);
        put16(file, 8);
        put64(file, offset);
    }
    put32(file, 0);
    end_block(file, block);
}

static inline void put_enhanced_packet(
        struct capture_bytes *file, uint32_t interface, uint64_t time, uint32_t captured, uint32_t length) {
    size_t block = begin_block(file, 6);
    put32(file, interface);
    put32(file, (uint32_t)(time >> 32));
    put32(file, (uint32_t)time);
    put32(file, captured);
    put32(file, length);
    put_payload(file, captured);
    end_block(file, block);
}

#endif
