package io.chimera.bench.scale;

import io.chimera.bench.load.BodySource;

/**
 * Points to send.
 *
 * @param bodies of the requests
 * @param bodyPoints points of each
 */
public record Feed(BodySource bodies, int bodyPoints) {}
