package io.chimera.archive.server;

import static io.chimera.common.agent.Waits.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.archive.query.QueryProgress;
import io.chimera.archive.server.volume.Volume;
import io.chimera.common.agent.Clock;
import io.chimera.common.agent.SystemClock;
import io.chimera.common.channel.MemoryExchange;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.metrics.ArchiveCounter;
import io.chimera.common.metrics.Counters;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class QueryServiceTest {
    private static final int MAGIC_US = 0xA1B2C3D4;
    private static final int MAGIC_NS = 0xA1B23C4D;
    private static final int FILE_HEADER = 24;
    private static final int PACKET_HEADER = 16;
    private static final int THREADS = 2;

    private final Clock clock = new SystemClock();
    private final Counters<ArchiveCounter> counters = new Counters<>(ArchiveCounter.class);

    @TempDir
    private Path folder;

    private Volume volume;
    private QueryService service;

    @BeforeEach
    void record() {
        volume = RecordedVolume.in(folder, clock, counters);
        service = new QueryService(volume, QueryService.TIME_MAX_DEFAULT, clock, counters);
    }

    @AfterEach
    void close() {
        service.close();
        volume.close();
    }

    @Test
    void answersWithACaptureFileUnlessAskedOtherwise() {
        MemoryExchange exchange = ask(new MemoryExchange("POST", QueryService.PATH).body("udp"));

        assertThat(exchange.status()).isEqualTo(200);
        assertThat(magic(exchange)).isEqualTo(MAGIC_NS);
        long packets = counters.get(ArchiveCounter.QUERY_PACKETS);
        assertThat(packets).isPositive();

        MemoryExchange lines = ask(new MemoryExchange("POST", QueryService.PATH)
                .with("format", "text")
                .body("udp and limit 3"));
        assertThat(lines.answer().lines()).hasSize(3).allMatch(line -> line.contains(" udp, "));
        MemoryExchange count = ask(new MemoryExchange("POST", QueryService.PATH)
                .with("format", "count")
                .body("udp"));
        assertThat(count.answer()).startsWith("{\"packets\":" + packets + ",");
    }

    @Test
    void doesNotAnswerForAnotherNode() {
        MemoryExchange other = ask(
                new MemoryExchange("POST", QueryService.PATH).with("node", "b").body("udp"));
        assertThat(other.status()).isEqualTo(409);
        assertThat(other.answer()).contains("no archive node");

        service.serve(new ClusterArchive(() -> ClusterView.NONE, null, clock, counters), "a");
        assertThat(ask(new MemoryExchange("POST", QueryService.PATH)
                                .with("node", "b")
                                .body("udp"))
                        .answer())
                .contains("archive node a");
        assertThat(ask(new MemoryExchange("POST", QueryService.PATH)
                                .with("node", "a")
                                .body("udp"))
                        .status())
                .isEqualTo(200);
    }

    @Test
    void answersToolsOfStenographerWithinTheirLimits() {
        MemoryExchange exchange =
                new MemoryExchange("POST", QueryService.STENOGRAPHER_PATH).body("udp && before 1s ago");
        assertThat(magic(ask(exchange))).isEqualTo(MAGIC_US);
        assertThat(counters.get(ArchiveCounter.QUERY_PACKETS)).isGreaterThan(3);

        MemoryExchange empty = new MemoryExchange("POST", QueryService.STENOGRAPHER_PATH)
                .header("steno-limit-packets", "0")
                .body("udp");
        assertThat(ask(empty).answerBytes()).hasSize(FILE_HEADER);
    }

    @Test
    void endsAheadOfThePacketThatDoesNotFitIntoTheBytesAskedFor() {
        byte[] whole = ask(stenographer("1000000")).answerBytes();
        int first = PACKET_HEADER
                + ByteBuffer.wrap(whole).order(ByteOrder.nativeOrder()).getInt(FILE_HEADER + 8);
        long packets = counters.get(ArchiveCounter.QUERY_PACKETS);

        assertThat(limited(FILE_HEADER + first)).isEqualTo(Arrays.copyOf(whole, FILE_HEADER + first));
        assertThat(limited(FILE_HEADER + first + 1)).hasSize(FILE_HEADER + first);
        assertThat(limited(FILE_HEADER + first - 1)).hasSize(FILE_HEADER);
        assertThat(limited(FILE_HEADER - 1)).isEmpty();
        assertThat(counters.get(ArchiveCounter.QUERY_PACKETS) - packets)
                .as("the query ends there")
                .isLessThanOrEqualTo(5);
    }

    private byte[] limited(int bytes) {
        return ask(stenographer(Integer.toString(bytes))).answerBytes();
    }

    private static MemoryExchange stenographer(String bytesMax) {
        return new MemoryExchange("POST", QueryService.STENOGRAPHER_PATH)
                .header("steno-limit-bytes", bytesMax)
                .body("udp");
    }

    /** Short answers fit into one response, long answers have left in part before the damage is known. */
    @ParameterizedTest
    @CsvSource({"pcap,3", "pcap,10000", "json,3", "json,10000", "text,3", "text,10000", "count,3", "connections,3"})
    void cutsOffAnAnswerWithDamagedIntervals(String format, int packets) {
        MemoryExchange exchange = askDamaged(format, packets);

        assertThat(exchange.isCutOff()).isTrue();
        assertThat(exchange.status()).as("never ended").isZero();
        assertThat(counters.get(ArchiveCounter.QUERY_FAILED)).isOne();
        assertThat(counters.get(ArchiveCounter.QUERY_INTERVALS_DAMAGED)).isOne();
    }

    /** The last part of an answer for a peer has the number of damaged intervals; the peer decides. */
    @Test
    void endsAnAnswerForAPeerWithTheDamage() {
        MemoryExchange exchange = askDamaged("packets", 3);

        assertThat(exchange.status()).isEqualTo(200);
        assertThat(exchange.answer()).contains("block 7");
        assertThat(counters.get(ArchiveCounter.QUERY_FAILED)).isZero();
    }

    private MemoryExchange askDamaged(String format, int packets) {
        RepeatedPackets.Interval interval = RepeatedPackets.Interval.of(volume);
        QueryProgress damage = new QueryProgress(1, 1, 0, 0, 1, "block 7", 0, 0, 0, 0, 0, 0);
        try (QueryService damaged = new QueryService(
                question -> new RepeatedPackets(interval, packets, damage),
                QueryService.TIME_MAX_DEFAULT,
                clock,
                counters)) {
            MemoryExchange exchange = new MemoryExchange("POST", QueryService.PATH)
                    .with("format", format)
                    .body("udp");
            damaged.handle(exchange);
            await().until(() -> exchange.isCutOff() || exchange.status() != 0);
            return exchange;
        }
    }

    @Test
    void answersAlsoWhereADefectMeetsTheQuestion() {
        List<Throwable> defects = List.of(new IllegalStateException("of the index"), new StackOverflowError());
        for (Throwable defect : defects) {
            try (QueryService broken = new QueryService(
                    question -> {
                        throw QueryServiceTest.<RuntimeException>unchecked(defect);
                    },
                    QueryService.TIME_MAX_DEFAULT,
                    clock,
                    counters)) {
                MemoryExchange exchange = new MemoryExchange("POST", QueryService.PATH).body("udp");
                broken.handle(exchange);
                await().until(() -> exchange.status() != 0);
                assertThat(exchange.status()).isEqualTo(500);
                assertThat(exchange.answer()).contains(defect.getClass().getSimpleName());
            }
        }
        assertThat(counters.get(ArchiveCounter.QUERY_FAILED)).isEqualTo(defects.size());
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // lets errors pass too
    private static <E extends Throwable> E unchecked(Throwable any) throws E {
        throw (E) any;
    }

    @Test
    void refusesWhatStillWaitsWhenItCloses() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(THREADS);
        CountDownLatch closing = new CountDownLatch(1);
        QueryService closed = new QueryService(
                question -> {
                    begun.countDown();
                    await().until(() -> closing.getCount() == 0);
                    return volume.ask(question);
                },
                QueryService.TIME_MAX_DEFAULT,
                clock,
                counters);
        List<MemoryExchange> exchanges = Stream.generate(
                        () -> new MemoryExchange("POST", QueryService.PATH).body("udp"))
                .limit(THREADS + 3)
                .toList();
        exchanges.forEach(closed::handle);
        begun.await();
        Thread closer = new Thread(closed::close, "closer");
        closer.start();
        await().until(() -> {
            MemoryExchange late = new MemoryExchange("POST", QueryService.PATH).body("udp");
            closed.handle(late);
            return late.status() == 503 && late.answer().contains("is stopping");
        });
        closing.countDown();
        closer.join();

        assertThat(exchanges).allSatisfy(exchange -> {
            assertThat(exchange.status()).isEqualTo(503);
            assertThat(exchange.answer()).contains("The archive is stopping.");
        });
    }

    @Test
    void explainsWhatAnAnswerTakes() {
        MemoryExchange text = ask(new MemoryExchange("POST", QueryService.PATH)
                .with("explain", "1")
                .body("udp and host 10.9.8.7"));
        assertThat(text.answer())
                .contains("index lookup: ")
                .contains("address 10.9.8.7")
                .contains("protocol 17")
                .contains("skipped by level 2");
        MemoryExchange json = ask(new MemoryExchange("POST", QueryService.PATH)
                .with("explain", "1")
                .with("format", "json")
                .body("greater 10"));
        assertThat(json.answer()).contains("\"index\":\"everything\"").contains("\"data_reads\":1,");
    }

    @Test
    void refusesATimeThatIsNoneOrTooLong() {
        for (String timeout : List.of("6m", "0s", "soon", "", "999999999999d")) {
            MemoryExchange exchange = ask(new MemoryExchange("POST", QueryService.PATH)
                    .with("timeout", timeout)
                    .body("udp"));
            assertThat(exchange.status()).as(timeout).isEqualTo(400);
            assertThat(exchange.answer()).contains("The timeout must be a duration such as 30s, at most 5m");
        }
        assertThat(ask(new MemoryExchange("POST", QueryService.PATH)
                                .header("query-timeout", "10s")
                                .body("udp"))
                        .status())
                .isEqualTo(200);
    }

    @Test
    void refusesWhatItDoesNotUnderstandWithThePlace() {
        MemoryExchange exchange = ask(new MemoryExchange("POST", QueryService.PATH).body("udp and hots 1.2.3.4"));
        assertThat(exchange.status()).isEqualTo(400);
        assertThat(exchange.answer()).contains("At character 9");
        assertThat(ask(new MemoryExchange("POST", QueryService.PATH).body("after"))
                        .status())
                .isEqualTo(400);
        assertThat(ask(new MemoryExchange("POST", QueryService.PATH)
                                .with("format", "xml")
                                .body("udp"))
                        .status())
                .isEqualTo(400);
        assertThat(ask(new MemoryExchange("POST", QueryService.PATH).body("stream none"))
                        .answer())
                .contains("packets");
        assertThat(counters.get(ArchiveCounter.QUERY_REFUSED)).isEqualTo(4);
    }

    private MemoryExchange ask(MemoryExchange exchange) {
        assertThat(service.handle(exchange)).isTrue();
        await().until(() -> exchange.status() != 0);
        return exchange;
    }

    private static int magic(MemoryExchange exchange) {
        return ByteBuffer.wrap(exchange.answerBytes())
                .order(ByteOrder.nativeOrder())
                .getInt(0);
    }
}
