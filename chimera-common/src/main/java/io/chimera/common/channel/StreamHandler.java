package io.chimera.common.channel;

import io.chimera.api.spi.Chunk;
import java.util.function.Consumer;

/** Takes the bytes of one TCP connection. */
public interface StreamHandler {
    /**
     * The connection is there.
     *
     * @param reply sends bytes back; bytes that cannot be sent at once because the other end does not read are dropped
     */
    default void onOpen(Consumer<byte[]> reply) {}

    /**
     * Bytes arrived. What the handler leaves in the chunk is handed over again with what follows; a handler that leaves
     * more than {@link io.chimera.common.wire.BodyLayout#TEXT_LENGTH_MAX} bytes makes the connection close.
     *
     * @param chunk all bytes not consumed so far
     * @return false when there is no room now: reading stops, and the chunk is handed over again in about a millisecond
     */
    boolean onBytes(Chunk chunk);

    /** All bytes that lay ready were handed over: what was collected may go on its way. */
    default void onReadComplete() {}

    /** The connection is gone. */
    default void onClose() {}
}
