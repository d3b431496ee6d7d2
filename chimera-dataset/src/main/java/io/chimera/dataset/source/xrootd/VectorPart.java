package io.chimera.dataset.source.xrootd;

import java.nio.ByteBuffer;

/**
 * A range of a vector read.
 *
 * @param offset offset of the first byte in the object
 * @param into receives the bytes, from position to limit
 */
public record VectorPart(long offset, ByteBuffer into) {}
