package io.chimera.common.channel;

import java.util.function.Supplier;

/**
 * Makes framed connections between nodes (the channel of Chimera 2017, III-C4): raw bytes, checked frame by frame, with
 * byte credits as back-pressure.
 */
public interface Transport extends AutoCloseable {
    /** The most bytes one frame may have, so that one frame never exceeds a receiver's credit: 1 MiB. */
    int FRAME_LENGTH_MAX = 1 << 20;

    /**
     * Connects in the background and returns at once. The handler hears of success or failure; there is no second try.
     *
     * @param remote where to connect
     * @param handler what becomes of the connection
     */
    void connect(Endpoint remote, ConnectionHandler handler);

    /**
     * Accepts connections.
     *
     * @param local where to listen; port 0 lets the system choose
     * @param handlers makes a handler for each accepted connection
     * @return the address that is listened on
     * @throws io.chimera.common.error.ChimeraException when the address cannot be had; names it and the remedy
     */
    Endpoint listen(Endpoint local, Supplier<ConnectionHandler> handlers);

    /** Closes all connections and listeners. */
    @Override
    void close();
}
