package io.chimera.common.channel.netty.http;

import io.chimera.common.channel.netty.share.ConnectionShare;
import io.chimera.common.channel.netty.share.SlowRequests;
import io.chimera.common.channel.netty.socket.IdleWatch;
import io.chimera.common.metrics.ChannelCounter;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;

/**
 * Ends an HTTP connection with an idle or slow client, and offers the connection for eviction while it waits for its
 * client. On the event loop, unless stated.
 */
@SuppressWarnings("FutureReturnValueIgnored") // closing does not fail
final class RequestWatch implements PaceWatch.Watched, SlowRequests.Waiting {
    private final HttpConnection connection;
    private final HttpPort port;
    private final Channel channel;
    private final RequestDecoder decoder;
    private final RequestIntake intake;
    private final ConnectionShare share;
    private final IdleWatch idle;
    private final PaceWatch pace;

    RequestWatch(
            HttpConnection connection,
            HttpPort port,
            Channel channel,
            RequestDecoder decoder,
            RequestIntake intake,
            ConnectionShare share) {
        this.connection = connection;
        this.port = port;
        this.channel = channel;
        this.decoder = decoder;
        this.intake = intake;
        this.share = share;
        idle = new IdleWatch(channel, port.limits.pace().idleMs(), this::isOnUs, this::closeIdle);
        pace = new PaceWatch(channel, port.limits.pace(), this);
    }

    void start() {
        idle.start();
        pace.start();
        port.slow.add(this);
    }

    /** Records activity. */
    void touch() {
        idle.touch();
    }

    /** Counts received bytes of a body. */
    void received(int bytes) {
        pace.received(bytes);
    }

    /** Begins the wait for the next request. */
    void awaitRequest() {
        idle.touch();
        pace.restart();
        port.slow.add(this);
    }

    /** Ends the wait for a request. */
    void stopWaiting() {
        port.slow.remove(this);
    }

    /** Returns whether the client waits for this node: all written data are sent. */
    private boolean isOnUs() {
        ChannelOutboundBuffer sent = channel.unsafe().outboundBuffer();
        return connection.state().isUnanswered()
                || (connection.state() == HttpState.ANSWERING && (sent == null || sent.isEmpty()));
    }

    private void closeIdle() {
        port.counters.increment(ChannelCounter.HTTP_CONNECTIONS_IDLE);
        channel.close();
    }

    @Override
    public PaceWatch.Phase phase() {
        HttpState state = connection.state();
        if (state == HttpState.BODY) {
            return PaceWatch.Phase.BODY;
        }
        // Between two requests only the idle limit applies.
        boolean isExpected = state == HttpState.FIRST_HEAD || (state == HttpState.NEXT_HEAD && decoder.hasBytes());
        return isExpected ? PaceWatch.Phase.HEADERS : PaceWatch.Phase.NONE;
    }

    @Override
    public void onTooSlow(PaceWatch.Phase phase) {
        if (phase == PaceWatch.Phase.HEADERS && !decoder.hasBytes()) {
            port.counters.increment(ChannelCounter.HTTP_REQUESTS_SLOW); // no request to answer
            channel.close();
        } else {
            connection.refuse(
                    phase == PaceWatch.Phase.HEADERS
                            ? RequestRefusal.slowHeaders(port.limits.pace().headersMs())
                            : RequestRefusal.slowBody(port.limits.pace().bytesPerSecondMin()));
        }
    }

    @Override
    public Object client() {
        return share.client();
    }

    @Override
    public boolean isSlow() {
        return pace.isSlow();
    }

    @Override
    public boolean holdsBody() {
        return intake.holdsBody();
    }

    @Override
    public void evict() {
        connection.onLoop(() -> {
            if (connection.state().isReading() && channel.isActive()) {
                connection.refuse(RequestRefusal.evicted());
            }
        });
    }
}
