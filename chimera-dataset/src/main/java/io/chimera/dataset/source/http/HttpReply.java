package io.chimera.dataset.source.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;

/**
 * Answer to one {@link HttpCall}: status, headers, and the body as a stream. Valid only during the exchange; one
 * thread.
 */
public final class HttpReply {
    private static final int PIECE_BYTES = 64 << 10;
    private static final int DRAIN_BYTES_MAX = 64 << 10;

    private final ClassicHttpResponse response;
    private final InputStream body;
    private final long bodyLength;
    private boolean endSeen;

    HttpReply(ClassicHttpResponse response) throws IOException {
        this.response = response;
        HttpEntity entity = response.getEntity();
        this.body = entity == null ? InputStream.nullInputStream() : entity.getContent();
        this.bodyLength = entity == null ? 0 : entity.getContentLength();
    }

    /** Returns the status code. */
    public int status() {
        return response.getCode();
    }

    /** Returns the value of the first header with a name; empty without the header. */
    public Optional<String> header(String name) {
        Header header = response.getFirstHeader(name);
        return header == null ? Optional.empty() : Optional.ofNullable(header.getValue());
    }

    /** Returns the declared length of the body in bytes; -1 when the answer does not declare one. */
    public long bodyLength() {
        return bodyLength;
    }

    /** Returns the header {@code Content-Length}, also of an answer without a body; -1 without a valid value. */
    public long contentLength() {
        return header("Content-Length")
                .map(text -> DecimalDigits.parse(text.strip()))
                .orElse(-1L);
    }

    /**
     * Fills the buffer from the body.
     *
     * @param into receives the bytes
     * @return whether the body had enough bytes
     * @throws IOException when the connection fails
     */
    boolean fill(ByteBuffer into) throws IOException {
        if (into.hasArray()) {
            int read = body.readNBytes(into.array(), into.arrayOffset() + into.position(), into.remaining());
            into.position(into.position() + read);
            return !into.hasRemaining();
        }
        byte[] piece = new byte[Math.min(PIECE_BYTES, into.remaining())];
        while (into.hasRemaining()) {
            int read = body.read(piece, 0, Math.min(piece.length, into.remaining()));
            if (read < 0) {
                return false;
            }
            into.put(piece, 0, read);
        }
        return true;
    }

    /**
     * Returns whether the body has no further byte; reads at most one.
     *
     * @throws IOException when the connection fails
     */
    boolean isAtEnd() throws IOException {
        endSeen = endSeen || body.read() < 0;
        return endSeen;
    }

    /**
     * Reads the whole body.
     *
     * @param bytesMax maximum length
     * @return the body; empty when the body is longer
     * @throws IOException when the connection fails
     */
    public Optional<byte[]> readAll(int bytesMax) throws IOException {
        if (bodyLength > bytesMax) {
            return Optional.empty();
        }
        byte[] bytes = body.readNBytes(bytesMax + 1);
        return bytes.length > bytesMax ? Optional.empty() : Optional.of(bytes);
    }

    /**
     * Reads the rest of a short body, so that the connection can be used again. Ignores a failure of the connection,
     * because the result of the exchange is already complete.
     *
     * @return whether the body is at its end
     */
    boolean drain() {
        if (endSeen || bodyLength > DRAIN_BYTES_MAX) {
            return endSeen;
        }
        try {
            return body.readNBytes(DRAIN_BYTES_MAX).length < DRAIN_BYTES_MAX || isAtEnd();
        } catch (IOException e) {
            return false;
        }
    }
}
