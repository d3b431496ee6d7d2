package io.chimera.queue.source;

/**
 * Elements of a request that count as written, by kind.
 *
 * @param samples samples, or data points of a protocol without other kinds
 * @param histograms native histograms
 * @param exemplars exemplars
 */
public record Written(long samples, long histograms, long exemplars) {}
