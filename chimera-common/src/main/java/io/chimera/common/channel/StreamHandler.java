package io.chimera.common.channel;

import io.chimera.api.spi.Chunk;
import java.net.InetSocketAddress;

/** Takes the bytes of one TCP connection. */
public interface StreamHandler {
    /**
     * The connection is there.
     *
     * @param peer its other end
     */
    default void onOpen(Peer peer) {}

    /**
     * Bytes arrived. What the handler leaves in the chunk is handed over again with what follows; a handler that leaves
     * more than {@link io.chimera.common.wire.BodyLayout#TEXT_LENGTH_MAX} bytes makes the connection close.
     *
     * @param chunk all bytes not consumed so far
     * @return false when there is no room now: reading stops, and the chunk is handed over again in about a millisecond
     */
    boolean onBytes(Chunk chunk);

    /**
     * Hears that the listener refused the connection because it began with another protocol.
     *
     * @param reason names the protocol and the remedy
     * @param beginning first bytes, one character each
     * @param client address of the client
     */
    default void onRefused(String reason, String beginning, InetSocketAddress client) {}

    /** All bytes that lay ready were handed over: what was collected may go on its way. */
    default void onReadComplete() {}

    /** The connection is gone. */
    default void onClose() {}
}
