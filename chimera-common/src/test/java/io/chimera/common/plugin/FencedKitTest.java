package io.chimera.common.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.api.kit.AggregatorContract;
import io.chimera.api.kit.KitPoint;
import io.chimera.api.kit.ParserContract;
import io.chimera.api.kit.StoreContract;
import io.chimera.api.kit.TransformContract;
import io.chimera.api.model.FieldType;
import io.chimera.api.model.Row;
import io.chimera.api.spi.Aggregator;
import io.chimera.api.spi.Chunk;
import io.chimera.api.spi.NoSettings;
import io.chimera.api.spi.Parser;
import io.chimera.api.spi.ParserType;
import io.chimera.api.spi.Plugin;
import io.chimera.api.spi.PluginContext;
import io.chimera.api.spi.PointSink;
import io.chimera.api.spi.Store;
import io.chimera.api.spi.Transform;
import io.chimera.api.spi.TransformType;
import io.chimera.api.spi.VerifiableStore;
import io.chimera.common.agent.SystemClock;
import io.chimera.common.config.PluginsConfig;
import io.chimera.common.config.binding.Sections;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.PluginCounter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;

/** A correct plugin passes the contract kit behind a fence too, and the fence counts no failure. */
final class FencedKitTest {
    private final Counters<PluginCounter> counters = new Counters<>(PluginCounter.class);
    private final Watchdog watchdog =
            new Watchdog(new SystemClock(), Duration.ofSeconds(10).toNanos());

    @AfterEach
    void nothingFailed() {
        watchdog.close();
        assertThat(counters.get(PluginCounter.CALLS_FAILED)).isZero();
        assertThat(counters.get(PluginCounter.CALLS_STOPPED)).isZero();
    }

    private <P extends Plugin> PluginGuard fence(Class<P> kind, P plugin) {
        return new PluginGuard(
                new Provided<>(
                        kind,
                        plugin.name(),
                        plugin.settings(),
                        new PluginOrigin("good", "1.0", "/plugins/good", "0123456789abcdef"),
                        () -> plugin),
                Sections.of(PluginsConfig.class),
                counters,
                error -> {},
                watchdog);
    }

    /** Sums the points of the last 20 s. */
    private static final class Recent implements TransformType {
        private static final Duration HORIZON = Duration.ofSeconds(20);

        @Override
        public String name() {
            return "recent";
        }

        @Override
        public Duration horizon(PluginContext context) {
            return HORIZON;
        }

        @Override
        public Transform create(PluginContext context) {
            Map<Long, Long> counts = new LinkedHashMap<>();
            return (point, out) -> {
                counts.keySet().removeIf(timeNs -> timeNs <= point.timeNs() - HORIZON.toNanos());
                counts.merge(point.timeNs(), 1L, Long::sum);
                long sum = counts.values().stream().mapToLong(Long::longValue).sum();
                out.point(0).series().field("recent", sum).end();
            };
        }
    }

    @Nested
    final class Block extends TransformContract {
        @Override
        protected TransformType type() {
            return new FencedTransform.Type(fence(TransformType.class, new Recent()), new Recent());
        }

        @Override
        protected Record settings() {
            return new NoSettings();
        }

        @Override
        protected List<KitPoint> points() {
            return List.of(
                    KitPoint.of("cpu", 1_000_000_000L).field("value", 1),
                    KitPoint.of("cpu", 2_000_000_000L).field("value", 2),
                    KitPoint.of("cpu", 30_000_000_000L).field("value", 3));
        }
    }

    /** State of {@link Sum}. */
    static final class Seen {
        private double sum;
    }

    private static final class Sum implements Aggregator<Seen> {
        @Override
        public String name() {
            return "own_sum";
        }

        @Override
        public Seen create() {
            return new Seen();
        }

        @Override
        public void fold(Seen state, double value, long timeNs) {
            state.sum += value;
        }

        @Override
        public void merge(Seen into, Seen from) {
            into.sum += from.sum;
        }

        @Override
        public double result(Seen state) {
            return state.sum;
        }
    }

    @Nested
    final class Function extends AggregatorContract<Seen> {
        @Override
        protected Aggregator<Seen> aggregator() {
            return new FencedAggregator<>(fence(Aggregator.class, new Sum()), new Sum());
        }

        @Override
        protected double tolerance() {
            return 1e-3;
        }
    }

    /** Parser of lines with a single integer. */
    private static final class Numbers implements ParserType, Parser {
        private static final byte[] NAME = {'n'};

        @Override
        public String name() {
            return "numbers";
        }

        @Override
        public Parser create(PluginContext context) {
            return this;
        }

        @Override
        public boolean parse(Chunk chunk, PointSink sink) {
            byte[] bytes = chunk.bytes();
            int end = lineEnd(chunk);
            while (end >= 0) {
                if (!sink.begin(end - chunk.offset())) {
                    return false;
                }
                String line = new String(
                        bytes, chunk.offset(), end - chunk.offset(), java.nio.charset.StandardCharsets.US_ASCII);
                if (line.matches("\\d{1,9}")) {
                    sink.metric(NAME, 0, 1);
                    sink.field(NAME, 0, 1, FieldType.LONG.code(), Long.parseLong(line));
                    sink.end();
                } else {
                    sink.reject(bytes, chunk.offset(), end - chunk.offset(), chunk.line(), "no number");
                }
                chunk.consumedTo(Math.min(end + 1, chunk.limit()), 1);
                end = lineEnd(chunk);
            }
            return true;
        }

        private static int lineEnd(Chunk chunk) {
            for (int i = chunk.offset(); i < chunk.limit(); i++) {
                if (chunk.bytes()[i] == '\n') {
                    return i;
                }
            }
            return chunk.last() && !chunk.isEmpty() ? chunk.limit() : -1;
        }

        @Override
        public void close() {}
    }

    @Nested
    final class Protocol extends ParserContract {
        @Override
        protected ParserType type() {
            return new ParserType() {
                @Override
                public String name() {
                    return "numbers";
                }

                @Override
                public Parser create(PluginContext context) {
                    return new FencedParser(fence(ParserType.class, new Numbers()), new Numbers());
                }
            };
        }

        @Override
        protected Record settings() {
            return new NoSettings();
        }

        @Override
        protected String good() {
            return "1\n22\n333\n";
        }

        @Override
        protected String withABadPoint() {
            return "1\ntwo\n3\n";
        }
    }

    /** Store in memory; the rows outlive the instance. */
    private static final class Kept implements VerifiableStore {
        private final Map<List<Object>, Row> rows;

        Kept(Map<List<Object>, Row> rows) {
            this.rows = rows;
        }

        @Override
        public String name() {
            return "kept";
        }

        private static List<Object> key(Row row) {
            return List.of(row.metric(), row.tags(), row.timeMs(), row.isLong());
        }

        @Override
        public void write(List<Row> batch) {
            batch.forEach(row -> rows.put(key(row), row));
        }

        @Override
        public List<Row> read(List<Row> written) {
            return written.stream()
                    .map(row -> rows.get(key(row)))
                    .filter(Objects::nonNull)
                    .toList();
        }
    }

    @Nested
    final class Rows extends StoreContract {
        private final Map<List<Object>, Row> rows = new LinkedHashMap<>();

        @Override
        protected Store store() {
            return FencedStore.of(
                    fence(Store.class, new Kept(rows)),
                    () -> new Kept(rows),
                    new PluginContext("kept", Map.of()),
                    Duration.ofSeconds(30));
        }

        @Override
        protected Record settings() {
            return new NoSettings();
        }

        @Override
        protected List<String> stored(String metric) {
            return rows.values().stream()
                    .filter(row -> row.metric().equals(metric))
                    .map(Row::toString)
                    .toList();
        }
    }
}
