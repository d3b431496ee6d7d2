/** Events of a detector in the shape of the paper on Stream&amp;Compute: generator, parser and computation. */
package io.chimera.bench.datasets.event;
