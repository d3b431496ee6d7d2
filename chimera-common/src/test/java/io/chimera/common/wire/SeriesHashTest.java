package io.chimera.common.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

final class SeriesHashTest {
    private static final int KEYS = 60_000;

    private static long hash(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        return SeriesHash.of(new UnsafeBuffer(bytes), 0, bytes.length);
    }

    /** Pins the hash function, because the content of journaled cycles depends on the hash. */
    @Test
    void neverChanges() {
        // values of the reference implementation of XXH3
        assertThat(hash("")).isEqualTo(0x2D06800538D394C2L);
        assertThat(hash("abc")).isEqualTo(0x78AF5F94892F3950L);
        assertThat(hash("chimera".repeat(100))).isEqualTo(0xFDB04E39E38F8A3FL);
        assertThat(SeriesHash.part(0x0123456789ABCDEFL, 1000)).isEqualTo(501);
        assertThat(SeriesHash.shard(0x0123456789ABCDEFL, 1000)).isEqualTo(625);
    }

    @Test
    void isTheSameOnAndOffTheHeap() {
        byte[] bytes = "some key of a series, not too short".getBytes(StandardCharsets.US_ASCII);
        UnsafeBuffer direct = new UnsafeBuffer(ByteBuffer.allocateDirect(100));
        UnsafeBuffer view = new UnsafeBuffer(new byte[100], 10, 80);
        for (int length = 0; length <= bytes.length; length++) {
            direct.putBytes(7, bytes, 0, length);
            view.putBytes(3, bytes, 0, length);
            long expected = SeriesHash.of(new UnsafeBuffer(bytes), 0, length);

            assertThat(SeriesHash.of(direct, 7, length)).isEqualTo(expected);
            assertThat(SeriesHash.of(view, 3, length)).isEqualTo(expected);
        }
    }

    @Test
    void spreadsEvenlyOverPartsAndShards() {
        int[] parts = new int[6];
        int[] shards = new int[6];
        for (int i = 0; i < KEYS; i++) {
            parts[SeriesHash.part(hash("cpu" + i), 6)]++;
            shards[SeriesHash.shard(hash("cpu" + i), 6)]++;
        }
        // 10,000 expected, standard deviation below 100
        for (int i = 0; i < 6; i++) {
            assertThat(parts[i]).isBetween(9_500, 10_500);
            assertThat(shards[i]).isBetween(9_500, 10_500);
        }
    }

    /** Guards against one common hash: a part would reach only the shards equal to it modulo the common divisor. */
    @Test
    void everyPartReachesEveryShardEvenly() {
        int[][] counts = new int[4][6];
        for (int i = 0; i < KEYS; i++) {
            long hash = hash("mem" + i);
            counts[SeriesHash.part(hash, 4)][SeriesHash.shard(hash, 6)]++;
        }
        for (int[] part : counts) {
            for (int count : part) {
                assertThat(count).isBetween(2_250, 2_750);
            }
        }
    }

    @Test
    void differsForSimilarKeys() {
        Set<Long> hashes = new HashSet<>();
        for (int i = 0; i < KEYS; i++) {
            hashes.add(hash("host" + i));
        }
        assertThat(hashes).hasSize(KEYS);
    }
}
