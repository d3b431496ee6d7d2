/** Nodes with an injected defect: the list of defects, and the changes to the loaded classes. */
package io.chimera.faults.sim.mutant;
