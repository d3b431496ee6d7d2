package io.chimera.common.channel;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/** The client behind an address, as limits for each client count it. */
public final class ClientAddress {
    /** All addresses of an IPv6 network of 64 bits are one client: a machine can use every one of them. */
    private record Network(long prefix) {}

    private ClientAddress() {}

    /** Equal for addresses of one client. */
    public static Object of(InetAddress address) {
        return address instanceof Inet6Address
                ? new Network(ByteBuffer.wrap(address.getAddress()).getLong())
                : address;
    }
}
