package io.chimera.common.channel;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/** Derives the client identity of an address for per-client limits. */
public final class ClientAddress {
    /**
     * IPv6 network of 64 bits. All addresses of the network are one client, because one machine can use all of them.
     */
    private record Network(long prefix) {}

    private ClientAddress() {}

    /** Returns an identity, equal for all addresses of one client. */
    public static Object of(InetAddress address) {
        return address instanceof Inet6Address
                ? new Network(ByteBuffer.wrap(address.getAddress()).getLong())
                : address;
    }
}
