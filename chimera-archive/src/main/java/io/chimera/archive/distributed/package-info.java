/**
 * Distributed index of all archive nodes of a cluster: ownership per time span, and selection of the nodes for a
 * question.
 */
package io.chimera.archive.distributed;
