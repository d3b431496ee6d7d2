/** Sketches: approximate summaries of the values of a field, for functions beyond counts and sums. */
package io.chimera.processor.staging.sketch;
