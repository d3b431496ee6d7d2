/** The coordinator: members, view, cycles and commits of a cluster. */
package io.chimera.coordinator;
