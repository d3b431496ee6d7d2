package io.chimera.common.channel.netty.socket;

import io.chimera.common.channel.Endpoint;
import io.chimera.common.error.ChimeraException;
import io.netty.bootstrap.AbstractBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.util.NetUtil;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.util.Objects;

/** Parses and binds addresses, and formats addresses and their errors for messages. */
public final class Addresses {
    private static final InetSocketAddress NOBODY = InetSocketAddress.createUnresolved("nobody", 0);

    private Addresses() {}

    /** Returns the address of a numeric host without a lookup; null for a name. */
    public static InetSocketAddress literal(Endpoint endpoint) {
        byte[] bytes = NetUtil.createByteArrayFromIpAddressString(endpoint.host());
        if (bytes == null) {
            return null;
        }
        try {
            return new InetSocketAddress(InetAddress.getByAddress(bytes), endpoint.port());
        } catch (UnknownHostException e) {
            throw new IllegalStateException("Netty gave " + bytes.length + " bytes for " + endpoint.host() + ".", e);
        }
    }

    /** Returns the address of the client of a channel; a placeholder, which counts as remote, for a closed channel. */
    public static InetSocketAddress client(Channel channel) {
        return channel.remoteAddress() instanceof InetSocketAddress address ? address : NOBODY;
    }

    /** Formats the address of a socket. */
    public static String text(SocketAddress address) {
        return address instanceof InetSocketAddress inet
                ? new Endpoint(inet.getAddress().getHostAddress(), inet.getPort()).toString()
                : String.valueOf(address);
    }

    /** Returns the system's error message; the exception name only without a message. */
    public static String causeText(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        if (cause instanceof UnknownHostException || cause instanceof UnresolvedAddressException) {
            return "unknown host name";
        }
        return Objects.requireNonNullElse(cause.getMessage(), cause.getClass().getSimpleName());
    }

    /**
     * Binds a socket.
     *
     * @param protocol t for TCP, u for UDP, as in the options of ss
     * @throws ChimeraException if the address cannot be bound
     */
    public static Channel bind(AbstractBootstrap<?, ?> bootstrap, Endpoint local, String protocol) {
        ChannelFuture bound = bootstrap
                .bind(new InetSocketAddress(local.host(), local.port()))
                .awaitUninterruptibly();
        if (bound.isSuccess()) {
            return bound.channel();
        }
        throw refusal(bound.cause(), local, protocol);
    }

    /** Returns the error of an address that cannot be bound, with a remedy. */
    public static ChimeraException refusal(Throwable failure, Endpoint local, String protocol) {
        String cause = causeText(failure);
        return new ChimeraException(
                ChimeraException.Category.FATAL,
                "Cannot listen on " + local + ": " + cause + ". " + remedy(failure, cause, local, protocol),
                failure);
    }

    /** Returns the address of a bound socket, with the host as configured. */
    public static Endpoint bound(Channel channel, Endpoint local) {
        return new Endpoint(local.host(), ((InetSocketAddress) channel.localAddress()).getPort());
    }

    private static String remedy(Throwable failure, String cause, Endpoint local, String protocol) {
        if (cause.contains("in use")) {
            return "Stop the program that uses the port (ss -l" + protocol + "np 'sport = :" + local.port()
                    + "') or set another address.";
        }
        if (failure instanceof SocketException && cause.contains("Permission denied")) {
            return "Ports below 1024 need the capability CAP_NET_BIND_SERVICE; grant it or set another port.";
        }
        if (failure instanceof BindException || failure instanceof UnresolvedAddressException) {
            return "Set an address of this machine (ip address show), or 0.0.0.0 for all of them.";
        }
        return "Set another address.";
    }
}
