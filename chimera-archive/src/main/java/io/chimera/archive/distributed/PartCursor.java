package io.chimera.archive.distributed;

/**
 * Position of the sender within a span.
 *
 * @param span span in progress
 * @param stream position of the stream
 * @param lastNumber last interval of the last group sent; 0: no group of this stream yet
 */
record PartCursor(OwnSpan span, int stream, long lastNumber) {}
