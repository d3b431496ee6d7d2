/** A whole cluster of real nodes on a single thread, in virtual time, from a seed: the command and its runs. */
package io.chimera.faults.sim;
