package io.chimera.apps.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.chimera.archive.query.ArchiveSettings;
import io.chimera.archive.query.PacketArchive;
import io.chimera.archive.streamfs.FormatSettings;
import io.chimera.common.agent.Clock;
import io.chimera.common.agent.SystemClock;
import io.chimera.common.channel.MemoryExchange;
import io.chimera.common.metrics.ArchiveCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.jni.capture.CaptureOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class QueryServiceTest {
    private static final String TRAFFIC = "src/test/resources/io/chimera/apps/flows/captures/dns_fragmented.pcap";
    private static final int MAGIC_US = 0xA1B2C3D4;
    private static final int MAGIC_NS = 0xA1B23C4D;
    private static final int FILE_HEADER = 24;

    private final Clock clock = new SystemClock();
    private final Counters<ArchiveCounter> counters = new Counters<>(ArchiveCounter.class);

    @TempDir
    private Path folder;

    private Volume volume;
    private QueryService service;

    @BeforeEach
    void record() {
        List<String> devices = List.of(folder.resolve("volume").toString());
        Volume.create(devices, 64 << 20, FormatSettings.DEFAULT, new Random(1));
        volume = Volume.open(devices, clock);
        PacketArchive archive = new PacketArchive(volume.store(), ArchiveSettings.of("packets", 0), clock, counters);
        RecordedSource source = new RecordedSource(List.of(CaptureOptions.of("file:" + TRAFFIC)), archive, counters);
        try (Recorder recorder = new Recorder(volume.store(), List.of(source), clock)) {
            volume.show(recorder.streams());
            while (!recorder.isAtEnd()) {
                recorder.doWork();
            }
            while (!recorder.end()) {
                recorder.doWork();
            }
        }
        service = new QueryService(volume, clock, counters);
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
    void answersToolsOfStenographerWithinTheirLimits() {
        MemoryExchange exchange =
                new MemoryExchange("POST", QueryService.STENOGRAPHER_PATH).body("udp && before 1s ago");
        assertThat(magic(ask(exchange))).isEqualTo(MAGIC_US);
        assertThat(counters.get(ArchiveCounter.QUERY_PACKETS)).isGreaterThan(3);

        MemoryExchange limited = new MemoryExchange("POST", QueryService.STENOGRAPHER_PATH)
                .header("steno-limit-bytes", "100")
                .body("udp");
        assertThat(ask(limited).answerBytes()).hasSize(100);
        MemoryExchange empty = new MemoryExchange("POST", QueryService.STENOGRAPHER_PATH)
                .header("steno-limit-packets", "0")
                .body("udp");
        assertThat(ask(empty).answerBytes()).hasSize(FILE_HEADER);
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
