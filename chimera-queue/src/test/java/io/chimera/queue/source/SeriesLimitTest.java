package io.chimera.queue.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.access.AccessControl;
import io.chimera.common.access.PortAccess;
import io.chimera.common.channel.HttpRefusal;
import io.chimera.common.channel.MemoryExchange;
import io.chimera.common.config.SeriesConfig;
import io.chimera.common.config.binding.Sections;
import io.chimera.common.metrics.AccessCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.queue.parser.InfluxLineParser;
import io.chimera.queue.parser.KairosJsonParser;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Limits of series per input and sender, and the answers beyond these limits. */
final class SeriesLimitTest {
    private static final String AGENT = "10.0.0.1";
    private static final String OTHER = "10.0.0.2";

    @TempDir
    Path folder;

    private SourceRig rig;
    private SeriesTracker tracker;
    private InfluxHttpSource source;

    @BeforeEach
    void setUp() {
        rig = new SourceRig(folder, 64, 1 << 16);
        limit(new SeriesConfig(10, 5, 8, 3, Duration.ofHours(1)));
    }

    private void limit(SeriesConfig limits) {
        tracker = new SeriesTracker("in", limits, AccessControl.open(rig.clock), rig.clock, rig.counters);
        source = new InfluxHttpSource(rig.inlet(InfluxLineParser::new).limitedBy(tracker));
    }

    /** Lines of series with different values of the tag request. */
    private static String lines(int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(i -> "m,host=a,request=r" + i + " f=1")
                .collect(Collectors.joining("\n"));
    }

    private MemoryExchange write(String from, String body) {
        MemoryExchange exchange =
                new MemoryExchange("POST", "/write").from(from).body(body);
        assertThat(source.handle(exchange)).isTrue();
        rig.journal();
        return exchange;
    }

    private void learned() {
        rig.clock.advanceMs(TimeUnit.NANOSECONDS.toMillis(SeriesTracker.LEARNING_NS));
    }

    @Test
    void answers429AndNamesTheTagWhenAllPointsAreOfNewSeriesBeyondTheLimit() {
        assertThat(write(AGENT, lines(0, 8)).status()).isEqualTo(204);
        assertThat(write(OTHER, lines(8, 10)).status()).isEqualTo(204);

        MemoryExchange refused = write(OTHER, lines(10, 12));

        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.answerHeader("Retry-After")).isEqualTo("60");
        assertThat(refused.answer())
                .contains("too many new series", "limits.series.max", "new series: request (about 1");
        assertThat(rig.count(QueueCounter.SOURCE_SERIES_NEW)).isEqualTo(10);
        assertThat(rig.count(QueueCounter.SOURCE_SERIES_REFUSED)).isEqualTo(2);
        assertThat(write(AGENT, lines(0, 8)).status()).as("known series go on").isEqualTo(204);
        assertThat(tracker.status().known()).isEqualTo(10);
        assertThat(tracker.status().reason()).contains("request");
        assertThat(tracker.status().tags().keySet()).first().isEqualTo("request");
    }

    /** Status 429 would make the sender write the accepted points a second time. */
    @Test
    void answers400WhenAPartOfThePointsWasTaken() {
        MemoryExchange partial = write(AGENT, lines(0, 9));

        assertThat(partial.status()).isEqualTo(400);
        assertThat(partial.answer()).contains("partial write", "limits.series.sender_max", "dropped=1");
        assertThat(rig.points).hasSize(8);
    }

    @Test
    void oneSenderCannotTakeTheSeriesOfOthers() {
        assertThat(write(AGENT, lines(0, 8)).status()).isEqualTo(204);

        assertThat(write(AGENT, lines(8, 9)).answer()).contains("limits.series.sender_max");
        assertThat(write(OTHER, lines(8, 9)).status()).isEqualTo(204);
    }

    @Test
    void limitsTheRateOfNewSeriesAfterTheSeriesOfAStartHaveCome() {
        write(AGENT, lines(0, 4));
        learned();

        assertThat(write(AGENT, lines(4, 8)).answer()).contains("limits.series.sender_per_minute", "dropped=1");
        assertThat(write(OTHER, lines(8, 11)).answer()).contains("limits.series.per_minute", "dropped=1");
        rig.clock.advanceMs(60_000);
        assertThat(write(AGENT, lines(20, 21)).status()).isEqualTo(204);
    }

    @Test
    void forgetsSeriesThatNobodySends() {
        write(AGENT, lines(0, 8));
        for (int i = 0; i < 2; i++) {
            rig.clock.advanceMs(TimeUnit.HOURS.toMillis(1));
            write(AGENT, lines(0, 2)); // requested again after the end of a window
            write(OTHER, lines(100 + i, 101 + i));
            write(AGENT, lines(0, 2));
        }

        assertThat(tracker.status().known()).isEqualTo(4);
        rig.clock.advanceMs(60_000);
        assertThat(write(AGENT, lines(30, 33)).status()).isEqualTo(204);
    }

    @Test
    void aPrincipalHasItsOwnQuotaWhateverItsAddress() throws Exception {
        String token = "ab".repeat(32);
        String sha256 = HexFormat.of()
                .formatHex(MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
        Path file = Files.writeString(
                folder.resolve("tokens.yaml"),
                "tokens: { agent: { sha256: %s, roles: [ingest], new_series: 2 } }".formatted(sha256));
        AccessControl access = new AccessControl(file, rig.clock, new Counters<>(AccessCounter.class), null);
        tracker = new SeriesTracker(
                "in",
                Sections.of(SeriesConfig.class, "max", 0, "per_minute", 0, "sender_max", 0, "sender_per_minute", 0),
                access,
                rig.clock,
                rig.counters);
        source = new InfluxHttpSource(rig.inlet(InfluxLineParser::new)
                .guardedBy(new PortAccess(access, "in", List.of()))
                .limitedBy(tracker));

        assertThat(authorized(AGENT, token, lines(0, 2)).status()).isEqualTo(204);
        assertThat(authorized(OTHER, token, lines(2, 4)).answer()).contains("quota new_series of agent");
        rig.clock.advanceMs(TimeUnit.MINUTES.toMillis(31));
        assertThat(authorized(OTHER, token, lines(2, 3)).status()).isEqualTo(204);
    }

    private MemoryExchange authorized(String from, String token, String body) {
        MemoryExchange exchange = new MemoryExchange("POST", "/write")
                .from(from)
                .header("authorization", "Bearer " + token)
                .body(body);
        HttpRefusal refusal = source.admit(exchange);
        assertThat(refusal == null ? "" : new String(refusal.body(), StandardCharsets.UTF_8))
                .isEmpty();
        assertThat(source.handle(exchange)).isTrue();
        rig.journal();
        return exchange;
    }

    @Test
    void zeroIsNoLimit() {
        limit(Sections.of(SeriesConfig.class, "max", 0, "per_minute", 0, "sender_max", 0, "sender_per_minute", 0));
        learned();

        assertThat(write(AGENT, lines(0, 200)).status()).isEqualTo(204);
    }

    @Test
    void kairosDbIsRefusedInItsOwnWords() {
        KairosHttpSource kairos =
                new KairosHttpSource(rig.inlet(KairosJsonParser::new).limitedBy(tracker));
        write(AGENT, lines(0, 8));
        write(OTHER, lines(8, 10));
        MemoryExchange exchange = new MemoryExchange("POST", "/api/v1/datapoints")
                .body("[{\"name\":\"m\",\"tags\":{\"user\":\"u1\"},\"timestamp\":1,\"value\":1}]");

        assertThat(kairos.handle(exchange)).isTrue();
        rig.journal();

        assertThat(exchange.status()).isEqualTo(429);
        assertThat(exchange.answer()).contains("\"errors\"", "limits.series.max");
    }

    @Test
    void datagramsOfNewSeriesBeyondTheLimitAreCountedAndLeaveNoDeadLetters() throws Exception {
        DatagramSource udp = new DatagramSource(rig.inlet(InfluxLineParser::new).limitedBy(tracker), 1);
        byte[] bytes = lines(0, 20).getBytes(StandardCharsets.UTF_8);

        udp.onDatagram(bytes, 0, bytes.length, new InetSocketAddress(InetAddress.getLoopbackAddress(), 1));
        udp.onReadComplete();
        rig.journal();

        assertThat(rig.points).hasSize(8);
        assertThat(rig.count(QueueCounter.SOURCE_SERIES_REFUSED)).isEqualTo(12);
        assertThat(rig.count(QueueCounter.PARSER_POINTS_REJECTED)).isEqualTo(12);
        assertThat(rig.deadLetters.doWork()).isZero();
    }

    /** Thousands of refused series and senders do not increase memory. */
    @Test
    void tracksNoMoreThanItsBounds() {
        limit(Sections.of(SeriesConfig.class, "max", 1_000, "per_minute", 0, "sender_max", 0, "sender_per_minute", 0));
        for (int i = 0; i < SeriesTracker.SENDERS_MAX + 1_000; i++) {
            write("10.1." + (i >> 8) + "." + (i & 255), "m,request=r" + i + " f=1");
        }

        assertThat(tracker.status().known()).isEqualTo(1_000);
        assertThat(tracker.places()).isLessThanOrEqualTo(4_096);
        assertThat(tracker.senders()).isLessThanOrEqualTo(SeriesTracker.SENDERS_MAX + 1);
        assertThat(tracker.status().tags()).containsKey("request");
        assertThat((double) tracker.status().tags().get("request"))
                .isBetween(0.7 * SeriesTracker.SENDERS_MAX, 1.5 * SeriesTracker.SENDERS_MAX);
    }
}
