/** A whole cluster of real nodes on a single thread, in virtual time, from a seed. */
package io.chimera.faults.sim;
