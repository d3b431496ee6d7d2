/** Many processes of the control plane on one thread in virtual time, over a model of ZooKeeper: costs of a cycle. */
package io.chimera.faults.sim.plane;
