package io.chimera.queue.parser;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;

/** Compares the scans with byte-by-byte loops on random input. */
final class ByteScanTest {
    private static final int ROUNDS = 50_000;

    @FunctionalInterface
    private interface Scan {
        int find(byte[] bytes, int from, int end);
    }

    private static void agrees(Scan scan, IntPredicate wanted) {
        Random random = new Random(3);
        for (int round = 0; round < ROUNDS; round++) {
            byte[] bytes = randomBytes(random);
            int from = random.nextInt(bytes.length + 1);
            int end = from + random.nextInt(bytes.length - from + 1);
            int expected = from;
            boolean illegal = false;
            while (expected < end && !wanted.test(bytes[expected] & 0xFF)) {
                illegal |= bytes[expected] == -1;
                expected++;
            }
            int found = scan.find(bytes, from, end);
            // 0xFF never occurs in UTF-8, so the line is rejected wherever the scan stops
            if (!illegal) {
                assertThat(found).isEqualTo(expected);
            }
        }
    }

    /** Mostly bytes with codes near the searched characters. */
    private static byte[] randomBytes(Random random) {
        byte[] edges = "\n\r\t !\",-+=<>\\[]^~ab\u0000\u001F~\u007F".getBytes(StandardCharsets.US_ASCII);
        byte[] bytes = new byte[random.nextInt(40)];
        for (int i = 0; i < bytes.length; i++) {
            int kind = random.nextInt(12);
            bytes[i] = kind == 0
                    ? (byte) random.nextInt(256)
                    : kind == 1 ? edges[random.nextInt(edges.length)] : (byte) ('a' + random.nextInt(26));
        }
        return bytes;
    }

    @Test
    void findsLineFeeds() {
        agrees(ByteScan::newline, b -> b == '\n');
    }

    @Test
    void findsEndsOfNames() {
        agrees(ByteScan::nameEnd, b -> b <= ' ' || b == ',' || b == '=' || b == '\\' || b == 0x7F);
    }

    @Test
    void findsEndsOfMetrics() {
        agrees(ByteScan::metricEnd, b -> b <= ' ' || b == ',' || b == '\\' || b == 0x7F);
    }

    @Test
    void findsQuotesAndBackslashes() {
        agrees(ByteScan::quotedEnd, b -> b == '"' || b == '\\' || b == '\n');
    }

    @Test
    void countsLineFeeds() {
        byte[] bytes = "\na\n\nb".getBytes(StandardCharsets.US_ASCII);
        assertThat(ByteScan.newlines(bytes, 0, bytes.length)).isEqualTo(3);
        assertThat(ByteScan.newlines(bytes, 1, 3)).isEqualTo(1);
    }
}
