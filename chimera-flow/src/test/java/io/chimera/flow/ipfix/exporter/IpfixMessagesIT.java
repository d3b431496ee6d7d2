package io.chimera.flow.ipfix.exporter;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.agent.ManualClock;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.flow.ipfix.collector.SamplePackets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Messages of the exporter as tshark dissects them. The test is skipped when tshark is not installed. */
final class IpfixMessagesIT {

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource(ExportTime.class)
    void tsharkFindsNothingWrong(ExportTime time) throws Exception {
        FakeCollector collector = new FakeCollector();
        ManualClock clock = new ManualClock();
        ExportSettings udp = ExportSettings.of("ipfix:udp://127.0.0.1:4739");
        ExportSettings settings = new ExportSettings(
                udp.transport(),
                udp.collector(),
                udp.domain(),
                udp.messageBytesMax(),
                time,
                Duration.ofMillis(100),
                udp.templatesEveryMessages(),
                0,
                1,
                udp.queueBytes());
        Random random = new Random(3);
        IpfixExporter exporter = new IpfixExporter(settings, collector, new Counters<>(QueueCounter.class), clock);
        for (int i = 0; i < 2_000; i++) {
            exporter.onFlow(Flows.random(random).record());
            exporter.doWork();
            clock.advanceMs(1);
        }
        clock.advanceMs(1_000);
        exporter.doWork();
        String file = SamplePackets.writeMessages(folder.resolve("messages.pcap"), collector.messages)
                .toString();

        String wrong = ExternalTool.run(folder, "tshark", "-r", file, "-Y", "_ws.malformed or _ws.expert", "-V");
        assertThat(wrong.lines().filter(line -> !line.startsWith("Running as user")))
                .isEmpty();
        String flows = ExternalTool.run(
                folder, "tshark", "-r", file, "-T", "fields", "-E", "occurrence=a", "-e", "cflow.protocol");
        assertThat(flows.lines()
                        .filter(line -> line.matches("[0-9,]+"))
                        .flatMap(line -> Stream.of(line.split(",", -1))))
                .hasSize(2_000);
    }
}
