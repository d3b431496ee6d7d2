#include "chimera_filter.h"

int chimera_filter_open(
        struct chimera_filter *filter, const struct chimera_capture_options *options, int link_type, char *error,
        size_t capacity) {
    if (options->filter == NULL || *options->filter == '\0') {
        return 0;
    }
    int result = chimera_filter_compile(
            options->target, options->filter, link_type, options->snap_length, &filter->program, error, capacity);
    if (result == 0) {
        filter->libpcap = chimera_libpcap(error, capacity);
    }
    return result;
}

void chimera_filter_close(struct chimera_filter *filter) {
    if (filter->libpcap != NULL) {
        filter->libpcap->freecode(&filter->program);
    }
}
