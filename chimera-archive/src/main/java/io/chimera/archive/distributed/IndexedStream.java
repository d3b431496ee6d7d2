package io.chimera.archive.distributed;

import io.chimera.archive.index.Index;

/**
 * A data stream of this node whose index is shared.
 *
 * @param name of the data stream
 * @param index of it
 */
public record IndexedStream(String name, Index index) {}
