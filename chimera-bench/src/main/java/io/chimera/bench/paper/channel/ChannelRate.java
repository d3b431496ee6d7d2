package io.chimera.bench.paper.channel;

/**
 * Rate of a channel.
 *
 * @param pointsPerSecond points received per second
 * @param cores processor time per second of both processes, in cores
 * @param pointBytes bytes of a point in its frame, with a share of header and definitions
 */
public record ChannelRate(double pointsPerSecond, double cores, double pointBytes) {}
