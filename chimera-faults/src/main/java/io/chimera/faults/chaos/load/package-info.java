/** A load whose every value is known in advance, and the comparison of what was stored with it. */
package io.chimera.faults.chaos.load;
