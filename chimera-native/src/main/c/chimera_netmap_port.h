/*
 * Names of netmap ports, as in netmap's own tools after "netmap:":
 *
 *   eth0         all receive rings of the device          eth0-2      its receive ring 2
 *   eth0^        the rings from the host                  eth0^1      host ring 1
 *   eth0*        both                                     vale0:r     port r of the switch vale0
 *   p}1, p{1     the two ends of pipe 1 of port p
 *
 * Any name may be followed by @N, memory region N, and /LETTERS: r and t monitor received and sent packets without
 * taking them (with z without a copy), x requests exclusive use of the port, R opens no transmit rings.
 */
#ifndef CHIMERA_NETMAP_PORT_H
#define CHIMERA_NETMAP_PORT_H

#include "chimera_netmap_abi.h"

struct chimera_netmap_port {
    char name[CHIMERA_NETMAP_NAME_BYTES]; /* name for the kernel */
    uint32_t mode;
    uint16_t ringid;
    uint16_t mem_id;
    uint64_t flags;
};

/* Returns 0, or -EINVAL and a description of the error in the name. */
int chimera_netmap_port_parse(const char *text, struct chimera_netmap_port *port, char *error, size_t capacity);

#endif
