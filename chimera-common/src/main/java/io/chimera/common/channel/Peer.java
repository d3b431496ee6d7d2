package io.chimera.common.channel;

import java.net.InetSocketAddress;

/** The other end of a TCP connection, for its {@link StreamHandler}. Any thread. */
public interface Peer {
    /** Its address. */
    InetSocketAddress address();

    /** Sends bytes back; those that cannot be sent at once because the other end does not read are dropped. */
    void reply(byte[] bytes);

    /** Closes the connection, whatever is on its way. */
    void close();
}
