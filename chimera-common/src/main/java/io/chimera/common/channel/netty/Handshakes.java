package io.chimera.common.channel.netty;

import io.chimera.common.metrics.ChannelCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.common.security.HandshakeFailure;
import io.chimera.common.security.PeerCertificate;
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
 * TLS handshakes of the connections that one port accepts, or of those that a node opens: bounded in number, for each client and in all,
 * and in time. Counted, and the first failures logged. Any thread.
 */
final class Handshakes {
    /** A handshake costs about 1 ms of CPU and 50 KB: 200 of them are 10 MB, and done within a fifth of a second. */
    static final int MAX = 200;

    /** Of one client address: a client that never finishes its handshakes leaves the others three quarters. */
    static final int CLIENT_MAX = 50;

    /** Several round trips around the world. */
    static final long MS_MAX = 10_000;

    private static final Logger LOG = LoggerFactory.getLogger(Handshakes.class);

    private final Counters<ChannelCounter> counters;
    private final AtomicInteger open = new AtomicInteger();
    private final ClientShares shares = new ClientShares(CLIENT_MAX, 0);
    private final AtomicLong failures = new AtomicLong();

    Handshakes(Counters<ChannelCounter> counters) {
        this.counters = counters;
    }

    /**
     * Puts TLS in front of the other handlers of a connection that was accepted.
     *
     * @return false when too many handshakes are under way: the connection is closed
     */
    @SuppressWarnings("FutureReturnValueIgnored") // closing does not fail
    boolean accept(Channel channel, SSLEngine engine) {
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

    /** Puts TLS in front of the other handlers of a connection that this node opens; these are as many as it has peers. */
    @SuppressWarnings("FutureReturnValueIgnored") // the listener hears of the end
    void open(Channel channel, SSLEngine engine) {
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
            return; // nobody answered, so there was no handshake
        }
        counters.increment(ChannelCounter.TLS_HANDSHAKES_FAILED);
        long number = failures.incrementAndGet();
        if (Long.bitCount(number) == 1) { // the 1st, 2nd, 4th, 8th … so that nobody can fill the log
            LOG.warn(
                    "TLS handshake failed: local={} remote={} reason={} failures={}",
                    Addresses.text(channel.localAddress()),
                    Addresses.text(channel.remoteAddress()),
                    reason(channel, done.cause()),
                    number);
        }
    }

    /** Why a handshake failed. The bytes of a peer that does not speak TLS may be a password, so they stay out of the log. */
    static String reason(Channel channel, Throwable cause) {
        String refusal = channel.attr(PlainTextGuard.REASON).get();
        if (refusal != null) {
            return refusal;
        }
        if (cause instanceof NotSslRecordException) {
            return "the peer does not speak TLS";
        }
        return HandshakeFailure.reason(cause).orElseGet(() -> Addresses.causeText(cause));
    }

    /** Whether a connection broke because of what its peer sent as TLS, which is no defect of this node. */
    static boolean isBroken(Throwable cause) {
        return cause instanceof SSLException
                || (cause instanceof DecoderException && cause.getCause() instanceof SSLException);
    }

    /** The certificate that the peer proved to hold; empty without TLS, and where the peer showed none. */
    static Optional<PeerCertificate> certificate(Channel channel) {
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

    /** Tells the peer that nothing more comes, before the connection's own half is closed. */
    @SuppressWarnings("FutureReturnValueIgnored") // the connection is closed afterwards, whatever happens
    static void endOutput(Channel channel) {
        SslHandler handler = channel.pipeline().get(SslHandler.class);
        if (handler != null) {
            handler.closeOutbound();
        }
    }
}
