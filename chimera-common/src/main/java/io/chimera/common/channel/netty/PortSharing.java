package io.chimera.common.channel.netty;

import io.chimera.common.channel.Endpoint;
import io.chimera.common.channel.netty.socket.Addresses;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.netty.bootstrap.AbstractBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.socket.nio.NioChannelOption;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.StandardSocketOptions;
import java.nio.channels.DatagramChannel;
import java.nio.channels.ServerSocketChannel;

/**
 * Use of a port by the lanes of a process. Each lane has a socket of its own on the same port (SO_REUSEPORT), and the
 * kernel spreads the connections, and the senders of datagrams, over the sockets by a hash of their addresses. All data
 * of a connection belongs to one lane.
 *
 * <p>SO_REUSEPORT would also let another process of the same user listen on the port. The first lane therefore binds
 * the port alone before it binds the shared socket, and fails if any other program uses the port.
 */
public enum PortSharing {
    /** One socket per port. */
    NONE,
    /** First socket of the process on each port. */
    FIRST,
    /** Further socket on a port of {@link #FIRST}. */
    FURTHER;

    static final String TCP = "t";
    static final String UDP = "u";

    /** Returns the use of the ports by a lane. */
    public static PortSharing of(int lanes, int lane) {
        if (lanes == 1) {
            return NONE;
        }
        return lane == 0 ? FIRST : FURTHER;
    }

    /**
     * Binds a socket.
     *
     * @param protocol {@link #TCP} or {@link #UDP}
     * @throws ChimeraException if the address cannot be bound or the system cannot share ports
     */
    <B extends AbstractBootstrap<B, C>, C extends Channel> Channel bind(
            AbstractBootstrap<B, C> bootstrap, Endpoint local, String protocol) {
        if (this == NONE) {
            return Addresses.bind(bootstrap, local, protocol);
        }
        if (!isAvailable()) {
            throw new ChimeraException(
                    Category.FATAL,
                    "Cannot share " + local + " among lanes: this system has no SO_REUSEPORT. Set queue.lanes: 1.");
        }
        if (this == FIRST) {
            bindAlone(local, protocol);
        }
        bootstrap.option(NioChannelOption.of(StandardSocketOptions.SO_REUSEPORT), true);
        return Addresses.bind(bootstrap, local, protocol);
    }

    /** Binds and releases an address, which fails if any socket listens on the address. */
    private static void bindAlone(Endpoint local, String protocol) {
        InetSocketAddress address = new InetSocketAddress(local.host(), local.port());
        try (ServerSocket tcp = new ServerSocket();
                DatagramSocket udp = new DatagramSocket(null)) {
            if (protocol.equals(TCP)) {
                tcp.setReuseAddress(true); // ignores connections in TIME_WAIT
                tcp.bind(address);
            } else {
                udp.bind(address);
            }
        } catch (IOException e) {
            throw Addresses.refusal(e, local, protocol);
        }
    }

    private static boolean isAvailable() {
        try (ServerSocketChannel tcp = ServerSocketChannel.open();
                DatagramChannel udp = DatagramChannel.open()) {
            return tcp.supportedOptions().contains(StandardSocketOptions.SO_REUSEPORT)
                    && udp.supportedOptions().contains(StandardSocketOptions.SO_REUSEPORT);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
