/** A load with predictable values, and the comparison of the stored rows with the load. */
package io.chimera.faults.chaos.load;
