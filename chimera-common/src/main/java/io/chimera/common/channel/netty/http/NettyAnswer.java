package io.chimera.common.channel.netty.http;

import io.chimera.common.channel.HttpAnswer;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.handler.codec.http.DefaultHttpContent;
import java.util.Arrays;
import java.util.Map;

/** Answer in parts; each part is written after the previous part was sent. */
final class NettyAnswer implements HttpAnswer {
    private final HttpAnswers answers;
    private ChannelFuture last;
    private boolean isOver;

    NettyAnswer(HttpAnswers answers) {
        this.answers = answers;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
        awaitLast();
        last = answers.part(
                new DefaultHttpContent(Unpooled.wrappedBuffer(Arrays.copyOfRange(bytes, offset, offset + length))));
    }

    @Override
    public void end(Map<String, String> trailers) {
        awaitLast();
        isOver = true;
        answers.end(trailers);
    }

    @Override
    public void cutOff() {
        answers.cutOff();
    }

    @Override
    public void close() {
        if (!isOver) {
            isOver = true;
            answers.cut();
        }
    }

    private void awaitLast() {
        if (last == null) {
            return;
        }
        try {
            last.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw gone(e);
        }
        if (!last.isSuccess()) {
            throw gone(last.cause());
        }
    }

    private static ChimeraException gone(Throwable cause) {
        return new ChimeraException(Category.WARN, "The client disconnected before the end of its answer.", cause);
    }
}
