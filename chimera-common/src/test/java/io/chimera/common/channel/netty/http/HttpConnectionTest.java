package io.chimera.common.channel.netty.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.channel.HttpExchange;
import io.chimera.common.channel.HttpHandler;
import io.chimera.common.channel.Listeners.Limits;
import io.chimera.common.channel.netty.NoLeaks;
import io.chimera.common.channel.netty.socket.Stopping;
import io.chimera.common.metrics.ChannelCounter;
import io.chimera.common.metrics.Counters;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpResponseEncoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Memory accounting of request bodies, invisible through a socket. */
@ExtendWith(NoLeaks.class)
final class HttpConnectionTest {
    private static final Limits LIMITS = new Limits(1 << 20, 100, 1 << 20, 10, 60_000);

    private final Counters<ChannelCounter> counters = new Counters<>(ChannelCounter.class);
    private final List<HttpExchange> exchanges = new ArrayList<>();
    private final Stopping stopping = new Stopping();
    private final List<Throwable> failures = new ArrayList<>();

    private HttpPort port(HttpHandler handler) {
        return new HttpPort(handler, LIMITS, counters, failures::add, stopping);
    }

    private static EmbeddedChannel connect(HttpPort port) {
        RequestDecoder decoder = new RequestDecoder();
        EmbeddedChannel channel = new EmbeddedChannel();
        channel.pipeline().addLast(decoder, new HttpResponseEncoder());
        HttpConnection connection = new HttpConnection(port, channel, decoder);
        channel.pipeline().addLast(connection);
        connection.channelActive(channel.pipeline().lastContext());
        return channel;
    }

    private static void send(EmbeddedChannel channel, String text) {
        channel.writeInbound(Unpooled.copiedBuffer(text, US_ASCII));
    }

    private static String answers(EmbeddedChannel channel) {
        StringBuilder text = new StringBuilder();
        for (ByteBuf part = channel.readOutbound(); part != null; part = channel.readOutbound()) {
            text.append(part.toString(US_ASCII));
            part.release();
        }
        return text.toString();
    }

    @Test
    void keepsTheBodyUntilTheAnswerThoughTheClientIsGone() {
        HttpPort port = port(exchanges::add);
        EmbeddedChannel channel = connect(port);
        send(channel, "POST / HTTP/1.1\r\nContent-Length: 4\r\n\r\nbody");
        assertThat(port.pool.bytesOut()).isPositive();

        channel.finishAndReleaseAll();
        HttpExchange exchange = exchanges.get(0);
        assertThat(new String(exchange.body(), 0, exchange.bodyLength(), US_ASCII))
                .isEqualTo("body");
        assertThat(port.pool.bytesOut()).isPositive();

        exchange.respond(204, Map.of(), new byte[0]);
        channel.runPendingTasks();
        assertThat(port.pool.bytesOut()).isZero();
        assertThat(port.connections).hasValue(0);
    }

    @Test
    void dropsTheBodyThatNoHandlerTookWhenTheClientIsGone() {
        HttpPort port = port(exchange -> false);
        EmbeddedChannel channel = connect(port);
        send(channel, "POST / HTTP/1.1\r\nContent-Length: 4\r\n\r\nbody");
        assertThat(port.pool.bytesOut()).isPositive();

        channel.finishAndReleaseAll();
        assertThat(port.pool.bytesOut()).isZero();
    }

    @Test
    void dropsTheUnfinishedBodyOfAClientThatIsGone() {
        HttpPort port = port(exchanges::add);
        EmbeddedChannel channel = connect(port);
        send(channel, "POST / HTTP/1.1\r\nContent-Length: 400\r\n\r\nbody");
        assertThat(port.pool.bytesOut()).isPositive();

        channel.finishAndReleaseAll();
        assertThat(port.pool.bytesOut()).isZero();
        assertThat(exchanges).isEmpty();
        assertThat(counters.get(ChannelCounter.HTTP_REQUESTS_BROKEN)).isOne();
    }

    @Test
    void answersTheRequestThatIsBeingHandledWhenTheNodeStopsAndEndsItsConnection() {
        HttpPort port = port(exchanges::add);
        EmbeddedChannel channel = connect(port);
        send(channel, "POST /1 HTTP/1.1\r\nContent-Length: 1\r\n\r\na");
        assertThat(stopping.unanswered()).isOne();

        stopping.begin();
        channel.pipeline().fireUserEventTriggered(stopping);
        assertThat(channel.isOpen()).isTrue();
        exchanges.get(0).respond(204, Map.of(), new byte[0]);
        channel.runPendingTasks();

        assertThat(answers(channel)).contains("204").contains("connection: close");
        assertThat(channel.isOpen()).isFalse();
        assertThat(stopping.unanswered()).isZero();
    }

    @Test
    void countsNoRequestAsUnansweredWhoseClientIsGone() {
        HttpPort port = port(exchanges::add);
        EmbeddedChannel channel = connect(port);
        send(channel, "POST / HTTP/1.1\r\nContent-Length: 4\r\n\r\nbody");

        channel.finishAndReleaseAll();
        exchanges.get(0).respond(204, Map.of(), new byte[0]);
        channel.runPendingTasks();

        assertThat(stopping.unanswered()).isZero();
    }

    @Test
    void leavesPipelinedRequestsUndecodedUntilTheAnswer() {
        HttpPort port = port(exchanges::add);
        EmbeddedChannel channel = connect(port);
        send(
                channel,
                "POST /1 HTTP/1.1\r\nContent-Length: 1\r\n\r\naPOST /2 HTTP/1.1\r\nContent-Length: 1\r\n\r\nbGET");
        assertThat(exchanges).hasSize(1);
        assertThat(channel.config().isAutoRead()).isFalse();

        exchanges.get(0).respond(200, "text/plain", "one");
        assertThat(answers(channel)).endsWith("one");
        assertThat(exchanges).hasSize(2);

        exchanges.get(1).respond(200, "text/plain", "two");
        send(channel, " /3 HTTP/1.1\r\n\r\n");
        assertThat(exchanges).hasSize(3);
        exchanges.get(2).respond(200, "text/plain", "three");
        assertThat(answers(channel)).contains("two").endsWith("three");
        assertThat(channel.config().isAutoRead()).isTrue();
        assertThat(port.pool.bytesOut()).isZero();
        channel.finishAndReleaseAll();
        assertThat(failures).isEmpty();
    }
}
