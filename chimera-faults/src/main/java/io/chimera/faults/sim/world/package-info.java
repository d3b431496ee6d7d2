/** The simulated world without faults: nodes, clocks, sessions, stores, senders, and the schedule of a seed. */
package io.chimera.faults.sim.world;
