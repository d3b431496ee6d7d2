/** Defines the contract between nodes and coordinator: members, cycles, assignments, commits, the low-water mark. */
package io.chimera.common.cluster;
