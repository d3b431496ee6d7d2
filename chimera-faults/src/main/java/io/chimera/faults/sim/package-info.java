/** A whole cluster of real nodes on one thread, in virtual time, from a seed. */
package io.chimera.faults.sim;
