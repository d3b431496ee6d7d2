/** Jobs over data sets in the simulation: leader and workers as in a cluster, on one thread and in virtual time. */
package io.chimera.faults.sim.job;
