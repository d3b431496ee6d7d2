#include "chimera_interface.h"

#include "chimera_capture.h"

#include <errno.h>
#include <linux/if_link.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

enum { LINK_TYPE_ETHERNET = 1, LINK_TYPE_RAW = 101, ANSWER_MS = 100 };

bool chimera_may_capture(char *cause, size_t capacity) {
    int raw = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
    if (raw >= 0) {
        (void)close(raw);
        return true;
    }
    (void)snprintf(
            cause, capacity, "raw sockets: %s; requires root or CAP_NET_RAW (systemd: AmbientCapabilities)",
            strerror(errno));
    return false;
}

static int find_link_type(struct chimera_interface *interface, const char *name, char *error, size_t capacity) {
    struct ifreq request = {0};
    memcpy(request.ifr_name, name, strlen(name));
    if (ioctl(interface->netlink, SIOCGIFHWADDR, &request) != 0) {
        int number = errno;
        return chimera_fail(error, capacity, number, "%s: its type cannot be queried: %s", name, strerror(number));
    }
    switch (request.ifr_hwaddr.sa_family) {
        case ARPHRD_LOOPBACK:
            interface->is_loopback = true;
            interface->link_type = LINK_TYPE_ETHERNET;
            return 0;
        case ARPHRD_ETHER:
            interface->link_type = LINK_TYPE_ETHERNET;
            return 0;
        case ARPHRD_NONE:
        case ARPHRD_TUNNEL:
        case ARPHRD_TUNNEL6:
        case ARPHRD_SIT:
            interface->link_type = LINK_TYPE_RAW;
            return 0;
        default:
            return chimera_fail(
                    error, capacity, EPROTONOSUPPORT, "%s: has frames of an unknown type (ARPHRD %u); try libpcap:%s",
                    name, request.ifr_hwaddr.sa_family, name);
    }
}

static int ask(struct chimera_interface *interface) {
    struct {
        struct nlmsghdr header;
        struct if_stats_msg body;
    } request = {
            .header =
                    {
                            .nlmsg_len = sizeof request,
                            .nlmsg_type = RTM_GETSTATS,
                            .nlmsg_flags = NLM_F_REQUEST,
                            .nlmsg_seq = ++interface->requests,
                    },
            .body =
                    {
                            .ifindex = (uint32_t)interface->index,
                            .filter_mask = IFLA_STATS_FILTER_BIT(IFLA_STATS_LINK_64),
                    },
    };
    ssize_t sent;
    do {
        sent = send(interface->netlink, &request, sizeof request, 0);
    } while (sent < 0 && errno == EINTR);
    return sent < 0 ? -errno : 0;
}

/* Sums the dropped packets of an answer: 0 and the sum, or -errno. */
static int read_answer(const void *answer, size_t bytes, uint64_t *dropped) {
    const struct nlmsghdr *header = answer;
    if (!NLMSG_OK(header, bytes) || header->nlmsg_type != RTM_NEWSTATS) {
        return -ENODEV;
    }
    const struct rtattr *attribute =
            (const void *)((const char *)NLMSG_DATA(header) + NLMSG_ALIGN(sizeof(struct if_stats_msg)));
    size_t left = header->nlmsg_len - NLMSG_LENGTH(sizeof(struct if_stats_msg));
    for (; RTA_OK(attribute, left); attribute = RTA_NEXT(attribute, left)) {
        if (attribute->rta_type == IFLA_STATS_LINK_64) {
            struct rtnl_link_stats64 statistics = {0};
            size_t length = RTA_PAYLOAD(attribute);
            memcpy(&statistics, RTA_DATA(attribute), length < sizeof statistics ? length : sizeof statistics);
            *dropped = statistics.rx_dropped + statistics.rx_missed_errors;
            return 0;
        }
    }
    return -ENODATA;
}

static int count_dropped(struct chimera_interface *interface, uint64_t *dropped) {
    int result = ask(interface);
    if (result < 0) {
        return result;
    }
    _Alignas(struct nlmsghdr) char answer[4096];
    for (;;) {
        struct pollfd readable = {.fd = interface->netlink, .events = POLLIN};
        int ready = poll(&readable, 1, ANSWER_MS);
        if (ready == 0) {
            return -ETIMEDOUT;
        }
        ssize_t bytes = ready < 0 ? -1 : recv(interface->netlink, answer, sizeof answer, MSG_DONTWAIT);
        if (bytes < 0 && errno != EINTR && errno != EAGAIN) {
            return -errno;
        }
        if (bytes >= (ssize_t)sizeof(struct nlmsghdr)
            && ((const struct nlmsghdr *)(const void *)answer)->nlmsg_seq == interface->requests) {
            return read_answer(answer, (size_t)bytes, dropped);
        }
    }
}

int chimera_interface_open(struct chimera_interface *interface, const char *name, char *error, size_t capacity) {
    memset(interface, 0, sizeof *interface);
    interface->netlink = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    if (interface->netlink < 0) {
        int number = errno;
        return chimera_fail(error, capacity, number, "%s: netlink cannot be opened: %s", name, strerror(number));
    }
    int result;
    if (strlen(name) >= IFNAMSIZ || (interface->index = (int)if_nametoindex(name)) == 0) {
        result = chimera_fail(
                error, capacity, ENODEV, "%s: there is no such interface (ip link lists all interfaces)", name);
        goto fail;
    }
    result = find_link_type(interface, name, error, capacity);
    if (result < 0) {
        goto fail;
    }
    result = count_dropped(interface, &interface->dropped_base);
    if (result < 0) {
        (void)chimera_fail(error, capacity, -result, "%s: has no counters: %s", name, strerror(-result));
        goto fail;
    }
    return 0;
fail:
    chimera_interface_close(interface);
    return result;
}

uint64_t chimera_interface_dropped(struct chimera_interface *interface) {
    uint64_t dropped = 0;
    if (count_dropped(interface, &dropped) == 0 && dropped >= interface->dropped_base) {
        interface->dropped = dropped - interface->dropped_base;
    }
    return interface->dropped;
}

bool chimera_interface_exists(const struct chimera_interface *interface) {
    struct ifreq request = {.ifr_ifindex = interface->index};
    return ioctl(interface->netlink, SIOCGIFNAME, &request) == 0;
}

void chimera_interface_close(struct chimera_interface *interface) {
    if (interface->netlink >= 0) {
        (void)close(interface->netlink);
        interface->netlink = -1;
    }
}
