/*
 * send_frames INTERFACE FILE [PACKETS_PER_SECOND [PROCESSOR]]: sends the packets of a capture file as frames, in order,
 * evenly paced or (0, or omitted) at full speed. For tests and measurements. Prints packets and seconds.
 */
#include "chimera_records.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { BATCH = 64, NS_PER_S = 1000000000 };

static int fail(const char *what) {
    (void)fprintf(stderr, "send_frames: %s: %s\n", what, strerror(errno));
    return 1;
}

static uint64_t now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

static int send_all(int out, struct mmsghdr *messages, unsigned count) {
    for (unsigned done = 0; done < count;) {
        int sent = sendmmsg(out, messages + done, count - done, 0);
        if (sent < 0 && errno != EINTR && errno != ENOBUFS) {
            return -1;
        }
        done += sent < 0 ? 0 : (unsigned)sent;
    }
    return 0;
}

int main(int count, char **arguments) {
    static struct chimera_records records;
    static struct chimera_record record;
    static struct mmsghdr messages[BATCH];
    static struct iovec parts[BATCH];
    if (count < 3 || count > 5) {
        errno = EINVAL;
        return fail("INTERFACE FILE [PACKETS_PER_SECOND [PROCESSOR]]");
    }
    uint64_t rate = count > 3 ? strtoull(arguments[3], NULL, 10) : 0;
    if (count > 4) {
        cpu_set_t cpus;
        CPU_ZERO(&cpus);
        CPU_SET(strtoul(arguments[4], NULL, 10), &cpus);
        if (sched_setaffinity(0, sizeof cpus, &cpus) != 0) {
            return fail(arguments[4]);
        }
    }
    int file = open(arguments[2], O_RDONLY);
    struct stat status;
    if (file < 0 || fstat(file, &status) != 0) {
        return fail(arguments[2]);
    }
    void *bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    if (bytes == MAP_FAILED || chimera_records_open(&records, arguments[2], bytes, (uint64_t)status.st_size) != 0) {
        return fail(arguments[2]);
    }
    struct sockaddr_ll address = {.sll_family = AF_PACKET, .sll_ifindex = (int)if_nametoindex(arguments[1])};
    int out = socket(AF_PACKET, SOCK_RAW, 0);
    if (out < 0 || address.sll_ifindex == 0 || bind(out, (const void *)&address, sizeof address) != 0) {
        return fail(arguments[1]);
    }
    for (int i = 0; i < BATCH; i++) {
        messages[i].msg_hdr.msg_iov = &parts[i];
        messages[i].msg_hdr.msg_iovlen = 1;
    }
    uint64_t packets = 0;
    uint64_t start_ns = now_ns();
    unsigned filled = 0;
    do {
        while (filled < BATCH && chimera_records_next(&records, &record) == 1) {
            parts[filled].iov_base = (void *)(uintptr_t)record.bytes;
            parts[filled++].iov_len = record.captured;
        }
        while (rate != 0 && now_ns() - start_ns < packets * NS_PER_S / rate) {
            /* A batch is sent when its first packet is due. */
        }
        if (send_all(out, messages, filled) != 0) {
            return fail("send");
        }
        packets += filled;
        if (filled < BATCH) {
            break;
        }
        filled = 0;
    } while (1);
    printf("packets %llu seconds %.6f\n", (unsigned long long)packets, (double)(now_ns() - start_ns) / NS_PER_S);
    return 0;
}
