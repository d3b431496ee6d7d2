/** Generated load: the same points from the same seed, as text and as records; the connections that text is sent over. */
package io.chimera.bench.load;
