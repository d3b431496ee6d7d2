#include "chimera_libpcap.h"

#include "chimera_capture.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { DLT_RAW = 12, LINK_TYPE_RAW = 101, MASK_UNKNOWN = -1 };

/* Debian's name, and the usual name. */
static const char *const names[] = {"libpcap.so.0.8", "libpcap.so.1"};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct chimera_libpcap library;
static int loaded;
static char missing[256];

/* POSIX gives data and function pointers the same representation, ISO C does not; hence the copy. */
static int find(void *handle, const char *name, void *function) {
    void *symbol = dlsym(handle, name);
    if (symbol == NULL) {
        (void)snprintf(
                missing, sizeof missing, "libpcap on this machine is too old: it has no %s; install 1.5 or newer",
                name);
        return 0;
    }
    memcpy(function, &symbol, sizeof symbol);
    return 1;
}

static void load(void) {
    void *handle = NULL;
    for (size_t i = 0; handle == NULL && i < sizeof names / sizeof *names; i++) {
        handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    }
    if (handle == NULL) {
        (void)snprintf(missing, sizeof missing, "libpcap is not installed (Debian: apt-get install libpcap0.8)");
        return;
    }
    loaded = find(handle, "pcap_create", &library.create) && find(handle, "pcap_set_snaplen", &library.set_snaplen)
            && find(handle, "pcap_set_promisc", &library.set_promisc)
            && find(handle, "pcap_set_timeout", &library.set_timeout)
            && find(handle, "pcap_set_buffer_size", &library.set_buffer_size)
            && find(handle, "pcap_set_tstamp_precision", &library.set_tstamp_precision)
            && find(handle, "pcap_activate", &library.activate)
            && find(handle, "pcap_setnonblock", &library.setnonblock)
            && find(handle, "pcap_get_selectable_fd", &library.get_selectable_fd)
            && find(handle, "pcap_dispatch", &library.dispatch) && find(handle, "pcap_stats", &library.stats)
            && find(handle, "pcap_datalink", &library.datalink) && find(handle, "pcap_geterr", &library.geterr)
            && find(handle, "pcap_statustostr", &library.statustostr) && find(handle, "pcap_close", &library.close)
            && find(handle, "pcap_open_dead", &library.open_dead) && find(handle, "pcap_compile", &library.compile)
            && find(handle, "pcap_setfilter", &library.setfilter) && find(handle, "pcap_freecode", &library.freecode)
            && find(handle, "pcap_offline_filter", &library.offline_filter);
}

const struct chimera_libpcap *chimera_libpcap(char *cause, size_t capacity) {
    (void)pthread_once(&once, load);
    if (!loaded) {
        (void)snprintf(cause, capacity, "%s", missing);
        return NULL;
    }
    return &library;
}

int chimera_filter_compile(
        const char *target, const char *text, int link_type, uint32_t snap_length, struct chimera_pcap_program *program,
        char *error, size_t capacity) {
    char cause[256];
    const struct chimera_libpcap *pcap = chimera_libpcap(cause, sizeof cause);
    if (pcap == NULL) {
        return chimera_fail(
                error, capacity, ENOSYS, "%s: the filter needs libpcap's compiler: %s; or omit the filter", target,
                cause);
    }
    struct chimera_pcap *dead = pcap->open_dead(chimera_dlt_of_link_type(link_type), (int)snap_length);
    if (dead == NULL) {
        return chimera_fail(error, capacity, ENOMEM, "%s: no memory to compile the filter", target);
    }
    int result = 0;
    if (pcap->compile(dead, program, text, 1, (uint32_t)MASK_UNKNOWN) != 0) {
        result = chimera_fail(
                error, capacity, EINVAL, "%s: the filter \"%s\" is not understood: %s", target, text,
                pcap->geterr(dead));
    }
    pcap->close(dead);
    return result;
}

int chimera_link_type_of_dlt(int dlt) {
    return dlt == DLT_RAW ? LINK_TYPE_RAW : dlt;
}

int chimera_dlt_of_link_type(int link_type) {
    return link_type == LINK_TYPE_RAW ? DLT_RAW : link_type;
}
