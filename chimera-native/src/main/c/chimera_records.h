/*
 * The records of a capture file in memory: pcap (microseconds and nanoseconds) and pcapng, each in either order of bytes.
 * Any bytes may be given to it: what is no capture file, or a damaged one, ends with -EINVAL and a sentence that names the
 * offset and the packet ahead of it, numbered from 1. Nothing outside of the given bytes is read. No allocation; no threads.
 */
#ifndef CHIMERA_RECORDS_H
#define CHIMERA_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* No network has longer packets; a longer one is a sign that the file is damaged. */
#define CHIMERA_PACKET_BYTES_MAX 262144u
/* Longer blocks of pcapng are taken for damage too: secrets and name tables stay far below. */
#define CHIMERA_BLOCK_BYTES_MAX (64u << 20)
/* A file merged out of a thousand others still fits. */
#define CHIMERA_INTERFACES_MAX 1024u

/* A packet of the file, where it lies in the given bytes. */
struct chimera_record {
    const uint8_t *bytes;
    int64_t timestamp_ns;
    uint32_t captured;
    uint32_t length;
};

/* What pcapng says of an interface. */
struct chimera_records_interface {
    int64_t offset_ns;    /* added to every time stamp */
    uint32_t snap_length; /* 0: none */
    uint16_t link_type;
    uint8_t resolution;   /* exponent of a negative power; with the highest bit of 2, without of 10 */
};

struct chimera_records {
    const uint8_t *bytes;
    uint64_t size;
    uint64_t position;       /* of the next record */
    const char *name;        /* of the file, for errors */
    uint64_t packets;        /* handed out */
    uint64_t invalid;        /* packets of another link type than the first interface's, passed over */
    int64_t last_ns;         /* of the last packet, for those that say no time */
    int (*next)(struct chimera_records *, struct chimera_record *);
    bool swapped;            /* the file's order of bytes is not ours */
    uint32_t ns_per_fraction;
    int link_type;           /* -1: not known yet */
    uint32_t interfaces_count;
    struct chimera_records_interface interfaces[CHIMERA_INTERFACES_MAX];
    char failure[512];
};

/*
 * Reads what stands ahead of the first packet. Bytes and name are used until the last chimera_records_next(). 0 or -EINVAL
 * and the sentence in failure.
 */
int chimera_records_open(struct chimera_records *records, const char *name, const uint8_t *bytes, uint64_t size);

/* 1 and the next packet, CHIMERA_END, or -EINVAL and the sentence in failure; then it stays where it is. */
int chimera_records_next(struct chimera_records *records, struct chimera_record *record);

#endif
