package io.chimera.bench.load;

/**
 * Points to send.
 *
 * @param bodies source of request bodies
 * @param bodyPoints points per body
 */
public record Feed(BodySource bodies, int bodyPoints) {}
