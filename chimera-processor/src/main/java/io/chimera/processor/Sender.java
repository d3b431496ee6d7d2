package io.chimera.processor;

import io.chimera.common.channel.Connection;

/**
 * A queue node that has introduced itself, at the other end of a connection. Travels with every frame it sends.
 *
 * @param session of the queue node
 * @param connection where answers and credit go
 */
public record Sender(long session, Connection connection) {}
