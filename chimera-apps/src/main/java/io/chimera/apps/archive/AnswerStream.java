package io.chimera.apps.archive;

import io.chimera.common.channel.HttpAnswer;
import java.io.OutputStream;

/** What goes to a client, up to a number of bytes; what is behind them is left out. One thread. */
final class AnswerStream extends OutputStream {
    private final HttpAnswer answer;
    private long left;

    AnswerStream(HttpAnswer answer, long bytesMax) {
        this.answer = answer;
        left = bytesMax;
    }

    @Override
    public void write(int value) {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
        int taken = (int) Math.min(left, length);
        if (taken > 0) {
            answer.write(bytes, offset, taken);
            left -= taken;
        }
    }
}
