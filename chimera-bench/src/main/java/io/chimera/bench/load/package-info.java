/** Generated load: the same points from the same seed, as text and as records. */
package io.chimera.bench.load;
