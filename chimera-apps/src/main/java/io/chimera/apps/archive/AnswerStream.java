package io.chimera.apps.archive;

import io.chimera.common.channel.HttpAnswer;
import java.io.OutputStream;

/** What goes to a client. One thread. */
final class AnswerStream extends OutputStream {
    private final HttpAnswer answer;

    AnswerStream(HttpAnswer answer) {
        this.answer = answer;
    }

    @Override
    public void write(int value) {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
        answer.write(bytes, offset, length);
    }
}
