/* Every supported layout of a capture file, and every kind of damage. */
#include "capture_bytes.h"
#include "chimera_capture.h"
#include "chimera_records.h"

#include <errno.h>

static struct chimera_records records;
static struct chimera_record record;

/* Has exactly the file's size, so that the sanitizer detects a read beyond the end. */
static uint8_t *copy_of(const struct capture_bytes *file) {
    uint8_t *copy = malloc(file->size > 0 ? file->size : 1);
    memcpy(copy, file->bytes, file->size);
    return copy;
}

static int next(void) {
    return chimera_records_next(&records, &record);
}

static void expect_packet(int64_t timestamp_ns, uint32_t captured, uint32_t length) {
    EXPECT_NUMBER(next(), 1);
    EXPECT_NUMBER(record.timestamp_ns, timestamp_ns);
    EXPECT_NUMBER(record.captured, captured);
    EXPECT_NUMBER(record.length, length);
    for (uint32_t i = 0; i < captured; i++) {
        EXPECT_NUMBER(record.bytes[i], (uint8_t)i);
    }
}

static void expect_end(void) {
    EXPECT_NUMBER(next(), CHIMERA_END);
    EXPECT_NUMBER(next(), CHIMERA_END);
}

/* Returns the first error of opening or reading a file; the reader must keep its position after the error. */
static const char *failure_of(const struct capture_bytes *file) {
    uint8_t *bytes = copy_of(file);
    int result = chimera_records_open(&records, "x.pcap", bytes, file->size);
    if (result == 0) {
        do {
            result = next();
        } while (result == 1);
        EXPECT_NUMBER(next(), result);
    }
    EXPECT_NUMBER(result, -EINVAL);
    free(bytes);
    return records.failure;
}

static void reads_pcap(bool swapped, bool nanoseconds) {
    struct capture_bytes file = {.swapped = swapped};
    put_pcap_header(&file, nanoseconds ? 0xA1B23C4D : 0xA1B2C3D4, 0x10000065);
    put_pcap_record(&file, 1700000000, 123456, 60, 60);
    put_pcap_record(&file, 4294967295, 999999, 10, 1500);
    put_pcap_record(&file, 1, 2, 0, 0);
    uint8_t *bytes = copy_of(&file);
    EXPECT_NUMBER(chimera_records_open(&records, "x.pcap", bytes, file.size), 0);
    EXPECT_NUMBER(records.link_type, 101);
    int64_t ns = nanoseconds ? 1 : 1000;
    expect_packet(1700000000000000000 + 123456 * ns, 60, 60);
    expect_packet(4294967295000000000 + 999999 * ns, 10, 1500);
    expect_packet(1000000000 + 2 * ns, 0, 0);
    expect_end();
    free(bytes);
}

static void reads_pcapng(bool swapped) {
    struct capture_bytes file = {.swapped = swapped};
    put_section(&file);
    end_block(&file, begin_block(&file, 0x0BAD));
    put_interface(&file, 1, 0, 6, 0);
    put_interface(&file, 1, 5, 9, 0);
    put_interface(&file, 113, 0, 3, 0);
    put_interface(&file, 1, 0, 0x80 | 10, 100);
    put_interface(&file, 1, 0, 12, 0);
    put_interface(&file, 1, 0, 0x80 | 40, 0);
    put_enhanced_packet(&file, 0, 1700000000123456, 61, 61);
    put_enhanced_packet(&file, 1, 1700000000123456789, 3, 70);
    put_enhanced_packet(&file, 2, 5, 9, 9);
    put_enhanced_packet(&file, 3, 2 * 1024 + 512, 1, 1);
    put_enhanced_packet(&file, 4, 1234567890123, 0, 0);
    put_enhanced_packet(&file, 5, (UINT64_C(7) << 40) + (UINT64_C(1) << 38), 4, 4);
    uint8_t *bytes = copy_of(&file);
    EXPECT_NUMBER(chimera_records_open(&records, "x.pcapng", bytes, file.size), 0);
    EXPECT_NUMBER(records.link_type, 1);
    expect_packet(1700000000123456000, 61, 61);
    expect_packet(1700000000123456789, 3, 70);
    expect_packet(102500000000, 1, 1);
    expect_packet(1234567890, 0, 0);
    expect_packet(7250000000, 4, 4);
    expect_end();
    EXPECT_NUMBER(records.invalid, 1);
    free(bytes);
}

static void reads_simple_and_obsolete_packets(void) {
    struct capture_bytes file = {0};
    put_section(&file);
    put_interface(&file, 1, 8, 6, 0);
    size_t block = begin_block(&file, 3);
    put32(&file, 5);
    put_payload(&file, 5);
    end_block(&file, block);
    block = begin_block(&file, 2);
    put16(&file, 0);
    put16(&file, 77);
    put32(&file, 0);
    put32(&file, 9000);
    put32(&file, 6);
    put32(&file, 6);
    put_payload(&file, 6);
    end_block(&file, block);
    block = begin_block(&file, 3);
    put32(&file, 100);
    put_payload(&file, 8);
    end_block(&file, block);
    uint8_t *bytes = copy_of(&file);
    EXPECT_NUMBER(chimera_records_open(&records, "x.pcapng", bytes, file.size), 0);
    expect_packet(0, 5, 5);
    expect_packet(9000000, 6, 6);
    expect_packet(9000000, 8, 100);
    expect_end();
    free(bytes);
}

static void a_section_has_its_own_interfaces_and_order_of_bytes(void) {
    struct capture_bytes file = {0};
    put_section(&file);
    put_interface(&file, 1, 0, 6, 0);
    put_enhanced_packet(&file, 0, 1, 1, 1);
    file.swapped = true;
    put_section(&file);
    put_interface(&file, 1, 0, 9, 0);
    put_enhanced_packet(&file, 0, 1, 1, 1);
    uint8_t *bytes = copy_of(&file);
    EXPECT_NUMBER(chimera_records_open(&records, "x.pcapng", bytes, file.size), 0);
    expect_packet(1000, 1, 1);
    expect_packet(1, 1, 1);
    expect_end();
    free(bytes);

    put_section(&file);
    put_enhanced_packet(&file, 0, 1, 1, 1);
    EXPECT_CONTAINS(failure_of(&file), "is a packet of interface 0, and the section has 0");
}

static void a_file_without_packets_ends_at_once(void) {
    struct capture_bytes file = {0};
    put_section(&file);
    EXPECT_NUMBER(chimera_records_open(&records, "x.pcapng", file.bytes, file.size), 0);
    EXPECT_NUMBER(records.link_type, 1);
    expect_end();

    file = (struct capture_bytes){0};
    put_pcap_header(&file, 0xA1B2C3D4, 1);
    EXPECT_NUMBER(chimera_records_open(&records, "x.pcap", file.bytes, file.size), 0);
    expect_end();
}

static void what_is_no_capture_file_is_named(void) {
    struct capture_bytes file = {0};
    EXPECT_CONTAINS(failure_of(&file), "x.pcap: is not a capture file: it has 0 bytes");
    put32(&file, 0x00088B1F);
    EXPECT_CONTAINS(failure_of(&file), "is neither pcap nor pcapng: it begins with 0x00088b1f");
    file.size = 0;
    put32(&file, 0xA1B2C3D4);
    EXPECT_CONTAINS(failure_of(&file), "the record at offset 0, after packet 0, needs 24 bytes, of which 4 are there");
    file.size = 0;
    put32(&file, 0x0A0D0D0A);
    EXPECT_CONTAINS(failure_of(&file), "the record at offset 0, after packet 0, needs 12 bytes, of which 4 are there");
}

static void damaged_pcap_is_named_with_its_offset(void) {
    struct capture_bytes file = {0};
    put_pcap_header(&file, 0xA1B2C3D4, 1);
    put_pcap_record(&file, 1, 2, 60, 60);
    put_pcap_record(&file, 1, 2, 60, 60);
    file.size -= 1;
    EXPECT_CONTAINS(
            failure_of(&file),
            "the record at offset 100, after packet 1, needs 76 bytes, of which 75 are there: the file was cut");
    file.size = 100 + 15;
    EXPECT_CONTAINS(
            failure_of(&file),
            "the record at offset 100, after packet 1, needs 16 bytes, of which 15 are there: the file was cut");
    file.size = 100;
    put_pcap_record(&file, 1, 2, 0, 60);
    memcpy(file.bytes + 108, "\377\377\377\377", 4);
    EXPECT_CONTAINS(
            failure_of(&file),
            "the record at offset 100, after packet 1, says 4294967295 bytes, more than any packet has");
}

/* Reads a section, an interface, and a block with the given type and body. */
static const char *failure_of_block(uint32_t type, const void *body, size_t bytes) {
    static struct capture_bytes file;
    file = (struct capture_bytes){0};
    put_section(&file);
    put_interface(&file, 1, 0, 6, 0);
    EXPECT_NUMBER(file.size, 28 + 32);
    size_t block = begin_block(&file, type);
    put(&file, body, bytes);
    end_block(&file, block);
    return failure_of(&file);
}

static void damaged_pcapng_is_named_with_its_offset(void) {
    static const uint8_t zeros[64];
    EXPECT_CONTAINS(
            failure_of_block(0x0A0D0D0A, zeros, 16),
            "offset 60, after packet 0, begins a section without its magic number");
    EXPECT_CONTAINS(
            failure_of_block(0x0A0D0D0A, "\x4D\x3C\x2B\x1A", 4),
            "offset 60, after packet 0, is too short for a section");
    EXPECT_CONTAINS(
            failure_of_block(0x0A0D0D0A, "\x4D\x3C\x2B\x1A\2\0\0\0\0\0\0\0\0\0\0\0", 16),
            "offset 60, after packet 0, begins a section of pcapng 2");
    EXPECT_CONTAINS(failure_of_block(1, zeros, 4), "offset 60, after packet 0, is too short for an interface");
    EXPECT_CONTAINS(
            failure_of_block(1, "\1\0\0\0\0\0\0\0\11\0\5\0\0\0\0\0", 16),
            "offset 60, after packet 0, has an option that is longer than its block");
    EXPECT_CONTAINS(
            failure_of_block(1, "\1\0\0\0\0\0\0\0\11\0\2\0\0\0\0\0", 16),
            "offset 60, after packet 0, has a time resolution of 2 bytes");
    EXPECT_CONTAINS(
            failure_of_block(1, "\1\0\0\0\0\0\0\0\16\0\4\0\0\0\0\0", 16),
            "offset 60, after packet 0, has a time offset of 4 bytes");
    EXPECT_CONTAINS(failure_of_block(6, zeros, 16), "offset 60, after packet 0, is too short for a packet");
    EXPECT_CONTAINS(
            failure_of_block(6, "\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 20),
            "offset 60, after packet 0, is a packet of interface 1, and the section has 1");
    EXPECT_CONTAINS(
            failure_of_block(6, "\0\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0", 20),
            "offset 60, after packet 0, holds a packet that is longer than its block");
    EXPECT_CONTAINS(
            failure_of_block(6, "\0\0\0\0\0\0\0\0\0\0\0\0\1\0\4\0\0\0\0\0", 20),
            "offset 60, after packet 0, says 262145 bytes, more than");
    EXPECT_CONTAINS(
            failure_of_block(3, zeros, 0), "offset 60, after packet 0, is a packet without a length or an interface");
}

static void damaged_lengths_of_blocks_are_named(void) {
    struct capture_bytes file = {0};
    put_section(&file);
    uint32_t lengths[] = {0, 8, 29, 0x80000000};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        memcpy(file.bytes + 4, &lengths[i], 4);
        EXPECT_CONTAINS(failure_of(&file), "bytes, which no block has");
    }
    uint32_t length = 32;
    memcpy(file.bytes + 4, &length, 4);
    EXPECT_CONTAINS(
            failure_of(&file), "offset 0, after packet 0, needs 32 bytes, of which 28 are there: the file was cut off");
    length = 28;
    memcpy(file.bytes + 4, &length, 4);
    file.bytes[24] ^= 1;
    EXPECT_CONTAINS(failure_of(&file), "offset 0, after packet 0, says two lengths");
}

static void only_so_many_interfaces_are_read(void) {
    static struct capture_bytes file;
    put_section(&file);
    for (uint32_t i = 0; i < CHIMERA_INTERFACES_MAX + 1; i++) {
        put_interface(&file, 1, 0, 6, 0);
    }
    EXPECT_CONTAINS(failure_of(&file), "limit of 1024 interfaces");
}

int main(void) {
    for (int i = 0; i < 4; i++) {
        reads_pcap((i & 1) != 0, (i & 2) != 0);
    }
    reads_pcapng(false);
    reads_pcapng(true);
    reads_simple_and_obsolete_packets();
    a_section_has_its_own_interfaces_and_order_of_bytes();
    a_file_without_packets_ends_at_once();
    what_is_no_capture_file_is_named();
    damaged_pcap_is_named_with_its_offset();
    damaged_pcapng_is_named_with_its_offset();
    damaged_lengths_of_blocks_are_named();
    only_so_many_interfaces_are_read();
    return 0;
}
