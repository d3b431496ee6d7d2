/** Faults and attacks, injected into the simulated world at times drawn from the seed. */
package io.chimera.faults.sim.fault;
