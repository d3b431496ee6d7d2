package io.chimera.node.archive;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.JsonNode;
import io.chimera.archive.index.Index;
import io.chimera.archive.index.key.IndexKey;
import io.chimera.archive.index.record.IndexSettings;
import io.chimera.archive.query.ArchiveSettings;
import io.chimera.archive.query.ArchiveStream;
import io.chimera.archive.query.key.PacketKeys;
import io.chimera.archive.server.RecordedVolume;
import io.chimera.archive.server.volume.Volume;
import io.chimera.archive.streamfs.store.StreamSettings;
import io.chimera.archive.streamfs.store.StreamStatus;
import io.chimera.archive.streamfs.store.StreamStore;
import io.chimera.common.agent.SystemClock;
import io.chimera.common.metrics.ArchiveCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.node.Invocation;
import io.chimera.node.Json;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

final class ArchiveCommandTest {
    private static final String TRAFFIC =
            "../chimera-flow/src/test/resources/io/chimera/flow/captures/dns_fragmented.pcap";

    private static final long BLOCK_BYTES = 1 << 20;

    @TempDir
    private Path folder;

    private String volume;

    @BeforeEach
    void create() {
        volume = folder.resolve("volume").toString();
        run("archive", "create", volume, "--size", "64MiB");
    }

    @Test
    void whatWasRecordedIsFound() throws IOException {
        JsonNode recorded = Json.read("record", run("archive", "record", "--read", TRAFFIC, "--to", volume, "--json"));
        JsonNode counted = Json.read("query", run("archive", "query", "udp", "--in", volume, "--count"));
        int packets = CaptureFile.read(Path.of(TRAFFIC)).size();

        assertThat(recorded.path("archive_packets").asInt()).isEqualTo(packets);
        assertThat(counted.path("packets").asInt()).isBetween(1, packets);
        assertThat(run("archive", "query", "udp", "--in", volume).lines())
                .hasSize(counted.path("packets").asInt())
                .allMatch(line -> line.contains(" packets ") && line.endsWith(" bytes"));
        assertThat(run("archive", "query", "udp and limit 2", "--in", volume, "--json")
                        .lines())
                .hasSize(3)
                .first()
                .satisfies(line -> assertThat(
                                Json.read("line", line).path("protocol").asInt())
                        .isEqualTo(17));
    }

    @Test
    void aFileRecordedTwiceIsThereTwice() throws IOException {
        run("archive", "record", "--read", TRAFFIC, "--read", TRAFFIC, "--to", volume);
        run("archive", "record", "--read", TRAFFIC, "--to", volume, "--stream", "other");
        int packets = CaptureFile.read(Path.of(TRAFFIC)).size();

        assertThat(count("")).isEqualTo(3 * packets);
        assertThat(count("stream other")).isEqualTo(packets);
        assertThat(run("archive", "ls", volume)).contains("packets.index", "other.index");
        JsonNode stat = Json.read("stat", run("archive", "stat", volume, "--json"));
        assertThat(stat.path("bytes").asLong()).isPositive();
        assertThat(run("archive", "dump", volume, "--stream", "other")).contains(" packets of link type 1 ");
    }

    @Test
    void aStreamThatIsRemovedIsGoneWithItsIndexAndMayBeMadeAnew() throws IOException {
        int packets = CaptureFile.read(Path.of(TRAFFIC)).size();
        run("archive", "record", "--read", TRAFFIC, "--to", volume, "--guarantee", "16MiB");
        run("archive", "record", "--read", TRAFFIC, "--to", volume, "--stream", "other", "--guarantee", "1MiB");

        run("archive", "rm", "packets", "--in", volume);

        assertThat(run("archive", "ls", volume)).doesNotContain("packets.index").contains("other.index");
        assertThat(count("")).isEqualTo(packets);
        run("archive", "record", "--read", TRAFFIC, "--to", volume, "--guarantee", "16MiB");
        assertThat(count("")).isEqualTo(2 * packets);
        assertThat(count("stream packets")).isEqualTo(packets);
        Invocation refused = Invocation.of("archive", "rm", "nobody", "--in", volume);
        assertThat(refused.exitCode()).isOne();
        assertThat(refused.err()).contains("There is no stream nobody");
    }

    private int count(String question) {
        return Json.read("query", run("archive", "query", question, "--in", volume, "--count"))
                .path("packets")
                .asInt();
    }

    @Test
    void anIndexOfOtherKeysBarsNothingAndIsToldOfOnce() throws IOException {
        recordWithOtherKeys();
        run("archive", "record", "--read", TRAFFIC, "--to", volume, "--stream", "other");
        int packets = CaptureFile.read(Path.of(TRAFFIC)).size();
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        Logger logger = (Logger) LoggerFactory.getLogger(Index.class);
        logger.addAppender(lines);
        try {
            assertThat(run("archive", "ls", volume)).contains("packets.index", "other.index");
            run("archive", "stat", volume);
            run("archive", "check", volume);
            run("archive", "dump", volume, "--stream", "packets");
            assertThat(lines.list).isEmpty();

            assertThat(count("")).isEqualTo(2 * packets);
            assertThat(count("stream other and udp")).isEqualTo(count("stream packets and udp"));
            assertThat(lines.list)
                    .hasSize(3)
                    .extracting(ILoggingEvent::getFormattedMessage)
                    .allSatisfy(
                            line -> assertThat(line).contains("packets.index", "other keys", "'after' and 'before'"));
            lines.list.clear();

            run("archive", "record", "--read", TRAFFIC, "--to", volume, "--stream", "packets");
            assertThat(lines.list).hasSize(1);
            lines.list.clear();
            assertThat(count("stream packets")).isEqualTo(2 * packets);
            assertThat(lines.list).isEmpty();
        } finally {
            logger.detachAppender(lines);
        }
    }

    private void recordWithOtherKeys() {
        List<IndexKey> others = PacketKeys.keys().stream()
                .map(key -> key.kind() == IndexKey.Kind.EXACT ? IndexKey.exact(key.name() + "-then") : key)
                .toList();
        ArchiveSettings settings = new ArchiveSettings(
                "packets",
                0,
                ArchiveSettings.INTERVAL_BYTES_DEFAULT,
                ArchiveSettings.INTERVAL_AGE_DEFAULT,
                IndexSettings.of(others));
        try (Volume opened = Volume.open(List.of(volume), new SystemClock())) {
            RecordedVolume.record(opened, settings, new SystemClock(), new Counters<>(ArchiveCounter.class));
        }
    }

    @Test
    void aQuestionIsExplainedInsteadOfAnswered() {
        run("archive", "record", "--read", TRAFFIC, "--to", volume);
        assertThat(run("archive", "query", "port 53 and greater 10", "--in", volume, "--explain"))
                .contains("filter on all items read: port 53 and greater 10")
                .contains("index lookup: ")
                .contains("port 53")
                .contains("skipped by level 1");
        JsonNode json = Json.read("explain", run("archive", "query", "udp", "--in", volume, "--explain", "--json"));
        assertThat(json.path("streams").path(0).path("index").asText()).isEqualTo("protocol 17");
        assertThat(json.path("streams").path(0).path("intervals_read").asInt()).isOne();
        assertThat(Invocation.of("archive", "query", "udp", "--in", volume, "--explain", "--count")
                        .exitCode())
                .isEqualTo(2);
    }

    @Test
    void whatCameBeforeADamagedFileIsKept() throws IOException {
        Path damaged = folder.resolve("damaged.pcap");
        byte[] content = Files.readAllBytes(Path.of(TRAFFIC));
        Files.write(damaged, Arrays.copyOf(content, content.length - 1));
        Invocation record =
                Invocation.of("archive", "record", "--read", TRAFFIC, "--read", damaged.toString(), "--to", volume);
        assertThat(record.exitCode()).isOne();
        assertThat(record.err()).contains("damaged.pcap");
        assertThat(count("")).isEqualTo(2 * CaptureFile.read(Path.of(TRAFFIC)).size() - 1);
    }

    @Test
    void aFileThatIsNotThereIsNamedAndWhatCameBeforeItIsKept() throws IOException {
        String missing = folder.resolve("missing.pcap").toString();
        Invocation record = Invocation.of("archive", "record", "--read", TRAFFIC, "--read", missing, "--to", volume);
        assertThat(record.exitCode()).isOne();
        assertThat(record.err()).contains("missing.pcap").doesNotContain("Internal error");
        assertThat(count("")).isEqualTo(CaptureFile.read(Path.of(TRAFFIC)).size());
    }

    @Test
    void aStreamKeepsItsGuaranteeUntilAnotherIsNamed() {
        run("archive", "record", "--read", TRAFFIC, "--to", volume, "--guarantee", "16MiB");
        String before = guarantees();
        assertThat(before).isEqualTo("packets 16777216, packets.index 1677721");
        run("archive", "record", "--read", TRAFFIC, "--to", volume);
        assertThat(guarantees()).isEqualTo(before);
        run("archive", "record", "--read", TRAFFIC, "--to", volume, "--guarantee", "0");
        assertThat(guarantees()).isEqualTo("packets 0, packets.index 0");
    }

    @Test
    void anIndexKeepsItsGuaranteeWhereItsShareDoesNotFitAnyMore() {
        long most = guarantee(0, 0);
        long data = most * 16 / 17; // the index had a share of a sixteenth in an earlier version
        guarantee(data, most - data);
        String full = guarantees();
        run("archive", "record", "--read", TRAFFIC, "--to", volume);
        assertThat(guarantees())
                .isEqualTo(full)
                .isEqualTo("packets " + data * BLOCK_BYTES + ", packets.index " + (most - data) * BLOCK_BYTES);
    }

    @Test
    void aGuaranteeWhoseIndexDoesNotFitIsRefusedAndChangesNothing() {
        long most = guarantee(0, 0);
        guarantee(most / 2, 1);
        String before = guarantees();
        Invocation record = Invocation.of(
                "archive", "record", "--read", TRAFFIC, "--to", volume, "--guarantee", most * 16 / 17 + "MiB");
        assertThat(record.exitCode()).isOne();
        assertThat(record.err()).contains("'packets.index' cannot be guaranteed");
        assertThat(guarantees()).isEqualTo(before);
    }

    /** Guarantees blocks to data and index. Returns the maximum for both. */
    private long guarantee(long dataBlocks, long indexBlocks) {
        try (Volume opened = Volume.open(List.of(volume), new SystemClock())) {
            StreamStore store = opened.store();
            store.open(new StreamSettings("packets", ArchiveStream.PACKETS, dataBlocks * BLOCK_BYTES));
            store.open(new StreamSettings("packets.index", ArchiveStream.INDEX_KIND, indexBlocks * BLOCK_BYTES));
            return store.status().guaranteeBytesMax() / BLOCK_BYTES;
        }
    }

    private String guarantees() {
        try (Volume opened = Volume.open(List.of(volume), new SystemClock())) {
            return opened.store().streams().stream()
                    .map(StreamStatus::settings)
                    .map(settings -> settings.name() + " " + settings.guaranteeBytes())
                    .collect(Collectors.joining(", "));
        }
    }

    @Test
    void aCaptureFileIsNotTouchedBeforeTheQuestionIsTaken() throws IOException {
        Path answer = Files.writeString(folder.resolve("answer.pcap"), "of yesterday");
        String pcap = answer.toString();
        Invocation missing = Invocation.of("archive", "query", "udp", "--in", volume + "-not", "--pcap", pcap);
        assertThat(missing.exitCode()).isOne();
        assertThat(answer).hasContent("of yesterday");
        Invocation unknown = Invocation.of("archive", "query", "stream none", "--in", volume, "--pcap", pcap);
        assertThat(unknown.exitCode()).isOne();
        assertThat(answer).hasContent("of yesterday");
        Invocation nobody = Invocation.of("archive", "query", "udp", "--http", "127.0.0.1:1", "--pcap", pcap);
        assertThat(nobody.exitCode()).isOne();
        assertThat(answer).hasContent("of yesterday");
    }

    @Test
    void checkSaysWhereAVolumeIsDamaged() throws IOException {
        run("archive", "record", "--read", TRAFFIC, "--to", volume);
        assertThat(Invocation.of("archive", "check", volume).exitCode()).isZero();
        damage();
        Invocation check = Invocation.of("archive", "check", volume);
        assertThat(check.exitCode()).as(check.out()).isOne();
        assertThat(check.out()).contains("DAMAGED");
    }

    /** Flips one bit of a captured frame, wherever it lies in the volume. */
    private void damage() throws IOException {
        byte[] content = Files.readAllBytes(Path.of(volume));
        byte[] part = new byte[30];
        CaptureFile.read(Path.of(TRAFFIC)).get(0).bytes().get(20, part);
        for (int at = 0; at < content.length - part.length; at++) {
            if (Arrays.equals(content, at, at + part.length, part, 0, part.length)) {
                try (RandomAccessFile file = new RandomAccessFile(volume, "rw")) {
                    file.seek(at);
                    file.write(content[at] ^ 1);
                }
                return;
            }
        }
        throw new IllegalStateException("The frame is not in the volume.");
    }

    @Test
    void whatIsNotEmptyIsNotFormatted() {
        Invocation again = Invocation.of("archive", "create", volume);
        assertThat(again.exitCode()).isOne();
        assertThat(again.err()).contains("--force");
        assertThat(Invocation.of("archive", "create", volume, "--force").exitCode())
                .isZero();
    }

    @Test
    void aQuestionThatIsNotUnderstoodIsRefusedWithItsPlace() {
        Invocation query = Invocation.of("archive", "query", "hots 1.2.3.4", "--in", volume);
        assertThat(query.exitCode()).isOne();
        assertThat(query.err()).contains("At character 1");
    }

    @Test
    void aRecorderThatSaysNothingIsWaitedForAsLongAsIsAskedFor() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Invocation asked = Invocation.of(
                    "archive", "query", "udp", "--http", "127.0.0.1:" + silent.getLocalPort(), "--timeout", "200ms");
            assertThat(asked.exitCode()).isOne();
            assertThat(asked.err()).contains("sent nothing for 200ms");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "--http,127.0.0.1:1,0s,a time up to a day",
        "--cluster,127.0.0.1:1,2d,a time up to a day",
        "--in,volume,30s,not to --in"
    })
    void aTimeoutThatMeansNothingIsRefused(String option, String of, String timeout, String why) {
        Invocation asked = Invocation.of("archive", "query", "udp", option, of, "--timeout", timeout);
        assertThat(asked.exitCode()).isEqualTo(2);
        assertThat(asked.err()).contains(why);
    }

    @Test
    void aVolumeThatIsNotThereIsNamed() {
        Invocation ls = Invocation.of("archive", "ls", volume + "-not");
        assertThat(ls.exitCode()).isOne();
        assertThat(ls.err()).contains(volume + "-not");
    }

    private static String run(String... arguments) {
        Invocation invocation = Invocation.of(arguments);
        assertThat(invocation.exitCode()).as(invocation.err()).isZero();
        return invocation.out();
    }
}
