/**
 * Conditions on frames and data points, independent of their syntax. A condition on a frame compiles to a program
 * of comparisons, evaluated for every frame read.
 */
@NullMarked
package io.chimera.archive.query.condition;

import org.jspecify.annotations.NullMarked;
