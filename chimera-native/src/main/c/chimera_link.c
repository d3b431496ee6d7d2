#include "chimera_link.h"

#include <errno.h>
#include <linux/ethtool.h>
#include <linux/if_packet.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static uint32_t receive_queues(int fd, struct ifreq *request) {
    struct ethtool_channels channels = {.cmd = ETHTOOL_GCHANNELS};
    request->ifr_data = (void *)&channels;
    if (ioctl(fd, SIOCETHTOOL, request) != 0) {
        return 1; /* a driver without channels has one queue */
    }
    uint32_t queues = channels.rx_count + channels.combined_count;
    return queues == 0 ? 1 : queues;
}

int chimera_link_find(const char *name, struct chimera_link *link) {
    struct ifreq request = {0};
    struct stat namespace;
    size_t length = strlen(name);
    int result = 0;
    if (length == 0 || length >= IFNAMSIZ) {
        return -ENODEV;
    }
    memcpy(request.ifr_name, name, length);
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0) {
        return -errno;
    }
    if (ioctl(fd, SIOCGIFMTU, &request) == 0) {
        link->mtu = (uint32_t)request.ifr_mtu;
        link->queues = receive_queues(fd, &request);
        link->netns = stat("/proc/thread-self/ns/net", &namespace) == 0 ? namespace.st_ino : 0;
    } else {
        result = -errno;
    }
    close(fd);
    return result;
}

int chimera_link_promiscuous(int index) {
    struct packet_mreq membership = {.mr_ifindex = index, .mr_type = PACKET_MR_PROMISC};
    int fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0); /* protocol 0: receives no packets */
    if (fd < 0) {
        return -errno;
    }
    if (setsockopt(fd, SOL_PACKET, PACKET_ADD_MEMBERSHIP, &membership, sizeof membership) != 0) {
        int result = -errno;
        close(fd);
        return result;
    }
    return fd;
}
