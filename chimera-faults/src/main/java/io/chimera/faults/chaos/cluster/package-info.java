/** The processes of the cluster, and what is seen of them from outside. */
package io.chimera.faults.chaos.cluster;
