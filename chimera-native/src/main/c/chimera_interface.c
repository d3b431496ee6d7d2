#include "chimera_interface.h"

#include <errno.h>
#include <linux/ethtool.h>
#include <linux/if_link.h>
#include <linux/if_packet.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DLT_EN10MB = 1, DLT_RAW = 12 };

static uint32_t receive_queues(int fd, struct ifreq *request) {
    struct ethtool_channels channels = {.cmd = ETHTOOL_GCHANNELS};
    request->ifr_data = (void *)&channels;
    if (ioctl(fd, SIOCETHTOOL, request) != 0) {
        return 1; /* a driver that knows no channels has one queue */
    }
    uint32_t queues = channels.rx_count + channels.combined_count;
    return queues == 0 ? 1 : queues;
}

int chimera_interface_find(const char *name, struct chimera_interface *found) {
    struct ifreq request;
    struct stat namespace;
    size_t length = strlen(name);
    int result = 0;
    if (length == 0 || length >= IFNAMSIZ) {
        return -ENODEV;
    }
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0) {
        return -errno;
    }
    memset(&request, 0, sizeof request);
    memset(found, 0, sizeof *found);
    memcpy(request.ifr_name, name, length);
    if (ioctl(fd, SIOCGIFINDEX, &request) != 0) {
        goto fail;
    }
    found->index = request.ifr_ifindex;
    if (ioctl(fd, SIOCGIFMTU, &request) != 0) {
        goto fail;
    }
    found->mtu = request.ifr_mtu;
    if (ioctl(fd, SIOCGIFHWADDR, &request) != 0) {
        goto fail;
    }
    int hardware = request.ifr_hwaddr.sa_family;
    found->link_type = hardware == ARPHRD_ETHER || hardware == ARPHRD_LOOPBACK ? DLT_EN10MB : DLT_RAW;
    found->queues = receive_queues(fd, &request);
    found->netns = stat("/proc/thread-self/ns/net", &namespace) == 0 ? namespace.st_ino : 0;
    goto done;
fail:
    result = -errno;
done:
    close(fd);
    return result;
}

int chimera_interface_promiscuous(int index) {
    struct packet_mreq membership = {.mr_ifindex = index, .mr_type = PACKET_MR_PROMISC};
    int fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0); /* protocol 0: it receives nothing */
    if (fd < 0) {
        return -errno;
    }
    if (setsockopt(fd, SOL_PACKET, PACKET_ADD_MEMBERSHIP, &membership, sizeof membership) != 0) {
        int error = -errno;
        close(fd);
        return error;
    }
    return fd;
}

int chimera_interface_statistics(void) {
    int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    return fd < 0 ? -errno : fd;
}

static int read_statistics(const char *answer, size_t length, uint64_t *dropped) {
    struct nlmsghdr header;
    struct rtattr attribute;
    struct rtnl_link_stats64 statistics;
    size_t at = NLMSG_LENGTH(sizeof(struct if_stats_msg));
    if (length < sizeof header) {
        return -EBADMSG;
    }
    memcpy(&header, answer, sizeof header);
    if (header.nlmsg_type == NLMSG_ERROR) {
        struct nlmsgerr error;
        if (length < NLMSG_LENGTH(sizeof error)) {
            return -EBADMSG;
        }
        memcpy(&error, answer + NLMSG_HDRLEN, sizeof error);
        return error.error == 0 ? -EBADMSG : error.error;
    }
    while (at + sizeof attribute <= length) {
        memcpy(&attribute, answer + at, sizeof attribute);
        if (attribute.rta_len < sizeof attribute || at + attribute.rta_len > length) {
            return -EBADMSG;
        }
        if (attribute.rta_type == IFLA_STATS_LINK_64) {
            /* An older kernel sends fewer members. */
            size_t sent = attribute.rta_len - RTA_LENGTH(0);
            memset(&statistics, 0, sizeof statistics);
            memcpy(&statistics, answer + at + RTA_LENGTH(0), sent < sizeof statistics ? sent : sizeof statistics);
            *dropped = statistics.rx_dropped + statistics.rx_missed_errors;
            return 0;
        }
        at += RTA_ALIGN(attribute.rta_len);
    }
    return -EBADMSG;
}

int chimera_interface_dropped(int statistics, int index, uint64_t *dropped) {
    struct {
        struct nlmsghdr header;
        struct if_stats_msg message;
    } request = {.header = {.nlmsg_len = sizeof request, .nlmsg_type = RTM_GETSTATS, .nlmsg_flags = NLM_F_REQUEST},
                 .message = {.ifindex = (uint32_t)index, .filter_mask = 1u << (IFLA_STATS_LINK_64 - 1)}};
    char answer[4096];
    ssize_t length;
    do {
        length = send(statistics, &request, sizeof request, 0);
    } while (length < 0 && errno == EINTR);
    if (length < 0) {
        return -errno;
    }
    do {
        length = recv(statistics, answer, sizeof answer, 0);
    } while (length < 0 && errno == EINTR);
    return length < 0 ? -errno : read_statistics(answer, (size_t)length, dropped);
}
