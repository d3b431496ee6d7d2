package io.chimera.bench.paper;

/**
 * Row of the comparison.
 *
 * @param name name in figures
 * @param part part of the measurement
 * @param claim figure of the paper
 * @param guarantee guarantee of the points
 */
record PaperRow(String name, PaperPart part, PaperClaim claim, PaperGuarantee guarantee) {}
