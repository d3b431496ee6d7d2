package io.chimera.dataset.job;

import io.chimera.dataset.compute.PieceFile;

/**
 * Result of a split whose pieces become rows.
 *
 * @param split the split
 * @param pieces the pieces
 */
record SplitResult(Split split, PieceFile pieces) {}
