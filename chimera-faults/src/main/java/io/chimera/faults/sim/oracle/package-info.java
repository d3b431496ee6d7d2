/** The expected behaviour, computed without any code of the nodes, and the checks of all invariants. */
package io.chimera.faults.sim.oracle;
