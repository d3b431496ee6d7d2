/** Sketches: approximate summaries of the values of a field, for functions beyond counts and sums. */
@NullMarked
package io.chimera.processor.staging.sketch;

import org.jspecify.annotations.NullMarked;
