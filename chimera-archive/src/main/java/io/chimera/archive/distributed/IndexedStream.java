package io.chimera.archive.distributed;

import io.chimera.archive.index.Index;

/**
 * Data stream of this node with a shared index.
 *
 * @param name name of the data stream
 * @param index index of the data stream
 */
public record IndexedStream(String name, Index index) {}
