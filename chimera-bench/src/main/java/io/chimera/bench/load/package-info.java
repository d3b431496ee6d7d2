/** Generated load: reproducible points as text and as records, and the connections for the text. */
package io.chimera.bench.load;
