/*
 * Copies of all lengths and alignments: copies exactly the given bytes, and the checksum equals a CRC32C computed bit
 * by bit.
 */
#include "chimera_copy.h"
#include "expect.h"

enum { CAPACITY = 20000, MARK = 0xA5 };

static uint8_t from[CAPACITY];
static uint8_t to[CAPACITY];
static uint64_t chance = 1;

static uint32_t next(void) {
    chance = chance * 6364136223846793005U + 1442695040888963407U;
    return (uint32_t)(chance >> 33);
}

static uint32_t crc32c(const uint8_t *bytes, size_t count) {
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < count; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++) {
            crc = (crc & 1) != 0 ? crc >> 1 ^ 0x82F63B78U : crc >> 1;
        }
    }
    return ~crc;
}

static void copy(size_t at, size_t start, size_t bytes) {
    memset(to, MARK, sizeof to);
    EXPECT_NUMBER(chimera_copy_crc32c(to + at, from + start, bytes), crc32c(from + start, bytes));
    EXPECT(memcmp(to + at, from + start, bytes) == 0);
    for (size_t i = 0; i < sizeof to; i++) {
        EXPECT((i >= at && i < at + bytes) || to[i] == MARK);
    }
}

int main(void) {
    if (!chimera_copy_prepare()) {
        (void)fputs("copy_test: not tested on this processor.\n", stderr);
        return 0;
    }
    for (size_t i = 0; i < sizeof from; i++) {
        from[i] = (uint8_t)next();
    }
    EXPECT_NUMBER(chimera_copy_crc32c(to, "123456789", 9), 0xE3069283U);
    for (size_t bytes = 0; bytes < 200; bytes++) {
        copy(next() % 64, next() % 64, bytes);
    }
    for (int i = 0; i < 500; i++) {
        copy(next() % 64, next() % 64, next() % (CAPACITY - 128));
    }
    chimera_copy_enlarge_pages(to, sizeof to); /* refused without effect, because the address is not page-aligned */
    return 0;
}
