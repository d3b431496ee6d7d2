/*
 * pcap, after a header of 24 bytes (magic u32, major u16, minor u16, zone i32, accuracy u32, snap length u32, link type
 * u16, flags u16):
 *
 *   | seconds u32 | fraction u32 | captured u32 | length u32 | bytes ...
 *
 * pcapng, a sequence of blocks; options are (code u16, length u16, value padded to 4) and end with code 0 or the block:
 *
 *   | type u32 | total u32 | body ...                                                                  | total u32 |
 *     section 0x0A0D0D0A:     magic u32, major u16, minor u16, length i64, options
 *     interface 1:            link type u16, reserved u16, snap length u32, options
 *     packet 2 (obsolete):    interface u16, drops u16, time high u32, time low u32, captured u32, length u32, bytes
 *     simple packet 3:        length u32, bytes
 *     enhanced packet 6:      interface u32, time high u32, time low u32, captured u32, length u32, bytes, options
 */
#include "chimera_records.h"

#include "chimera_capture.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    PCAP_MICROSECONDS = 0xA1B2C3D4u,
    PCAP_NANOSECONDS = 0xA1B23C4Du,
    PCAP_HEADER = 24,
    PCAP_LINK_TYPE = 20,
    PCAP_RECORD = 16,

    BLOCK_SECTION = 0x0A0D0D0A,
    BLOCK_INTERFACE = 1,
    BLOCK_PACKET = 2,
    BLOCK_SIMPLE_PACKET = 3,
    BLOCK_ENHANCED_PACKET = 6,
    BLOCK_HEADER = 8,
    BLOCK_BYTES_MIN = 12,
    BYTE_ORDER_MAGIC = 0x1A2B3C4D,

    OPTION_END = 0,
    OPTION_RESOLUTION = 9,
    OPTION_OFFSET = 14,
    RESOLUTION_BINARY = 0x80,
    RESOLUTION_MICROSECONDS = 6,

    LINK_TYPE_ETHERNET = 1,
};

static const uint64_t NS_PER_SECOND = 1000000000u;

static uint16_t u16(const struct chimera_records *records, const uint8_t *at) {
    uint16_t value;
    memcpy(&value, at, sizeof value);
    return records->swapped ? __builtin_bswap16(value) : value;
}

static uint32_t u32(const struct chimera_records *records, const uint8_t *at) {
    uint32_t value;
    memcpy(&value, at, sizeof value);
    return records->swapped ? __builtin_bswap32(value) : value;
}

static uint64_t u64(const struct chimera_records *records, const uint8_t *at) {
    uint64_t value;
    memcpy(&value, at, sizeof value);
    return records->swapped ? __builtin_bswap64(value) : value;
}

__attribute__((format(printf, 2, 3))) static int fail(struct chimera_records *records, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int written = snprintf(
            records->failure, sizeof records->failure,
            "%.300s: the record at offset %" PRIu64 ", after packet %" PRIu64 ", ", records->name, records->position,
            records->packets + records->invalid);
    (void)vsnprintf(records->failure + written, sizeof records->failure - (size_t)written, format, arguments);
    va_end(arguments);
    return -EINVAL;
}

static int cut_off(struct chimera_records *records, uint64_t wanted) {
    return fail(
            records, "needs %" PRIu64 " bytes, of which %" PRIu64 " are there: the file was cut off", wanted,
            records->size - records->position);
}

static int too_long(struct chimera_records *records, uint32_t bytes) {
    return fail(records, "says %" PRIu32 " bytes, more than any packet has: the file is damaged", bytes);
}

static int next_pcap(struct chimera_records *records, struct chimera_record *record) {
    uint64_t left = records->size - records->position;
    if (left == 0) {
        return CHIMERA_END;
    }
    if (left < PCAP_RECORD) {
        return cut_off(records, PCAP_RECORD);
    }
    const uint8_t *at = records->bytes + records->position;
    uint32_t captured = u32(records, at + 8);
    if (captured > CHIMERA_PACKET_BYTES_MAX) {
        return too_long(records, captured);
    }
    if (left - PCAP_RECORD < captured) {
        return cut_off(records, PCAP_RECORD + captured);
    }
    record->bytes = at + PCAP_RECORD;
    record->timestamp_ns =
            (int64_t)(u32(records, at) * NS_PER_SECOND + (uint64_t)u32(records, at + 4) * records->ns_per_fraction);
    record->captured = captured;
    record->length = u32(records, at + 12);
    records->position += PCAP_RECORD + captured;
    return 1;
}

/* Converts a timestamp to nanoseconds; overflow wraps around. */
static int64_t nanoseconds(const struct chimera_records_interface *interface, uint64_t time) {
    uint32_t exponent = interface->resolution & ~(uint32_t)RESOLUTION_BINARY;
    uint64_t ns;
    if ((interface->resolution & RESOLUTION_BINARY) == 0) {
        ns = time;
        for (uint32_t i = exponent; i < 9; i++) {
            ns *= 10;
        }
        for (uint32_t i = 9; i < exponent; i++) {
            ns /= 10;
        }
    } else {
        /* Beyond 34 bits a fraction is finer than a tenth of a nanosecond, and the product would overflow. */
        uint64_t seconds = exponent < 64 ? time >> exponent : 0;
        uint64_t fraction = exponent < 64 ? time & ((UINT64_C(1) << exponent) - 1) : time;
        uint32_t bits = exponent;
        if (bits > 34) {
            fraction = bits - 34 < 64 ? fraction >> (bits - 34) : 0;
            bits = 34;
        }
        ns = seconds * NS_PER_SECOND + (fraction * NS_PER_SECOND >> bits);
    }
    return (int64_t)(ns + (uint64_t)interface->offset_ns);
}

/* Starts a section with its own byte order and interfaces. The caller guarantees 12 readable bytes. */
static int begin_section(struct chimera_records *records, const uint8_t *at) {
    uint32_t magic;
    memcpy(&magic, at + BLOCK_HEADER, sizeof magic);
    if (magic != BYTE_ORDER_MAGIC && magic != __builtin_bswap32(BYTE_ORDER_MAGIC)) {
        return fail(records, "begins a section without its magic number: the file is damaged");
    }
    records->swapped = magic != BYTE_ORDER_MAGIC;
    records->interfaces_count = 0;
    return 0;
}

static int read_section(struct chimera_records *records, const uint8_t *body, uint32_t bytes) {
    if (bytes < 16) {
        return fail(records, "is too short for a section: the file is damaged");
    }
    uint16_t major = u16(records, body + 4);
    if (major != 1) {
        return fail(records, "begins a section of pcapng %u, but only 1 is supported", major);
    }
    return 0;
}

static int read_interface_option(
        struct chimera_records *records, struct chimera_records_interface *interface, uint16_t code,
        const uint8_t *value, uint16_t bytes) {
    if (code == OPTION_RESOLUTION) {
        if (bytes != 1) {
            return fail(records, "has a time resolution of %u bytes: the file is damaged", bytes);
        }
        interface->resolution = *value;
    } else if (code == OPTION_OFFSET) {
        if (bytes != 8) {
            return fail(records, "has a time offset of %u bytes: the file is damaged", bytes);
        }
        interface->offset_ns = (int64_t)(u64(records, value) * NS_PER_SECOND);
    }
    return 0;
}

static int read_interface(struct chimera_records *records, const uint8_t *body, uint32_t bytes) {
    if (bytes < 8) {
        return fail(records, "is too short for an interface: the file is damaged");
    }
    if (records->interfaces_count == CHIMERA_INTERFACES_MAX) {
        return fail(records, "exceeds the limit of %u interfaces per section", CHIMERA_INTERFACES_MAX);
    }
    struct chimera_records_interface *interface = &records->interfaces[records->interfaces_count];
    *interface = (struct chimera_records_interface){
            .link_type = u16(records, body),
            .snap_length = u32(records, body + 4),
            .resolution = RESOLUTION_MICROSECONDS,
    };
    for (uint32_t at = 8; bytes - at >= 4;) {
        uint16_t code = u16(records, body + at);
        uint16_t length = u16(records, body + at + 2);
        at += 4;
        if (code == OPTION_END) {
            break;
        }
        if (length > bytes - at) {
            return fail(records, "has an option that is longer than its block: the file is damaged");
        }
        int result = read_interface_option(records, interface, code, body + at, length);
        if (result < 0) {
            return result;
        }
        uint32_t padded = (length + 3u) & ~3u;
        at += padded < bytes - at ? padded : bytes - at;
    }
    records->interfaces_count++;
    if (records->link_type < 0) {
        records->link_type = interface->link_type;
    }
    return 0;
}

/* Reads the fields of a packet block after the interface number. */
static int read_packet(
        struct chimera_records *records, struct chimera_record *record, uint32_t number, const uint8_t *fields,
        uint32_t bytes) {
    if (number >= records->interfaces_count) {
        return fail(
                records, "is a packet of interface %" PRIu32 ", and the section has %" PRIu32 ": the file is damaged",
                number, records->interfaces_count);
    }
    const struct chimera_records_interface *interface = &records->interfaces[number];
    uint32_t captured = u32(records, fields + 8);
    if (captured > CHIMERA_PACKET_BYTES_MAX) {
        return too_long(records, captured);
    }
    if (captured > bytes - 16) {
        return fail(records, "holds a packet that is longer than its block: the file is damaged");
    }
    record->bytes = fields + 16;
    record->timestamp_ns = nanoseconds(interface, (uint64_t)u32(records, fields) << 32 | u32(records, fields + 4));
    record->captured = captured;
    record->length = u32(records, fields + 12);
    records->last_ns = record->timestamp_ns;
    if (interface->link_type != records->link_type) {
        records->invalid++;
        return 0;
    }
    return 1;
}

static int read_simple_packet(
        struct chimera_records *records, struct chimera_record *record, const uint8_t *body, uint32_t bytes) {
    if (bytes < 4 || records->interfaces_count == 0) {
        return fail(records, "is a packet without a length or an interface: the file is damaged");
    }
    const struct chimera_records_interface *interface = &records->interfaces[0];
    uint32_t length = u32(records, body);
    uint32_t captured = length < bytes - 4 ? length : bytes - 4;
    if (interface->snap_length != 0 && captured > interface->snap_length) {
        captured = interface->snap_length;
    }
    if (captured > CHIMERA_PACKET_BYTES_MAX) {
        return too_long(records, captured);
    }
    record->bytes = body + 4;
    record->timestamp_ns = records->last_ns;
    record->captured = captured;
    record->length = length;
    if (interface->link_type != records->link_type) {
        records->invalid++;
        return 0;
    }
    return 1;
}

/* Returns 1 for a block with a packet, 0 for another block, or -EINVAL. */
static int read_block(
        struct chimera_records *records, struct chimera_record *record, uint32_t type, const uint8_t *body,
        uint32_t bytes) {
    switch (type) {
        case BLOCK_SECTION:
            return read_section(records, body, bytes);
        case BLOCK_INTERFACE:
            return read_interface(records, body, bytes);
        case BLOCK_SIMPLE_PACKET:
            return read_simple_packet(records, record, body, bytes);
        case BLOCK_PACKET:
        case BLOCK_ENHANCED_PACKET:
            if (bytes < 20) {
                return fail(records, "is too short for a packet: the file is damaged");
            }
            return read_packet(
                    records, record, type == BLOCK_PACKET ? u16(records, body) : u32(records, body), body + 4,
                    bytes - 4);
        default:
            return 0;
    }
}

/* Reads one block: 1 for a block with a packet, 0 for another block, CHIMERA_END, or -EINVAL. */
static int next_block(struct chimera_records *records, struct chimera_record *record) {
    uint64_t left = records->size - records->position;
    if (left == 0) {
        return CHIMERA_END;
    }
    if (left < BLOCK_BYTES_MIN) {
        return cut_off(records, BLOCK_BYTES_MIN);
    }
    const uint8_t *at = records->bytes + records->position;
    uint32_t type = u32(records, at);
    if (type == BLOCK_SECTION) {
        int result = begin_section(records, at);
        if (result < 0) {
            return result;
        }
    }
    uint32_t total = u32(records, at + 4);
    if (total < BLOCK_BYTES_MIN || total % 4 != 0 || total > CHIMERA_BLOCK_BYTES_MAX) {
        return fail(records, "says that it has %" PRIu32 " bytes, which no block has: the file is damaged", total);
    }
    if (left < total) {
        return cut_off(records, total);
    }
    if (u32(records, at + total - 4) != total) {
        return fail(records, "says two lengths, one at the start and one at the end: the file is damaged");
    }
    int result = read_block(records, record, type, at + BLOCK_HEADER, total - BLOCK_BYTES_MIN);
    if (result >= 0) {
        records->position += total;
    }
    return result;
}

static int next_pcapng(struct chimera_records *records, struct chimera_record *record) {
    int result;
    do {
        result = next_block(records, record);
    } while (result == 0);
    return result;
}

static int open_pcap(struct chimera_records *records, uint32_t magic) {
    if (records->size < PCAP_HEADER) {
        return cut_off(records, PCAP_HEADER);
    }
    records->swapped = magic != PCAP_MICROSECONDS && magic != PCAP_NANOSECONDS;
    uint32_t kind = records->swapped ? __builtin_bswap32(magic) : magic;
    records->ns_per_fraction = kind == PCAP_NANOSECONDS ? 1 : 1000;
    records->link_type = (int)(u32(records, records->bytes + PCAP_LINK_TYPE) & 0xFFFF);
    records->position = PCAP_HEADER;
    records->next = next_pcap;
    return 0;
}

/* Reads up to the first interface, which defines the link type. */
static int open_pcapng(struct chimera_records *records) {
    struct chimera_record record;
    int result = 0;
    while (result == 0 && records->link_type < 0) {
        result = next_block(records, &record);
    }
    if (result < 0 && result != CHIMERA_END) {
        return result;
    }
    if (records->link_type < 0) {
        records->link_type = LINK_TYPE_ETHERNET;
    }
    records->next = next_pcapng;
    return 0;
}

int chimera_records_open(struct chimera_records *records, const char *name, const uint8_t *bytes, uint64_t size) {
    memset(records, 0, sizeof *records);
    records->name = name;
    records->bytes = bytes;
    records->size = size;
    records->link_type = -1;
    uint32_t magic = 0;
    if (size < sizeof magic) {
        (void)snprintf(
                records->failure, sizeof records->failure, "%.300s: is not a capture file: it has %" PRIu64 " bytes",
                name, size);
        return -EINVAL;
    }
    memcpy(&magic, bytes, sizeof magic);
    switch (magic) {
        case PCAP_MICROSECONDS:
        case PCAP_NANOSECONDS:
        case 0xD4C3B2A1u:
        case 0x4D3CB2A1u:
            return open_pcap(records, magic);
        case BLOCK_SECTION:
            return open_pcapng(records);
        default:
            (void)snprintf(
                    records->failure, sizeof records->failure,
                    "%.300s: is neither pcap nor pcapng: it begins with 0x%08" PRIx32
                    " (decompress a compressed file first)",
                    name, magic);
            return -EINVAL;
    }
}

int chimera_records_next(struct chimera_records *records, struct chimera_record *record) {
    int result = records->next(records, record);
    records->packets += result == 1;
    return result;
}
