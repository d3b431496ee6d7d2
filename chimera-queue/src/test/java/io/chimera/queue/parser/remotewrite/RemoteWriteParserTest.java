package io.chimera.queue.parser.remotewrite;

import static io.chimera.queue.parser.remotewrite.RemoteWriteMessages.message;
import static io.chimera.queue.parser.remotewrite.RemoteWriteMessages.sample;
import static io.chimera.queue.parser.remotewrite.RemoteWriteMessages.sample2;
import static io.chimera.queue.parser.remotewrite.RemoteWriteMessages.series;
import static io.chimera.queue.parser.remotewrite.RemoteWriteMessages.series2;
import static io.chimera.queue.parser.remotewrite.RemoteWriteMessages.with;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.DynamicMessage;
import io.chimera.api.spi.Chunk;
import io.chimera.api.spi.PointSink;
import io.chimera.common.metrics.AllocatedBytes;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.queue.parser.CountingSink;
import io.chimera.queue.parser.RecordingSink;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RemoteWriteParserTest {
    private static final long MS = 1_700_000_000_000L;
    private static final List<String> SUFFIXES = List.of("_total", "_bucket");
    private static final double STALE = Double.longBitsToDouble(SeriesWriter.STALE);

    private final Counters<QueueCounter> counters = new Counters<>(QueueCounter.class);
    private final RemoteWriteParser first = new RemoteWrite1Parser(new RemoteWriteRules(SUFFIXES, false), counters);
    private final RemoteWriteParser second = new RemoteWrite2Parser(new RemoteWriteRules(SUFFIXES, false), counters);

    private static byte[] request(DynamicMessage.Builder... series) {
        return with(message("WriteRequest"), "timeseries", (Object[]) series)
                .build()
                .toByteArray();
    }

    private static byte[] request2(List<String> symbols, DynamicMessage.Builder... series) {
        return with(with(message("Request"), "symbols", symbols.toArray()), "timeseries", (Object[]) series)
                .build()
                .toByteArray();
    }

    private static RecordingSink parse(RemoteWriteParser parser, byte[] body) {
        return new RecordingSink().take(parser, body, 1_000_000);
    }

    private static DynamicMessage.Builder typed(DynamicMessage.Builder series, int type) {
        return with(series, "metadata", with(message("Metadata2"), "type", type));
    }

    private static Map<String, Object> fieldsOf(RecordingSink sink) {
        assertThat(sink.rejects).isEmpty();
        assertThat(sink.points).hasSize(1);
        return sink.points.get(0).fields();
    }

    @Test
    void writesSamplesAsPoints() {
        RecordingSink sink = parse(
                first,
                request(
                        with(
                                series("__name__", "up", "job", "größe", "a.b c", "two\nlines"),
                                "samples",
                                sample(1, MS),
                                sample(0.5, MS + 1)),
                        with(series("__name__", "http_requests_total"), "samples", sample(1e9, MS))));

        assertThat(sink.rejects).isEmpty();
        assertThat(sink.points)
                .extracting(point -> point.key().metric())
                .containsExactly("up", "up", "http_requests_total");
        assertThat(sink.points.get(0).key().tags().asMap()).isEqualTo(Map.of("job", "größe", "a.b c", "two\nlines"));
        assertThat(sink.points)
                .extracting(point -> (Object) point.fields())
                .containsExactly(Map.of("value", 1.0), Map.of("value", 0.5), Map.of("total", 1e9));
        assertThat(sink.points.get(1).timeNs()).isEqualTo((MS + 1) * 1_000_000);
        assertThat(first.written().samples()).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource({
        "x, 0, value", "x_total, 0, total", "_total, 0, total", "x_total2, 0, value",
        "x, 1, total", "x_total, 2, value", "x, 3, total", "x_total, 4, value",
        "x, 5, value", "x_bucket, 5, total", "x_total, 6, value", "x_total, 99, value"
    })
    void namesTheFieldByTypeAndEnding(String metric, int type, String field) {
        byte[] body = request2(
                List.of("", "__name__", metric), typed(with(series2(1, 2), "samples", sample2(7, MS, 0)), type));

        assertThat(fieldsOf(parse(second, body))).containsExactly(Map.entry(field, 7.0));
    }

    @Test
    void keepsTheStartOfCumulativeSamplesOfBothGenerations() {
        List<String> symbols = List.of("", "__name__", "x");
        byte[] ofSample = request2(symbols, typed(with(series2(1, 2), "samples", sample2(7, MS, MS - 5)), 1));
        byte[] ofSeries = request2(
                symbols,
                typed(with(with(series2(1, 2), "samples", sample2(7, MS, 0)), "created_timestamp", MS - 6), 1));
        byte[] ofGauge = request2(symbols, typed(with(series2(1, 2), "samples", sample2(7, MS, MS - 5)), 2));

        assertThat(fieldsOf(parse(second, ofSample))).isEqualTo(Map.of("total", 7.0, "start_ms", MS - 5));
        assertThat(fieldsOf(parse(second, ofSeries))).isEqualTo(Map.of("total", 7.0, "start_ms", MS - 6));
        assertThat(fieldsOf(parse(second, ofGauge))).isEqualTo(Map.of("value", 7.0));
    }

    @Test
    void dropsAndCountsValuesThatAggregatesCannotStore() {
        byte[] body = request(with(
                series("__name__", "up"),
                "samples",
                sample(STALE, MS),
                sample(Double.NaN, MS),
                sample(Double.NEGATIVE_INFINITY, MS),
                sample(1, MS)));

        RecordingSink sink = parse(first, body);

        assertThat(fieldsOf(sink)).isEqualTo(Map.of("value", 1.0));
        assertThat(first.written().samples()).isEqualTo(4);
        assertThat(counters.get(QueueCounter.REMOTE_WRITE_STALE)).isEqualTo(1);
        assertThat(counters.get(QueueCounter.REMOTE_WRITE_NOT_FINITE)).isEqualTo(2);

        RemoteWriteParser strict = new RemoteWrite1Parser(new RemoteWriteRules(SUFFIXES, true), counters);
        RecordingSink rejecting = parse(strict, body);

        assertThat(rejecting.points).hasSize(1);
        assertThat(rejecting.rejects).hasSize(2).allMatch(reject -> reject.reason()
                .contains("NaN or infinite"));
        assertThat(strict.written().samples()).isEqualTo(2);
    }

    @Test
    void rejectsEachSampleOfASeriesWithALongLabel() {
        String text = "x".repeat(LabelSet.TEXT_LENGTH_MAX + 1);
        RecordingSink ofFirst = parse(
                first,
                request(
                        with(series("__name__", "up", "job", text), "samples", sample(1, MS), sample(2, MS)),
                        with(series("__name__", "up"), "samples", sample(1, MS))));
        RecordingSink ofSecond = parse(
                second,
                request2(
                        List.of("", "__name__", "up", text, "a", "b"),
                        with(series2(1, 2, 4, 3, 5, 3), "samples", sample2(1, MS, 0), sample2(2, MS, 0)),
                        with(series2(1, 2), "samples", sample2(1, MS, 0))));

        for (RecordingSink sink : List.of(ofFirst, ofSecond)) {
            assertThat(sink.points).hasSize(1);
            assertThat(sink.rejects)
                    .hasSize(2)
                    .allMatch(reject -> reject.reason().contains("longer than"))
                    .allMatch(reject -> reject.text().equals("up{}"));
        }
    }

    @Test
    void rejectsHistogramsAndKeepsTheSamplesBesideThem() {
        DynamicMessage.Builder histogram = with(message("Histogram"), "sum", 1.5);
        RecordingSink sink = parse(
                second,
                request2(
                        List.of("", "__name__", "x"),
                        with(series2(1, 2), "histograms", histogram, histogram),
                        with(series2(1, 2), "samples", sample2(1, MS, 0))));

        assertThat(sink.points).hasSize(1);
        assertThat(sink.rejects).hasSize(2).allMatch(reject -> reject.line() == 1);
        assertThat(sink.rejects.get(0).reason()).contains("native histograms");
        assertThat(sink.rejects.get(0).text()).isEqualTo("x{}");
        assertThat(counters.get(QueueCounter.REMOTE_WRITE_HISTOGRAMS_REJECTED)).isEqualTo(2);
    }

    @Test
    void acceptsExemplarsWithoutStoringThem() {
        DynamicMessage.Builder exemplar = with(message("Exemplar2"), "value", 1.5);
        byte[] body = request2(
                List.of("", "__name__", "x"),
                with(series2(1, 2), "exemplars", exemplar, exemplar),
                with(series2(), "exemplars", exemplar));

        RecordingSink sink = parse(second, body);

        assertThat(sink.points).isEmpty();
        assertThat(second.written().exemplars()).isEqualTo(2);
        assertThat(counters.get(QueueCounter.REMOTE_WRITE_EXEMPLARS_IGNORED)).isEqualTo(2);
    }

    @Test
    void rejectsSeriesWithBadLabelsAndKeepsOthers() {
        DynamicMessage.Builder good = with(series2(1, 2), "samples", sample2(1, MS, 0));
        List<String> symbols = List.of("", "__name__", "x", "job");
        int[][] bad = {
            {}, {3, 2}, {1, 0}, {1, 2, 3, 0}, {1, 2, 0, 3}, {1, 2, 3}, {1, 4}, {1, -1}, {1, 2, 1, 2}, {1, 2, 3, 2, 3, 2}
        };
        for (int[] references : bad) {
            RecordingSink sink =
                    parse(second, request2(symbols, with(series2(references), "samples", sample2(1, MS, 0)), good));

            assertThat(sink.points).as(Arrays.toString(references)).hasSize(1);
            assertThat(sink.rejects).hasSize(1);
            assertThat(sink.rejects.get(0).line()).isEqualTo(1);
            assertThat(second.written().samples()).isEqualTo(1);
            second.reset();
        }
    }

    @Test
    void readsReferencesInSeveralArraysAndOneByOne() {
        ByteArrayOutputStream series = new ByteArrayOutputStream();
        series.writeBytes(series2(1, 2).build().toByteArray());
        series.writeBytes(new byte[] {0x08, 3}); // a field per reference
        series.writeBytes(series2(4).build().toByteArray());
        series.writeBytes(with(message("TimeSeries2"), "samples", sample2(1, MS, 0))
                .build()
                .toByteArray());
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        body.writeBytes(request2(List.of("", "__name__", "x", "job", "a")));
        body.write(0x2a);
        body.write(series.size());
        body.writeBytes(series.toByteArray());

        RecordingSink sink = parse(second, body.toByteArray());

        assertThat(sink.rejects).isEmpty();
        assertThat(sink.points.get(0).key().metric()).isEqualTo("x");
        assertThat(sink.points.get(0).key().tags().asMap()).isEqualTo(Map.of("job", "a"));
    }

    @Test
    void takesALabelWithoutAValueForAMissingLabelInTheFirstVersion() {
        byte[] body = request(with(series("__name__", "up", "job", ""), "samples", sample(1, MS)));

        RecordingSink sink = parse(first, body);

        assertThat(sink.rejects).isEmpty();
        assertThat(sink.points.get(0).key().tags().asMap()).isEmpty();
    }

    @Test
    void refusesMalformedBodiesBeforeTheFirstPoint() {
        byte[] good = request(with(series("__name__", "up"), "samples", sample(1, MS)));
        byte[] twice = Arrays.copyOf(good, 2 * good.length);
        System.arraycopy(good, 0, twice, good.length, good.length);
        byte[] cut = Arrays.copyOf(twice, twice.length - 1);

        RecordingSink sink = parse(first, cut);

        assertThat(sink.points).isEmpty();
        assertThat(sink.rejects).singleElement().matches(reject -> reject.reason()
                .contains("malformed"));
        first.reset();
        assertThat(parse(first, twice).points).hasSize(2);
        byte[] noFirst = request2(List.of("__name__", "x"), with(series2(0, 1), "samples", sample2(1, MS, 0)));
        assertThat(parse(second, noFirst).rejects).singleElement().matches(reject -> reject.reason()
                .contains("first symbol"));
    }

    @Test
    void refusesAFloodOfSymbolsWithoutMemoryForThem() {
        byte[] body = new byte[2 * (RemoteWrite2Parser.SYMBOLS_MAX + 1)];
        for (int i = 0; i < body.length; i += 2) {
            body[i] = 0x22; // a symbol of length 0
        }

        assertThat(parse(second, body).rejects).singleElement().matches(reject -> reject.reason()
                .contains("symbols"));
        second.reset();
        assertThat(parse(second, Arrays.copyOf(body, body.length - 2)).rejects).isEmpty();
    }

    @Test
    void readsLabelsOfARepeatedSeriesOnce() {
        byte[] body = request(with(series("__name__", "up", "job", "a"), "samples", sample(1, MS)));
        RecordingSink sink = RecordingSink.knowing();
        for (int i = 0; i < 5; i++) {
            sink.take(first, body, 1_000_000);
            first.reset();
        }
        assertThat(sink.points).hasSize(5);
        assertThat(sink.metricsRead).isEqualTo(1);

        byte[] body2 = request2(
                List.of("", "__name__", "up", "job", "a"), with(series2(1, 2, 3, 4), "samples", sample2(1, MS, 0)));
        byte[] same = request2(
                List.of("", "job", "a", "up", "__name__"), with(series2(4, 3, 1, 2), "samples", sample2(1, MS, 0)));
        RecordingSink sink2 = RecordingSink.knowing();
        for (int i = 0; i < 5; i++) {
            sink2.take(second, i % 2 == 0 ? body2 : same, 1_000_000);
            second.reset();
        }
        assertThat(sink2.points)
                .hasSize(5)
                .allMatch(point -> point.key().metric().equals("up"));
        assertThat(sink2.metricsRead).isEqualTo(1);
    }

    @Test
    void allocatesNothing() {
        DynamicMessage.Builder one =
                with(series("__name__", "up", "job", "a"), "samples", sample(1, MS), sample(STALE, MS), sample(2, MS));
        DynamicMessage.Builder bad = with(series("job", "a"), "samples", sample(1, MS));
        byte[] body = request(one, bad, with(one.clone(), "histograms", message("Histogram")));
        byte[] body2 = request2(
                List.of("", "__name__", "x_total", "job"),
                typed(with(series2(1, 2), "samples", sample2(1, MS, 2)), 1),
                with(series2(3, 1), "samples", sample2(1, MS, 0)));
        Chunk chunk = new Chunk();
        PointSink sink = new CountingSink();

        assertThat(AllocatedBytes.of(() -> {
                    read(first, chunk, body, sink);
                    read(second, chunk, body2, sink);
                }))
                .isZero();
    }

    private static void read(RemoteWriteParser parser, Chunk chunk, byte[] body, PointSink sink) {
        chunk.restart(1).wrap(body, 0, body.length, true);
        if (!parser.parse(chunk, sink)) {
            throw new AssertionError("There is room.");
        }
        parser.reset();
    }
}
