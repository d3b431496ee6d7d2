package io.chimera.common.channel;

import java.net.InetSocketAddress;

/** Handler of the datagrams of one port; its calls never overlap. */
public interface DatagramHandler {
    /**
     * Handles a datagram. Without room, the handler counts and drops the datagram.
     *
     * @param bytes holds the datagram during the call
     * @param offset index of the first byte
     * @param length length of the datagram
     * @param sender address of the sender
     */
    void onDatagram(byte[] bytes, int offset, int length, InetSocketAddress sender);

    /** Reports that all available datagrams have been passed, so the handler may forward its collected data. */
    default void onReadComplete() {}
}
