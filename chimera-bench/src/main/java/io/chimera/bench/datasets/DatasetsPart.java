package io.chimera.bench.datasets;

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
    /** Several sources. */
    SOURCES
}
