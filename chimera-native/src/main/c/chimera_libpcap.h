/*
 * libpcap, loaded at run time, so that neither headers nor library are needed for building or loading libchimera. The
 * types are declared here according to libpcap's documentation; they have not changed since version 1.0.
 */
#ifndef CHIMERA_LIBPCAP_H
#define CHIMERA_LIBPCAP_H

#include <linux/filter.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/time.h>

#define CHIMERA_PCAP_ERROR_BYTES 256

struct chimera_pcap; /* pcap_t */

struct chimera_pcap_packet {
    struct timeval time; /* with nanoseconds instead of microseconds, if requested */
    uint32_t captured;
    uint32_t length;
};

struct chimera_pcap_program {
    unsigned int length;
    struct sock_filter *instructions;
};

struct chimera_pcap_statistics {
    unsigned int received;
    unsigned int dropped;
    unsigned int dropped_interface;
};

typedef void (*chimera_pcap_handler)(
        unsigned char *user, const struct chimera_pcap_packet *packet, const unsigned char *bytes);

struct chimera_libpcap {
    struct chimera_pcap *(*create)(const char *interface, char *error);
    int (*set_snaplen)(struct chimera_pcap *, int);
    int (*set_promisc)(struct chimera_pcap *, int);
    int (*set_timeout)(struct chimera_pcap *, int ms);
    int (*set_buffer_size)(struct chimera_pcap *, int);
    int (*set_tstamp_precision)(struct chimera_pcap *, int);
    int (*activate)(struct chimera_pcap *);
    int (*setnonblock)(struct chimera_pcap *, int, char *error);
    int (*get_selectable_fd)(struct chimera_pcap *);
    int (*dispatch)(struct chimera_pcap *, int count, chimera_pcap_handler, unsigned char *user);
    int (*stats)(struct chimera_pcap *, struct chimera_pcap_statistics *);
    int (*datalink)(struct chimera_pcap *);
    char *(*geterr)(struct chimera_pcap *);
    const char *(*statustostr)(int);
    void (*close)(struct chimera_pcap *);
    struct chimera_pcap *(*open_dead)(int link_type, int snap_length);
    int (*compile)(struct chimera_pcap *, struct chimera_pcap_program *, const char *text, int optimise, uint32_t mask);
    int (*setfilter)(struct chimera_pcap *, struct chimera_pcap_program *);
    void (*freecode)(struct chimera_pcap_program *);
    int (*offline_filter)(const struct chimera_pcap_program *, const struct chimera_pcap_packet *, const uint8_t *);
};

/* Returns the library, or NULL with the package to install in cause. Loaded once, never unloaded. Thread-safe. */
const struct chimera_libpcap *chimera_libpcap(char *cause, size_t capacity);

/*
 * Compiles a filter for frames of a link type (numbered as in files). The program returns snap_length bytes of accepted
 * packets; chimera_libpcap()->freecode() frees the program. Returns 0, or -errno and an error message starting with the
 * target's name.
 */
int chimera_filter_compile(
        const char *target, const char *text, int link_type, uint32_t snap_length, struct chimera_pcap_program *program,
        char *error, size_t capacity);

/* Converts libpcap's number of a link type (DLT_...) to the number in files (LINKTYPE_...), and back. */
int chimera_link_type_of_dlt(int dlt);
int chimera_dlt_of_link_type(int link_type);

#endif
