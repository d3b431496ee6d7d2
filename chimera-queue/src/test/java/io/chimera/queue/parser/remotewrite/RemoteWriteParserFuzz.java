package io.chimera.queue.parser.remotewrite;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.chimera.api.model.DataPoint;
import io.chimera.api.spi.Chunk;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.queue.parser.RecordingSink;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Compares both parsers with the library of Protocol Buffers on the same bytes: equal points, or both refuse. Every
 * body is read with room for all points, then point by point with a sink that knows the series.
 */
final class RemoteWriteParserFuzz {
    private static final RemoteWriteRules RULES =
            new RemoteWriteRules(List.of("_total", "_count", "_sum", "_bucket"), false);

    private final Counters<QueueCounter> counters = new Counters<>(QueueCounter.class);
    private final RemoteWriteParser first = new RemoteWrite1Parser(RULES, counters);
    private final RemoteWriteParser second = new RemoteWrite2Parser(RULES, counters);
    private RecordingSink known = RecordingSink.knowing();
    private RecordingSink known2 = RecordingSink.knowing();

    @FuzzTest(maxDuration = "1m")
    void readsLikeTheLibrary(byte[] body) {
        compare(body, false);
        compare(body, true);
    }

    /**
     * Returns whether a body may have a varint longer than 10 bytes. The parsers and the library of Prometheus refuse
     * such a varint; the library for Java does not look at the last bit of a tenth byte in 64-bit numbers.
     */
    private static boolean hasEndlessVarint(byte[] body) {
        int high = 0;
        for (byte b : body) {
            high = b < 0 ? high + 1 : 0;
            if (high == 10) {
                return true;
            }
        }
        return false;
    }

    private void compare(byte[] body, boolean isSecond) {
        if (hasEndlessVarint(body)) {
            return;
        }
        RemoteWriteOracle oracle = RemoteWriteOracle.of(body, isSecond);
        RecordingSink plain = new RecordingSink();
        check(oracle, parse(body, isSecond, plain), plain, 0, 0, body);
        RecordingSink sink = isSecond ? known2 : known;
        int points = sink.points.size();
        int rejects = sink.rejects.size();
        check(oracle, parseInSteps(body, isSecond, sink), sink, points, rejects, body);
        if (sink.points.size() > 10_000) {
            known = RecordingSink.knowing();
            known2 = RecordingSink.knowing();
        }
    }

    private long[] parse(byte[] body, boolean isSecond, RecordingSink sink) {
        RemoteWriteParser parser = isSecond ? second : first;
        sink.take(parser, body, 1_000_000);
        return written(parser);
    }

    private static long[] written(RemoteWriteParser parser) {
        long[] written = {parser.written().samples(), parser.written().exemplars()};
        parser.reset();
        return written;
    }

    private long[] parseInSteps(byte[] body, boolean isSecond, RecordingSink sink) {
        RemoteWriteParser parser = isSecond ? second : first;
        Chunk chunk = new Chunk().restart(1_000_000).wrap(body, 0, body.length, true);
        sink.giveRoom(1);
        while (!parser.parse(chunk, sink)) {
            sink.giveRoom(2);
        }
        sink.giveRoom(Integer.MAX_VALUE);
        assertThat(chunk.isEmpty()).isTrue();
        return written(parser);
    }

    private static void check(
            RemoteWriteOracle oracle, long[] written, RecordingSink sink, int points, int rejects, byte[] body) {
        assertThat(texts(sink.points.subList(points, sink.points.size())))
                .as(() -> HexFormat.of().formatHex(body))
                .isEqualTo(oracle.points);
        assertThat((long) sink.rejects.size() - rejects)
                .as(() -> HexFormat.of().formatHex(body))
                .isEqualTo(oracle.rejects);
        assertThat(written).containsExactly(oracle.samples, oracle.exemplars);
    }

    private static List<String> texts(List<DataPoint> points) {
        List<String> texts = new ArrayList<>();
        for (DataPoint point : points) {
            Map<String, String> tags = new TreeMap<>(point.key().tags().asMap());
            tags.put("__name__", point.key().metric());
            texts.add(RemoteWriteOracle.text(tags, point.fields(), point.timeNs()));
        }
        return texts;
    }

    @Test
    void readsRandomMessages() {
        Random random = new Random(11);
        for (int i = 0; i < 4_000; i++) {
            RandomRequests requests = new RandomRequests(random);
            compare(requests.first(), false);
            compare(requests.second(), true);
        }
    }

    @Test
    void readsDamagedMessages() {
        Random random = new Random(12);
        for (int i = 0; i < 4_000; i++) {
            RandomRequests requests = new RandomRequests(random);
            byte[] body = random.nextBoolean() ? requests.first() : requests.second();
            for (int damages = 1 + random.nextInt(3); damages > 0 && body.length > 0; damages--) {
                body[random.nextInt(body.length)] = (byte) random.nextInt();
            }
            readsLikeTheLibrary(random.nextInt(4) > 0 ? body : Arrays.copyOf(body, random.nextInt(body.length + 1)));
        }
    }

    @Test
    void readsRandomBytes() {
        Random random = new Random(13);
        for (int i = 0; i < 10_000; i++) {
            byte[] body = new byte[random.nextInt(24)];
            for (int at = 0; at < body.length; at++) {
                body[at] = (byte) (random.nextInt(3) > 0 ? random.nextInt(48) : random.nextInt());
            }
            readsLikeTheLibrary(body);
        }
    }
}
