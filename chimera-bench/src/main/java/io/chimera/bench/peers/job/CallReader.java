package io.chimera.bench.peers.job;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.nio.ByteBuffer;
import net.openhft.hashing.LongHashFunction;

/**
 * Reads calls from lines, straightforward: the values of the fields are searched for by the characters around them, and the
 * numbers of users become strings, and are hashed while their bytes are at hand. Takes what the load writes. One thread.
 */
public final class CallReader {
    private static final LongHashFunction XX3 = LongHashFunction.xx3();

    private final byte[] bytes = new byte[64 << 10];
    private final ByteBuffer lines;
    private int position;
    private int filled;

    /** Of the text that was read last. */
    private long hash;

    /**
     * A reader.
     *
     * @param lines whole lines; moved along
     */
    public CallReader(ByteBuffer lines) {
        this.lines = lines;
    }

    /** The next call; null when there is none. */
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

    /** Digits, and what ends them. */
    private long digits() {
        long number = 0;
        while (bytes[position] >= '0' && bytes[position] <= '9') {
            number = 10 * number + bytes[position++] - '0';
        }
        position++;
        return number;
    }
}
