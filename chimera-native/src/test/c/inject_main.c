/*
 * chimera_inject: sends a limited number of packets at a limited rate by live frames of XDP (inject.h).
 *
 *   chimera_inject INTERFACE --packets N [--bytes 64] [--flows 1] [--rate PACKETS_PER_SECOND] [--cpu N] [--receive]
 *
 * Prints the sent packets, seconds and packets per second.
 */
#include "inject.h"

#include <errno.h>
#include <getopt.h>
#include <net/if.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int usage(void) {
    fprintf(stderr,
            "usage: chimera_inject INTERFACE --packets N [--bytes %d..%d] [--flows N] [--rate PACKETS_PER_SECOND] "
            "[--cpu N] [--receive]\n",
            INJECT_BYTES_MIN, INJECT_BYTES_MAX);
    return 2;
}

static int64_t now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static int send_all(struct injector *injector, uint64_t packets, uint64_t rate) {
    int64_t start = now_ns();
    int result = inject(injector, packets, rate);
    if (result < 0) {
        fprintf(stderr, "chimera_inject: %s\n", strerror(-result));
        return 1;
    }
    double seconds = (double)(now_ns() - start) / 1e9;
    printf("packets %llu seconds %.6f rate %.0f\n", (unsigned long long)packets, seconds, (double)packets / seconds);
    return 0;
}

int main(int count, char **arguments) {
    static const struct option options[] = {
            {"packets", required_argument, NULL, 'p'},
            {"bytes", required_argument, NULL, 'b'},
            {"flows", required_argument, NULL, 'f'},
            {"rate", required_argument, NULL, 'r'},
            {"cpu", required_argument, NULL, 'c'},
            {"receive", no_argument, NULL, 'i'},
            {NULL, 0, NULL, 0},
    };
    uint64_t packets = 0;
    uint64_t rate = 0;
    uint32_t bytes = 64;
    uint32_t flows = 1;
    int receive = 0;
    int option;
    while ((option = getopt_long(count, arguments, "", options, NULL)) != -1) {
        unsigned long value = optarg == NULL ? 0 : strtoul(optarg, NULL, 10);
        cpu_set_t cpus;
        switch (option) {
            case 'p':
                packets = value;
                break;
            case 'b':
                bytes = (uint32_t)value;
                break;
            case 'f':
                flows = (uint32_t)value;
                break;
            case 'r':
                rate = value;
                break;
            case 'i':
                receive = 1;
                break;
            case 'c':
                CPU_ZERO(&cpus);
                CPU_SET(value, &cpus);
                if (sched_setaffinity(0, sizeof cpus, &cpus) != 0) {
                    perror("chimera_inject: --cpu");
                    return 1;
                }
                break;
            default:
                return usage();
        }
    }
    if (packets == 0 || optind != count - 1) {
        return usage();
    }
    const char *interface = arguments[optind];
    int index = (int)if_nametoindex(interface);
    if (index == 0) {
        fprintf(stderr, "chimera_inject: %s: %s\n", interface, strerror(errno));
        return 1;
    }
    struct injector injector;
    int result = inject_open(&injector, index, receive, bytes, flows);
    if (result < 0) {
        fprintf(stderr, "chimera_inject: %s: %s\n", interface, strerror(-result));
        return result == -EINVAL ? usage() : 1;
    }
    result = send_all(&injector, packets, rate);
    inject_close(&injector);
    return result;
}
