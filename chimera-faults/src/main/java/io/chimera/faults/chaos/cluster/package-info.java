/** The processes of the cluster, and observations from outside the processes. */
package io.chimera.faults.chaos.cluster;
