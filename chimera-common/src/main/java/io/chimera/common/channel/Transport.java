package io.chimera.common.channel;

import java.util.function.Supplier;

/**
 * Framed connections between nodes (the channel of Chimera 2017, III-C4): raw bytes with a checksum per frame, and byte
 * credits as backpressure.
 */
public interface Transport extends AutoCloseable {
    /** Maximum length of a frame, always below a receiver's credit: 1 MiB. */
    int FRAME_LENGTH_MAX = 1 << 20;

    /**
     * Connects in the background and returns immediately. The handler gets the success or the failure; there is no
     * retry.
     *
     * @param remote address to connect to
     * @param handler handler of the connection
     */
    void connect(Endpoint remote, ConnectionHandler handler);

    /**
     * Accepts connections.
     *
     * @param local address to listen on; port 0 lets the system choose
     * @param handlers creates a handler for each accepted connection
     * @return the bound address
     * @throws io.chimera.common.error.ChimeraException if the address cannot be bound; names the address and a remedy
     */
    Endpoint listen(Endpoint local, Supplier<ConnectionHandler> handlers);

    /** Closes all connections and listeners. */
    @Override
    void close();
}
