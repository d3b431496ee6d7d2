package io.chimera.common.channel.netty.socket;

import io.chimera.common.channel.netty.share.ClientShares;
import io.chimera.common.identity.PeerCertificate;
import io.chimera.common.metrics.ChannelCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.common.security.HandshakeFailure;
import io.netty.channel.Channel;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.security.cert.X509Certificate;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * TLS handshakes of the accepted connections of one port, or of a node's outgoing connections. Limits the number of
 * accepted handshakes per client and in total, and the time of each. Counts all handshakes and logs the first failures.
 * Any thread.
 */
public final class Handshakes {
    /**
     * Maximum number of concurrent handshakes. A handshake costs about 1 ms of CPU and 50 KB: 200 handshakes take 10 MB
     * and a fifth of a second.
     */
    public static final int MAX = 200;

    /**
     * Maximum number of handshakes of one client address: a client with endless handshakes leaves three quarters to
     * others.
     */
    public static final int CLIENT_MAX = 50;

    /** Time limit of a handshake, several round trips around the world. */
    static final long MS_MAX = 10_000;

    private static final Logger LOG = LoggerFactory.getLogger(Handshakes.class);

    private final Counters<ChannelCounter> counters;
    private final AtomicInteger open = new AtomicInteger();
    private final ClientShares shares = new ClientShares(CLIENT_MAX, 0);
    private final AtomicLong failures = new AtomicLong();

    public Handshakes(Counters<ChannelCounter> counters) {
        this.counters = counters;
    }

    /**
     * Adds TLS before the other handlers of an accepted connection.
     *
     * @return false if too many handshakes are running: the connection is closed
     */
    @SuppressWarnings("FutureReturnValueIgnored") // closing does not fail
    public boolean accept(Channel channel, SSLEngine engine) {
        Object client = channel.remoteAddress() instanceof InetSocketAddress address
                ? ClientShares.clientOf(address)
                : "closed already";
        boolean isWithinShare = shares.connect(client);
        if (open.incrementAndGet() > MAX || !isWithinShare) {
            release(client);
            counters.increment(ChannelCounter.TLS_HANDSHAKES_REFUSED);
            channel.close();
            return false;
        }
        start(channel, engine).addListener(done -> {
            release(client);
            onDone(channel, done);
        });
        return true;
    }

    /**
     * Adds TLS before the other handlers of an outgoing connection; the number of these connections is bounded by the
     * peers.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // the listener handles the result
    public void open(Channel channel, SSLEngine engine) {
        start(channel, engine).addListener(done -> onDone(channel, done));
    }

    private static Future<Channel> start(Channel channel, SSLEngine engine) {
        SslHandler handler = new SslHandler(engine);
        handler.setHandshakeTimeoutMillis(MS_MAX);
        channel.pipeline().addFirst("tls", handler);
        return handler.handshakeFuture();
    }

    private void release(Object client) {
        open.decrementAndGet();
        shares.disconnect(client);
    }

    private void onDone(Channel channel, Future<?> done) {
        if (done.isSuccess()) {
            counters.increment(ChannelCounter.TLS_HANDSHAKES);
            return;
        }
        if (channel.remoteAddress() == null) {
            return; // never connected, so there was no handshake
        }
        counters.increment(ChannelCounter.TLS_HANDSHAKES_FAILED);
        long number = failures.incrementAndGet();
        if (Long.bitCount(number) == 1) { // logs the 1st, 2nd, 4th, 8th … failure, so no client can fill the log
            LOG.warn(
                    "TLS handshake failed: local={} remote={} reason={} failures={}",
                    Addresses.text(channel.localAddress()),
                    Addresses.text(channel.remoteAddress()),
                    reason(channel, done.cause()),
                    number);
        }
    }

    /** Reason of a failed handshake. The bytes of a peer without TLS may be a password, so they are never logged. */
    public static String reason(Channel channel, Throwable cause) {
        String refusal = channel.attr(PlainTextGuard.REASON).get();
        if (refusal != null) {
            return refusal;
        }
        if (cause instanceof NotSslRecordException) {
            return "the peer does not speak TLS";
        }
        return HandshakeFailure.reason(cause).orElseGet(() -> Addresses.causeText(cause));
    }

    /** Returns whether invalid TLS of the peer broke a connection, which is no defect of this node. */
    public static boolean isBroken(Throwable cause) {
        return cause instanceof SSLException
                || (cause instanceof DecoderException && cause.getCause() instanceof SSLException);
    }

    /** Authenticated certificate of the peer; empty without TLS or without a peer certificate. */
    public static Optional<PeerCertificate> certificate(Channel channel) {
        SslHandler handler = channel.pipeline().get(SslHandler.class);
        if (handler == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(PeerCertificate.of(
                    (X509Certificate) handler.engine().getSession().getPeerCertificates()[0]));
        } catch (SSLPeerUnverifiedException e) {
            return Optional.empty();
        }
    }

    /** Sends the TLS close notification before the shutdown of the connection's output. */
    @SuppressWarnings("FutureReturnValueIgnored") // the connection is closed afterwards in any case
    static void endOutput(Channel channel) {
        SslHandler handler = channel.pipeline().get(SslHandler.class);
        if (handler != null) {
            handler.closeOutbound();
        }
    }
}
