package io.chimera.processor.staging;

/**
 * State shared by the classes of staging. Staging's thread.
 *
 * @param cycles cycles of the view
 * @param shards staged shards
 * @param warehouses memory of the staged parts
 * @param answers answers to queue nodes
 * @param foreign frames of foreign sessions
 */
record StagingState(
        KnownCycles cycles, StagedShards shards, Warehouses warehouses, Answers answers, ForeignFrames foreign) {}
