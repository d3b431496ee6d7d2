package io.chimera.bench.paper;

import io.chimera.bench.stages.BenchStage;

/**
 * Row with its benchmark.
 *
 * @param row the row
 * @param stage benchmark, with the name of the row
 * @param bulk points per call of the journal; 0 for other stages
 */
record PaperStage(PaperRow row, BenchStage stage, int bulk) {}
