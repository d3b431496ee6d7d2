package io.chimera.bench.peers.job;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.nio.ByteBuffer;
import net.openhft.hashing.LongHashFunction;

/**
 * Straightforward reader of calls from lines: finds the field values by their surrounding characters, and turns user
 * numbers into strings, hashed from the same bytes. Supports exactly the generated load. One thread.
 */
public final class CallReader {
    private static final LongHashFunction XX3 = LongHashFunction.xx3();

    private final byte[] bytes = new byte[64 << 10];
    private final ByteBuffer lines;
    private int position;
    private int filled;

    /** Hash of the last text. */
    private long hash;

    /**
     * Creates a reader.
     *
     * @param lines whole lines; the reader advances the position
     */
    public CallReader(ByteBuffer lines) {
        this.lines = lines;
    }

    /** Returns the next call; null at the end. */
    public Call next() {
        int end = endOfLine();
        if (end < 0) {
            fill();
            end = endOfLine();
            if (end < 0) {
                return null;
            }
        }
        String caller = text();
        long callerHash = hash;
        String callee = text();
        long calleeHash = hash;
        long duration = number();
        long code = number();
        position++; // the space
        long timeNs = digits();
        position = end + 1;
        return new Call(caller, callee, callerHash, calleeHash, duration, code, timeNs);
    }

    private int endOfLine() {
        for (int i = position; i < filled; i++) {
            if (bytes[i] == '\n') {
                return i;
            }
        }
        return -1;
    }

    private void fill() {
        int rest = filled - position;
        System.arraycopy(bytes, position, bytes, 0, rest);
        int more = Math.min(lines.remaining(), bytes.length - rest);
        lines.get(bytes, rest, more);
        position = 0;
        filled = rest + more;
    }

    private String text() {
        while (bytes[position] != '"') {
            position++;
        }
        int start = ++position;
        while (bytes[position] != '"') {
            position++;
        }
        int length = position++ - start;
        hash = XX3.hashBytes(bytes, start, length);
        return new String(bytes, start, length, ISO_8859_1);
    }

    private long number() {
        while (bytes[position] != '=') {
            position++;
        }
        position++;
        return digits();
    }

    /** Reads digits and their terminator. */
    private long digits() {
        long number = 0;
        while (bytes[position] >= '0' && bytes[position] <= '9') {
            number = 10 * number + bytes[position++] - '0';
        }
        position++;
        return number;
    }
}
