/**
 * The computation of a job: points of a split become aggregates per window of event time ({@link
 * io.chimera.dataset.compute.SplitFold}), and the pieces of all splits become rows ({@link
 * io.chimera.dataset.compute.WindowMerge}). The result depends on the splits and their order alone, not on who computed
 * which split, nor when.
 */
@NullMarked
package io.chimera.dataset.compute;

import org.jspecify.annotations.NullMarked;
