/*
 * Records of a capture file in memory: pcap (microseconds and nanoseconds) and pcapng, each in either byte order.
 * Accepts arbitrary bytes: other data, or a damaged file, ends with -EINVAL and a message with the offset and the
 * number of the preceding packet, counted from 1. Never reads outside the given bytes. No allocation; no threads.
 */
#ifndef CHIMERA_RECORDS_H
#define CHIMERA_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Maximum packet size of any network; a longer packet indicates a damaged file. */
#define CHIMERA_PACKET_BYTES_MAX 262144u
/*
 * Maximum size of pcapng blocks; a longer block also indicates damage, because secrets and name tables are far smaller.
 */
#define CHIMERA_BLOCK_BYTES_MAX (64u << 20)
/* Enough for a file merged from a thousand files. */
#define CHIMERA_INTERFACES_MAX 1024u

/* Packet of the file, in place. */
struct chimera_record {
    const uint8_t *bytes;
    int64_t timestamp_ns;
    uint32_t captured;
    uint32_t length;
};

/* Interface description of pcapng. */
struct chimera_records_interface {
    int64_t offset_ns;    /* added to every timestamp */
    uint32_t snap_length; /* 0: none */
    uint16_t link_type;
    uint8_t resolution; /* exponent of a negative power: of 2 with the highest bit set, else of 10 */
};

struct chimera_records {
    const uint8_t *bytes;
    uint64_t size;
    uint64_t position; /* of the next record */
    const char *name;  /* of the file, for errors */
    uint64_t packets;  /* returned packets */
    uint64_t invalid;  /* skipped packets with another link type than the first interface */
    int64_t last_ns;   /* of the last packet, for packets without a timestamp */
    int (*next)(struct chimera_records *, struct chimera_record *);
    bool swapped; /* the file is in the other byte order */
    uint32_t ns_per_fraction;
    int link_type; /* -1: not yet known */
    uint32_t interfaces_count;
    struct chimera_records_interface interfaces[CHIMERA_INTERFACES_MAX];
    char failure[512];
};

/*
 * Reads the file header. Bytes and name are used until the last chimera_records_next(). Returns 0, or -EINVAL and the
 * message in failure.
 */
int chimera_records_open(struct chimera_records *records, const char *name, const uint8_t *bytes, uint64_t size);

/*
 * Returns 1 and the next packet, CHIMERA_END, or -EINVAL and the message in failure; after an error the position
 * remains.
 */
int chimera_records_next(struct chimera_records *records, struct chimera_record *record);

#endif
