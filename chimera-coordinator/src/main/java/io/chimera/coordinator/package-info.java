/** Coordinator of a cluster: members, views, cycles and commits. */
package io.chimera.coordinator;
