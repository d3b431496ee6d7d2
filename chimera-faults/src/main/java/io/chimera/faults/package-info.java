/** Tests of the cluster under faults: no point may be lost or counted twice. Not needed to run a cluster. */
package io.chimera.faults;
