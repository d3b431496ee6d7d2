package io.chimera.archive.distributed;

/**
 * Up to where the groups of a span were sent.
 *
 * @param span whose
 * @param stream position of the stream
 * @param lastNumber of the last group that was sent; 0: none of this stream
 */
record PartCursor(OwnSpan span, int stream, long lastNumber) {}
