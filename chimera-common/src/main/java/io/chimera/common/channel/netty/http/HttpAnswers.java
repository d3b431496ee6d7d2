package io.chimera.common.channel.netty.http;

import io.chimera.common.channel.HttpRefusal;
import io.chimera.common.channel.netty.socket.FinalAnswer;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.concurrent.Future;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;

/** Sends the answers of one HTTP connection, complete or in parts. */
@SuppressWarnings("FutureReturnValueIgnored") // closing does not fail, and a failed write closes
final class HttpAnswers {
    private final HttpConnection connection;
    private final HttpPort port;
    private final Channel channel;
    private final RequestWatch watch;
    private RequestIntake.Style style;
    private boolean isStaying;

    HttpAnswers(HttpConnection connection, HttpPort port, Channel channel, RequestWatch watch) {
        this.connection = connection;
        this.port = port;
        this.channel = channel;
        this.watch = watch;
    }

    /** Prepares the answer of a complete request. Event loop. */
    void prepare(RequestIntake.Style request) {
        style = request;
    }

    /** Sends the answer of a handler. Any thread. */
    void answer(NettyExchange answered, FullHttpResponse response) {
        if (channel.eventLoop().inEventLoop()) {
            send(answered, response);
            return;
        }
        try {
            channel.eventLoop().execute(() -> send(answered, response));
        } catch (RejectedExecutionException e) {
            // The event loops have ended, and this connection with them.
            answered.returnBody(port.pool);
        }
    }

    private void send(NettyExchange answered, FullHttpResponse response) {
        answered.returnBody(port.pool);
        if (channel.isActive()) {
            begin(response);
            channel.writeAndFlush(response).addListener(this::sent);
        }
    }

    /** Begins an answer in parts, ended by {@link #end}. Any thread. */
    void begin(NettyExchange answered, HttpResponse response) {
        connection.onLoop(() -> {
            answered.returnBody(port.pool);
            if (channel.isActive()) {
                HttpUtil.setTransferEncodingChunked(response, !style.isHttp10());
                if (style.isHttp10()) {
                    response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
                    resetOnClose(true);
                }
                begin(response);
                channel.write(response);
            }
        });
    }

    private void begin(HttpResponse response) {
        connection.onAnswering(response.status().code());
        isStaying = style.isKeptAlive()
                && !port.stopping.hasBegun()
                && !response.headers().contains(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE, true);
        if (!isStaying) {
            response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        } else if (style.isHttp10()) {
            response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.KEEP_ALIVE);
        }
    }

    /** Sends a part of an answer. Any thread. */
    ChannelFuture part(HttpContent content) {
        ChannelFuture written = channel.writeAndFlush(content);
        written.addListener(left -> watch.touch());
        return written;
    }

    /** Ends an answer in parts. Any thread. */
    void end(Map<String, String> trailers) {
        LastHttpContent last = trailers.isEmpty() ? LastHttpContent.EMPTY_LAST_CONTENT : new DefaultLastHttpContent();
        trailers.forEach((name, value) -> last.trailingHeaders().set(name, value));
        whileAnswering(() -> channel.writeAndFlush(last).addListener(this::sentWhole));
    }

    private void sentWhole(Future<?> written) {
        if (style.isHttp10() && written.isSuccess() && channel.isActive()) {
            resetOnClose(false);
        }
        sent(written);
    }

    private void sent(Future<?> written) {
        connection.onAnswered(written.isSuccess() && isStaying);
    }

    /**
     * Selects a reset or a normal close for the end of the connection. HTTP/1.0 has no chunks: an answer in parts ends
     * with the connection. Until such an answer is complete, any close must be a reset; otherwise a truncated answer
     * would look complete.
     */
    private void resetOnClose(boolean isReset) {
        channel.config().setOption(ChannelOption.SO_LINGER, isReset ? 0 : -1);
    }

    /** Closes the connection of an incomplete answer in parts. Any thread. */
    void cut() {
        whileAnswering(() -> channel.close().addListener(closed -> port.stopping.answered()));
    }

    /** Closes the connection. Any thread. */
    void cutOff() {
        connection.onLoop(channel::close);
    }

    /** Sends the answer of a refused request, and ends the connection. Event loop. */
    void refuse(HttpRefusal refusal) {
        FullHttpResponse response = NettyExchange.response(refusal.status(), refusal.headers(), refusal.body(), false);
        response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        FinalAnswer.send(channel, response);
    }

    private void whileAnswering(Runnable task) {
        connection.onLoop(() -> {
            if (connection.state()
                    == HttpState.ANSWERING) { // in another state the client disconnected before the answer began
                task.run();
            }
        });
    }
}
