package io.chimera.bench.datasets;

import java.util.Set;

/** Parts that can be measured separately. */
enum DatasetsPart {
    /** Rate of stream with a long round trip and without. */
    ROUND_TRIP,
    /** Rate of compressed line protocol. */
    FORMATS,
    /** Copy compared with tools. */
    COPY,
    /** Stream compared with a tool, a pipe and a node. */
    PIPELINE,
    /** Strategies and predictions in settings of network and computation. */
    SETTINGS,
    /** A killed job. */
    KILL,
    /** A killed worker of a cluster. */
    WORKER_KILL,
    /** Several sources. */
    SOURCES,
    /** Parquet, compared with DuckDB. */
    COLUMNAR,
    /** Workers in processes, and their sources: Figures 6 and 7 of the paper. */
    WORKERS,
    /** Many workers as threads, and their sources: Figures 6 and 7 of the paper. */
    THREADS,
    /** Stream and copy per worker: Figures 2 and 3 of the paper. */
    RATES,
    /** Transfers on a busy core: Figure 4 of the paper. */
    LOAD,
    /** Few large or many small processes: Figure 8 of the paper. */
    SHAPES;

    /** Parts that need the time of a pass of the computation. */
    static final Set<DatasetsPart> COMPUTING = Set.of(SETTINGS, KILL, WORKER_KILL, SHAPES);
}
