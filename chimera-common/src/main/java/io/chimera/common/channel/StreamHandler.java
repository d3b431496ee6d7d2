package io.chimera.common.channel;

import io.chimera.api.spi.Chunk;
import io.chimera.common.wire.BodyLayout;
import java.net.InetSocketAddress;

/** Handler of the bytes of one TCP connection. */
public interface StreamHandler {
    /**
     * Reports the open connection.
     *
     * @param peer remote end
     */
    default void onOpen(Peer peer) {}

    /**
     * Handles received bytes. Unconsumed bytes of the chunk are passed again together with the following bytes. More
     * than {@link #unconsumedMax} unconsumed bytes close the connection.
     *
     * @param chunk all unconsumed bytes so far
     * @return false if the handler has no room: reading pauses, and the chunk is passed again after about a millisecond
     */
    boolean onBytes(Chunk chunk);

    /** Maximum number of unconsumed bytes: the longest line or message of the protocol. */
    default int unconsumedMax() {
        return BodyLayout.TEXT_LENGTH_MAX;
    }

    /**
     * Reports a connection refused by the listener because of a foreign protocol.
     *
     * @param reason names the protocol and the remedy
     * @param beginning first bytes, one character each
     * @param client address of the client
     */
    default void onRefused(String reason, String beginning, InetSocketAddress client) {}

    /** Reports that all available bytes have been passed, so the handler may forward its collected data. */
    default void onReadComplete() {}

    /** Reports the end of the connection. */
    default void onClose() {}
}
