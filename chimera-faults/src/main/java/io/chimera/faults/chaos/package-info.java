/** A cluster of real processes under faults, and the comparison of its store with the acknowledged points. */
package io.chimera.faults.chaos;
