/*
 * chimera_receive: receives packets for some seconds with any back-end, and reports the cost. For measurements.
 *
 *   chimera_receive SOURCE --seconds N [--ring-bytes N] [--batch N] [--queue N --queues N] [--busy-poll]
 *
 * SOURCE is af_xdp:eth0, tpacket:eth0 and so on. Prints "ready" when receiving; at the end prints the packets, the time
 * from the first to the last batch, packets per second over that time, CPU time of this process per packet since
 * "ready", and the counters of the capture.
 */
#include "chimera_capture.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BATCH_MAX = 4096, RECEIVE_MS = 100 };

static struct chimera_packet packets[BATCH_MAX];

struct seen {
    uint64_t packets, batches, touched;
    double first, last;
};

static int usage(void) {
    (void)fprintf(
            stderr,
            "usage: chimera_receive BACK_END:TARGET --seconds N [--ring-bytes N] [--batch 1..%d] "
            "[--queue N --queues N] [--busy-poll]\n",
            BATCH_MAX);
    return 2;
}

static double seconds_of(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static int receive(
        const struct chimera_capture_ops *ops, chimera_capture *capture, double seconds, int batch, struct seen *seen) {
    double end = seconds_of(CLOCK_MONOTONIC) + seconds;
    for (double now = 0; now < end; now = seconds_of(CLOCK_MONOTONIC)) {
        int count = ops->receive(capture, packets, batch, RECEIVE_MS);
        if (count < 0) {
            const char *failure = ops->failure == NULL ? NULL : ops->failure(capture);
            (void)fprintf(stderr, "chimera_receive: %s\n", failure == NULL ? strerror(-count) : failure);
            return 1;
        }
        if (count > 0) {
            seen->last = seconds_of(CLOCK_MONOTONIC);
            seen->first = seen->packets == 0 ? seen->last : seen->first;
            seen->packets += (uint64_t)count;
            seen->batches++;
        }
        for (int i = 0; i < count; i++) { /* touches the first cache line of each packet, as a decoder does */
            seen->touched += *(const uint8_t *)(uintptr_t)packets[i].address;
        }
    }
    return 0;
}

static int run(
        const struct chimera_capture_ops *ops, const struct chimera_capture_options *options, double seconds,
        int batch) {
    char error[512];
    chimera_capture *capture;
    struct chimera_capture_counters counters;
    struct seen seen = {0};
    if (ops->open(options, &capture, error, sizeof error) != 0) {
        (void)fprintf(stderr, "chimera_receive: %s\n", error);
        return 1;
    }
    (void)puts("ready");
    (void)fflush(stdout);
    double before = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
    int result = receive(ops, capture, seconds, batch, &seen);
    double cpu = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - before;
    double lasted = seen.last - seen.first;
    if (ops->counters(capture, &counters) == 0) {
        (void)printf(
                "packets %llu batches %llu seconds %.3f rate %.0f cpu_ns_per_packet %.1f dropped_ring %llu "
                "dropped_interface %llu invalid %llu\n",
                (unsigned long long)seen.packets, (unsigned long long)seen.batches, lasted,
                lasted > 0 ? (double)seen.packets / lasted : 0, seen.packets > 0 ? cpu * 1e9 / (double)seen.packets : 0,
                (unsigned long long)counters.dropped_ring, (unsigned long long)counters.dropped_interface,
                (unsigned long long)counters.invalid);
    }
    ops->close(capture);
    return result;
}

int main(int count, char **arguments) {
    static const struct option names[] = {
            {"seconds", required_argument, NULL, 's'},
            {"ring-bytes", required_argument, NULL, 'r'},
            {"batch", required_argument, NULL, 'b'},
            {"queue", required_argument, NULL, 'q'},
            {"queues", required_argument, NULL, 'n'},
            {"busy-poll", no_argument, NULL, 'p'},
            {NULL, 0, NULL, 0},
    };
    struct chimera_capture_options options = {.snap_length = 262144, .ring_bytes = 64 << 20, .queues = 1};
    double seconds = 0;
    int batch = 256;
    int option;
    while ((option = getopt_long(count, arguments, "", names, NULL)) != -1) {
        uint32_t value = optarg == NULL ? 0 : (uint32_t)strtoul(optarg, NULL, 10);
        switch (option) {
            case 's':
                seconds = strtod(optarg, NULL);
                break;
            case 'r':
                options.ring_bytes = value;
                break;
            case 'b':
                batch = (int)value;
                break;
            case 'q':
                options.queue = value;
                break;
            case 'n':
                options.queues = value;
                break;
            case 'p':
                options.flags |= CHIMERA_BUSY_POLL;
                break;
            default:
                return usage();
        }
    }
    char *colon = optind == count - 1 ? strchr(arguments[optind], ':') : NULL;
    if (colon == NULL || seconds <= 0 || batch < 1 || batch > BATCH_MAX) {
        return usage();
    }
    *colon = '\0';
    options.target = colon + 1;
    const struct chimera_capture_ops *ops = chimera_back_end_of(arguments[optind]);
    if (ops == NULL) {
        (void)fprintf(stderr, "chimera_receive: there is no back-end %s\n", arguments[optind]);
        return 2;
    }
    return run(ops, &options, seconds, batch);
}
