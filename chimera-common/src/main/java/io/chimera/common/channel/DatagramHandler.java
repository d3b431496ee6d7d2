package io.chimera.common.channel;

import java.net.InetSocketAddress;

/** Takes datagrams of one port; its calls never overlap. */
public interface DatagramHandler {
    /**
     * A datagram arrived; one that finds no room is counted and dropped by the handler.
     *
     * @param bytes holds it during the call
     * @param offset index of its first byte
     * @param length its length
     * @param sender where it came from
     */
    void onDatagram(byte[] bytes, int offset, int length, InetSocketAddress sender);

    /** All datagrams that lay ready were handed over: what was collected may go on its way. */
    default void onReadComplete() {}
}
