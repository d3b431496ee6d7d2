package io.chimera.processor.pipeline;

import io.chimera.common.channel.Connection;

/**
 * A queue node at the other end of a connection, after its HELLO. Attached to every frame of the connection.
 *
 * @param session of the queue node
 * @param connection for answers and credit
 */
public record Sender(long session, Connection connection) {}
