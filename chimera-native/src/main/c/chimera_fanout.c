#include "chimera_fanout.h"

#include <errno.h>
#include <linux/if_packet.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { QUEUES_MAX = 256 };

/* The kernel chooses the number; since Linux 4.12. */
#ifndef PACKET_FANOUT_FLAG_UNIQUEID
#define PACKET_FANOUT_FLAG_UNIQUEID 0x2000
#endif

struct chimera_fanout_group {
    struct chimera_fanout_group *next;
    ino_t namespace; /* interface numbers are local to a network namespace */
    int interface;
    uint32_t snap_length;
    uint32_t queues;
    char *filter; /* empty: none */
    uint32_t id;
    uint32_t members;
    bool is_taken[QUEUES_MAX];
};

/* Groups with the same lifetime as in the kernel: from joining of the first member until closing of the last. */
static struct chimera_fanout_group *groups;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static const char *filter_of(const struct chimera_capture_options *options) {
    return options->filter == NULL ? "" : options->filter;
}

static ino_t this_namespace(void) {
    struct stat status;
    return stat("/proc/thread-self/ns/net", &status) == 0 ? status.st_ino : 0;
}

static struct chimera_fanout_group *find(
        ino_t namespace, int interface, const struct chimera_capture_options *options) {
    struct chimera_fanout_group *group = groups;
    while (group != NULL
           && (group->namespace != namespace || group->interface != interface || group->queues != options->queues
               || group->snap_length != options->snap_length || group->is_taken[options->queue]
               || strcmp(group->filter, filter_of(options)) != 0)) {
        group = group->next;
    }
    return group;
}

static struct chimera_fanout_group *create(
        ino_t namespace, int interface, const struct chimera_capture_options *options) {
    struct chimera_fanout_group *group = calloc(1, sizeof *group);
    char *filter = strdup(filter_of(options));
    if (group == NULL || filter == NULL) {
        free(group);
        free(filter);
        return NULL;
    }
    *group = (struct chimera_fanout_group){
            .next = groups,
            .namespace = namespace,
            .interface = interface,
            .snap_length = options->snap_length,
            .queues = options->queues,
            .filter = filter,
    };
    groups = group;
    return group;
}

static void remove_empty(struct chimera_fanout_group *group) {
    if (group->members > 0) {
        return;
    }
    struct chimera_fanout_group **link = &groups;
    while (*link != group) {
        link = &(*link)->next;
    }
    *link = group->next;
    free(group->filter);
    free(group);
}

/* Adds the socket to the group: 0 or -errno. The first socket learns the number of the group. */
static int enter(struct chimera_fanout_group *group, int socket) {
    bool is_first = group->members == 0;
    /* The hash is equal for both directions of a flow. */
    uint32_t type = PACKET_FANOUT_HASH | (is_first ? PACKET_FANOUT_FLAG_UNIQUEID : 0u);
    uint32_t fanout = group->id | type << 16;
    if (setsockopt(socket, SOL_PACKET, PACKET_FANOUT, &fanout, sizeof fanout) != 0) {
        return -errno;
    }
    socklen_t length = sizeof fanout;
    if (is_first && getsockopt(socket, SOL_PACKET, PACKET_FANOUT, &fanout, &length) != 0) {
        return -errno;
    }
    group->id = fanout & 0xFFFF;
    return 0;
}

int chimera_fanout_join(
        int socket, int interface, const struct chimera_capture_options *options, struct chimera_fanout_group **joined,
        char *error, size_t capacity) {
    if (options->queues > QUEUES_MAX || options->queue >= options->queues) {
        return chimera_fail(
                error, capacity, EINVAL, "%s: queue %u of %u does not exist; queues are numbered from 0",
                options->target, options->queue, options->queues);
    }
    int result = -ENOMEM;
    ino_t namespace = this_namespace();
    (void)pthread_mutex_lock(&lock);
    struct chimera_fanout_group *group = find(namespace, interface, options);
    if (group == NULL) {
        group = create(namespace, interface, options);
    }
    if (group != NULL) {
        result = enter(group, socket);
        if (result == 0) {
            group->members++;
            group->is_taken[options->queue] = true;
            *joined = group;
        } else {
            remove_empty(group);
        }
    }
    (void)pthread_mutex_unlock(&lock);
    return result == 0
            ? 0
            : chimera_fail(
                    error, capacity, -result,
                    "%s: the kernel refuses to share packets among %u captures (PACKET_FANOUT): %s; requires "
                    "Linux 4.12, and on older kernels an interface that is up",
                    options->target, options->queues, strerror(-result));
}

void chimera_fanout_close(struct chimera_fanout_group *group, uint32_t queue, int socket) {
    (void)pthread_mutex_lock(&lock);
    /* Inside the lock, because the group must still exist in the kernel when another socket joins. */
    (void)close(socket);
    group->members--;
    group->is_taken[queue] = false;
    remove_empty(group);
    (void)pthread_mutex_unlock(&lock);
}
