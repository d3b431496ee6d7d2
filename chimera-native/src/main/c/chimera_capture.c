#include "chimera_capture.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

extern const struct chimera_capture_ops chimera_file_ops;
extern const struct chimera_capture_ops chimera_pcap_ops;
extern const struct chimera_capture_ops chimera_tpacket_ops;
extern const struct chimera_capture_ops chimera_xdp_ops;
extern const struct chimera_capture_ops chimera_netmap_ops;

/* Each back-end has one line above and one line here. */
static const struct chimera_capture_ops *const back_ends[] = {
        &chimera_file_ops, &chimera_pcap_ops, &chimera_tpacket_ops, &chimera_xdp_ops, &chimera_netmap_ops,
};

const struct chimera_capture_ops *chimera_back_end(int number) {
    for (size_t i = 0; number >= 0 && i < sizeof back_ends / sizeof back_ends[0]; i++) {
        if (number-- == 0) {
            return back_ends[i];
        }
    }
    return NULL;
}

const struct chimera_capture_ops *chimera_back_end_of(const char *name) {
    const struct chimera_capture_ops *found;
    for (int i = 0; (found = chimera_back_end(i)) != NULL; i++) {
        if (strcmp(found->name, name) == 0) {
            return found;
        }
    }
    return NULL;
}

int chimera_fail(char *error, size_t capacity, int number, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(error, capacity, format, arguments);
    va_end(arguments);
    return -number;
}
