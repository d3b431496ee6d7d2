#include "chimera_copy.h"

#include <sys/mman.h>

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25 /* since Linux 6.1 */
#endif

void chimera_copy_enlarge_pages(void *memory, size_t bytes) {
    /*
     * MADV_HUGEPAGE works asynchronously, through a kernel thread; MADV_COLLAPSE collapses present pages at once, where
     * supported.
     */
    if (madvise(memory, bytes, MADV_HUGEPAGE) == 0) {
        (void)madvise(memory, bytes, MADV_COLLAPSE);
    }
}

#if defined(__x86_64__)

#include <immintrin.h>
#include <string.h>

/*
 * The instruction has a latency of three cycles and a throughput of one per cycle, so three lanes are summed in
 * parallel.
 */
enum {
    LANE = 1024,
    TWO_LANES = 2 * LANE,
    ALL_LANES = 3 * LANE,
    VECTOR = 32,
    WORD = 8,
    BYTE_VALUES = 256,
    CRC_BYTES = 4
};

/* CRC after one lane of zeros, and after two lanes, for each value of each CRC byte. */
static uint32_t behind_one[CRC_BYTES][BYTE_VALUES];
static uint32_t behind_two[CRC_BYTES][BYTE_VALUES];

__attribute__((target("sse4.2"))) static uint32_t sum_zeros(uint32_t crc, size_t bytes) {
    uint64_t sum = crc;
    for (size_t i = 0; i < bytes; i += WORD) {
        sum = _mm_crc32_u64(sum, 0);
    }
    return (uint32_t)sum;
}

bool chimera_copy_prepare(void) {
    if (!__builtin_cpu_supports("sse4.2") || !__builtin_cpu_supports("avx2")) {
        return false;
    }
    for (uint32_t place = 0; place < CRC_BYTES; place++) {
        for (uint32_t value = 0; value < BYTE_VALUES; value++) {
            behind_one[place][value] = sum_zeros(value << (8 * place), LANE);
            behind_two[place][value] = sum_zeros(behind_one[place][value], LANE);
        }
    }
    return true;
}

static uint32_t behind(uint32_t table[CRC_BYTES][BYTE_VALUES], uint64_t crc) {
    return table[0][crc & 0xFF] ^ table[1][crc >> 8 & 0xFF] ^ table[2][crc >> 16 & 0xFF] ^ table[3][crc >> 24 & 0xFF];
}

__attribute__((target("sse4.2"))) static uint64_t copy_small(
        uint64_t crc, uint8_t *to, const uint8_t *from, size_t bytes) {
    memcpy(to, from, bytes);
    size_t at = 0;
    for (; bytes - at >= WORD; at += WORD) {
        uint64_t word;
        memcpy(&word, from + at, WORD);
        crc = _mm_crc32_u64(crc, word);
    }
    for (; at < bytes; at++) {
        crc = _mm_crc32_u8((uint32_t)crc, from[at]);
    }
    return crc;
}

__attribute__((target("avx2,sse4.2"))) static inline uint64_t copy_vector(
        uint64_t crc, uint8_t *to, const uint8_t *from) {
    uint64_t words[VECTOR / WORD];
    _mm256_store_si256((__m256i *)(void *)to, _mm256_loadu_si256((const __m256i *)(const void *)from));
    memcpy(words, from, VECTOR);
    crc = _mm_crc32_u64(crc, words[0]);
    crc = _mm_crc32_u64(crc, words[1]);
    crc = _mm_crc32_u64(crc, words[2]);
    return _mm_crc32_u64(crc, words[3]);
}

__attribute__((target("avx2,sse4.2"))) uint32_t chimera_copy_crc32c(void *to, const void *from, size_t bytes) {
    uint8_t *out = to;
    const uint8_t *in = from;
    size_t head = -(uintptr_t)out % VECTOR;
    head = head < bytes ? head : bytes;
    uint64_t first = copy_small(UINT32_MAX, out, in, head);
    out += head;
    in += head;
    bytes -= head;
    for (; bytes >= ALL_LANES; bytes -= ALL_LANES) {
        uint64_t second = 0;
        uint64_t third = 0;
        for (size_t at = 0; at < LANE; at += VECTOR) {
            first = copy_vector(first, out + at, in + at);
            second = copy_vector(second, out + LANE + at, in + LANE + at);
            third = copy_vector(third, out + TWO_LANES + at, in + TWO_LANES + at);
        }
        first = behind(behind_two, first) ^ behind(behind_one, second) ^ third;
        out += ALL_LANES;
        in += ALL_LANES;
    }
    return ~(uint32_t)copy_small(first, out, in, bytes);
}

#else

bool chimera_copy_prepare(void) {
    return false;
}

uint32_t chimera_copy_crc32c(void *to, const void *from, size_t bytes) {
    (void)to;
    (void)from;
    (void)bytes;
    return 0;
}

#endif
