#include "chimera_netmap_port.h"

#include "chimera_capture.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { RING_MAX = 0x0fff, MEM_ID_MAX = 0xffff };

/* Parses digits and advances; false without digits or for a number above max. */
static bool number(const char **at, unsigned long max, uint16_t *value) {
    char *end;
    if (**at < '0' || **at > '9') {
        return false;
    }
    unsigned long read = strtoul(*at, &end, 10);
    *at = end;
    *value = (uint16_t)read;
    return read <= max;
}

static uint64_t flag(char letter) {
    switch (letter) {
        case 'r':
            return CHIMERA_NETMAP_MONITOR_RX;
        case 't':
            return CHIMERA_NETMAP_MONITOR_TX;
        case 'z':
            return CHIMERA_NETMAP_ZERO_COPY_MONITOR;
        case 'x':
            return CHIMERA_NETMAP_EXCLUSIVE;
        case 'R':
            return CHIMERA_NETMAP_RX_RINGS_ONLY;
        default:
            return 0;
    }
}

/* Parses the choice of rings directly after the name. */
static bool rings(const char **at, struct chimera_netmap_port *port) {
    port->mode = CHIMERA_NETMAP_ALL_NIC;
    switch (**at) {
        case '-':
            ++*at;
            port->mode = CHIMERA_NETMAP_ONE_NIC;
            return number(at, RING_MAX, &port->ringid);
        case '*':
            ++*at;
            port->mode = CHIMERA_NETMAP_NIC_SW;
            return true;
        case '^':
            ++*at;
            port->mode = **at >= '0' && **at <= '9' ? CHIMERA_NETMAP_ONE_SW : CHIMERA_NETMAP_SW;
            return port->mode == CHIMERA_NETMAP_SW || number(at, RING_MAX, &port->ringid);
        default:
            return true;
    }
}

static bool suffixes(const char **at, struct chimera_netmap_port *port) {
    while (**at == '@' || **at == '/') {
        if (*(*at)++ == '@') {
            if (!number(at, MEM_ID_MAX, &port->mem_id) || port->mem_id == 0) {
                return false;
            }
            continue;
        }
        for (; **at != '\0' && **at != '@'; ++*at) {
            if (flag(**at) == 0) {
                return false;
            }
            port->flags |= flag(**at);
        }
    }
    return **at == '\0';
}

int chimera_netmap_port_parse(const char *text, struct chimera_netmap_port *port, char *error, size_t capacity) {
    /* A switch name may contain any character, so the choice of rings is searched after the colon. */
    const char *colon = strncmp(text, "vale", 4) == 0 ? strchr(text, ':') : NULL;
    const char *from = colon == NULL ? text : colon + 1;
    const char *at = from + strcspn(from, "-*^/@");
    size_t length = (size_t)(at - text);
    memset(port, 0, sizeof *port);
    if (at == from || length >= sizeof port->name) {
        return chimera_fail(
                error, capacity, EINVAL,
                "netmap:%s: the name of a port must have 1 to %zu characters (eth0, vale0:r, p}1)", text,
                sizeof port->name - 1);
    }
    memcpy(port->name, text, length);
    port->flags = CHIMERA_NETMAP_NO_TX_POLL;
    if (!rings(&at, port) || !suffixes(&at, port)) {
        return chimera_fail(
                error, capacity, EINVAL,
                "netmap:%s: cannot be parsed from \"%s\" on; the name may be followed by -RING, ^, ^RING or *, then "
                "@MEMORY, then / with letters of r, t, z, x, R",
                text, at);
    }
    return 0;
}
