/* send_frames INTERFACE FILE: sends the packets of a capture file as frames, as fast as possible. For tests. */
#include "chimera_records.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static int fail(const char *what) {
    (void)fprintf(stderr, "send_frames: %s: %s\n", what, strerror(errno));
    return 1;
}

int main(int count, char **arguments) {
    static struct chimera_records records;
    struct chimera_record record;
    if (count != 3) {
        errno = EINVAL;
        return fail("INTERFACE FILE");
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
    if (out < 0 || address.sll_ifindex == 0) {
        return fail(arguments[1]);
    }
    while (chimera_records_next(&records, &record) == 1) {
        ssize_t sent;
        do {
            sent = sendto(out, record.bytes, record.captured, 0, (const void *)&address, sizeof address);
        } while (sent < 0 && (errno == EINTR || errno == ENOBUFS));
        if (sent < 0) {
            return fail("send");
        }
    }
    return 0;
}
