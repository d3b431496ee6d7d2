package io.chimera.node.archive.client;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** Decodes UTF-8 into the output of a command; the output stays open. One thread. */
public final class WriterStream extends OutputStream {
    private final PrintWriter writer;
    private final CharsetDecoder decoder = StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPLACE)
            .onUnmappableCharacter(CodingErrorAction.REPLACE);

    /** First bytes of an incomplete character. */
    private ByteBuffer rest = ByteBuffer.allocate(0);

    public WriterStream(PrintWriter writer) {
        this.writer = writer;
    }

    @Override
    public void write(int value) {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
        ByteBuffer in = ByteBuffer.allocate(rest.remaining() + length);
        in.put(rest).put(bytes, offset, length).flip();
        CharBuffer chars = CharBuffer.allocate(in.remaining());
        decoder.decode(in, chars, false);
        writer.append(chars.flip());
        rest = in;
    }

    /**
     * Flushes the output.
     *
     * @throws IOException when any earlier write failed: PrintWriter and System.out only set a flag
     */
    @Override
    public void flush() throws IOException {
        if (writer.checkError() || System.out.checkError()) {
            throw new IOException("standard output is closed");
        }
    }

    @Override
    public void close() throws IOException {
        flush();
    }
}
