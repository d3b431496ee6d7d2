/** The contract between the nodes and the coordinator: members, cycles, assignments, commits, the low-water mark. */
package io.chimera.common.cluster;
