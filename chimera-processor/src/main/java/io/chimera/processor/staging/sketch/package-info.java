/** Sketches: what is kept of the values of a field where a few numbers do not do. */
package io.chimera.processor.staging.sketch;
