package io.chimera.queue;

import static io.chimera.common.agent.Waits.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.api.model.DataPoint;
import io.chimera.common.agent.SystemClock;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.flow.ipfix.collector.SamplePackets;
import io.chimera.flow.ipfix.exporter.ExportSettings;
import io.chimera.flow.ipfix.exporter.ExternalTool;
import io.chimera.flow.ipfix.exporter.Flows;
import io.chimera.flow.ipfix.exporter.IpfixExporter;
import io.chimera.flow.table.FlowRecord;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.ToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Interoperability with nfdump's tools and softflowd, in both directions. A test is skipped when its tool is not
 * installed.
 */
final class IpfixToolsIT {
    private static final int FLOWS = 20_000;

    /** About 480 messages at 100 per second, so that a socket buffer suffices while nfcapd is not scheduled. */
    private static final int FLOWS_BY_UDP = 5_000;

    /**
     * Seconds of one file of nfcapd, its minimum. The tool begins a new file at each multiple of this time, so a test
     * may see several files at any length, and reads the whole folder.
     */
    private static final String FILE_SECONDS = "2";

    @TempDir
    Path folder;

    private final Counters<QueueCounter> counters = new Counters<>(QueueCounter.class);

    private static ExportSettings at(ExportSettings settings, int messagesPerSecond) {
        return new ExportSettings(
                settings.transport(),
                settings.collector(),
                settings.domain(),
                settings.messageBytesMax(),
                settings.time(),
                Duration.ofMillis(100),
                settings.templatesEveryMessages(),
                messagesPerSecond,
                1,
                settings.queueBytes());
    }

    private void export(ExportSettings settings, List<Flows> flows) {
        IpfixExporter exporter = new IpfixExporter(settings, counters, new SystemClock());
        for (Flows flow : flows) {
            while (!exporter.onFlow(flow.record())) {
                exporter.doWork();
            }
            exporter.doWork();
        }
        await().until(() -> {
            exporter.doWork();
            return exporter.isDrained();
        });
        exporter.onClose();
        assertThat(counters.get(QueueCounter.IPFIX_EXPORT_RECORDS)).isEqualTo(flows.size());
        assertThat(counters.get(QueueCounter.IPFIX_EXPORT_RECORDS_DROPPED)).isZero();
    }

    private static List<Flows> flows(int count) {
        Random random = new Random(3);
        return Stream.generate(() -> Flows.random(random)).limit(count).toList();
    }

    private static long sum(List<Flows> flows, ToLongFunction<FlowRecord> count) {
        return flows.stream().map(Flows::record).mapToLong(count).sum();
    }

    private static long number(String text, String before) {
        Matcher found = Pattern.compile(before + "\\s*(\\d+)").matcher(text);
        assertThat(found.find()).as("'%s' in: %s", before, text).isTrue();
        return Long.parseLong(found.group(1));
    }

    @Test
    void nfcapdTakesEveryRecordAndMissesNoNumber() throws Exception {
        List<Flows> flows = flows(FLOWS_BY_UDP);
        Path taken = Files.createDirectory(folder.resolve("flows"));
        int port = ExternalTool.freePort();
        String said;
        try (ExternalTool nfcapd = ExternalTool.start(
                folder, "nfcapd", "-b", "127.0.0.1", "-p", "" + port, "-w", taken.toString(), "-t", FILE_SECONDS)) {
            nfcapd.awaitListening(port);
            export(at(ExportSettings.of("ipfix:udp://127.0.0.1:" + port), 100), flows);
            assertThat(ExternalTool.awaitRead(port)).as("datagrams dropped").isZero();
            said = nfcapd.stop();
        }
        assertThat(number(said, "Bad Packets:")).isZero();
        String statistics = ExternalTool.run(folder, "nfdump", "-R", taken.toString(), "-I");
        assertThat(number(statistics, "Flows:")).isEqualTo(FLOWS_BY_UDP);
        assertThat(number(statistics, "Packets:"))
                .isEqualTo(sum(flows, FlowRecord::forwardPackets) + sum(flows, FlowRecord::reversePackets));
        assertThat(number(statistics, "Bytes:"))
                .isEqualTo(sum(flows, FlowRecord::forwardBytes) + sum(flows, FlowRecord::reverseBytes));
        assertThat(number(statistics, "Sequence failures:")).isZero();
    }

    @ParameterizedTest
    @CsvSource({"5, udp", "9, udp", "10, udp", "10, tcp"})
    void softflowdsRecordsComeToTheSameSums(String version, String transport) throws Exception {
        SamplePackets packets = new SamplePackets(!version.equals("5"));
        Path capture = packets.write(folder.resolve("packets.pcap"));
        try (FlowInput input = new FlowInput(folder)) {
            int port = transport.equals("tcp") ? input.tcp.port() : input.udp.port();
            ExternalTool.run(
                    folder,
                    "softflowd",
                    "-d",
                    "-r",
                    capture.toString(),
                    "-n",
                    "127.0.0.1:" + port,
                    "-v",
                    version,
                    "-P",
                    transport,
                    "-c",
                    "none",
                    "-p",
                    folder.resolve("pid").toString());
            int flows = 2 * SamplePackets.CLIENTS; // one per direction
            await().until(() -> input.points().size() >= flows);
            assertThat(input.points()).hasSize(flows);
            assertThat(input.sum("packets")).isEqualTo(packets.packets());
            assertThat(input.sum("bytes")).isEqualTo(packets.ipBytes());
            assertThat(input.wrong()).isZero();
            DataPoint point = input.points().get(0);
            assertThat(point.toString()).contains("127.0.0.1");
        }
    }

    @Test
    void softflowdsFlowsOfBothDirectionsComeToTheSameSums() throws Exception {
        SamplePackets packets = new SamplePackets(true);
        String capture = packets.write(folder.resolve("packets.pcap")).toString();
        try (FlowInput input = new FlowInput(folder)) {
            String collector = "127.0.0.1:" + input.udp.port();
            ExternalTool.run(
                    folder,
                    "softflowd",
                    "-d",
                    "-b",
                    "-r",
                    capture,
                    "-n",
                    collector,
                    "-v",
                    "10",
                    "-c",
                    "none",
                    "-p",
                    folder.resolve("pid").toString());
            await().until(() -> input.points().size() >= SamplePackets.CLIENTS);
            assertThat(input.points()).hasSize(SamplePackets.CLIENTS);
            assertThat(input.sum("packets") + input.sum("reverse_packets")).isEqualTo(packets.packets());
            assertThat(input.sum("bytes") + input.sum("reverse_bytes")).isEqualTo(packets.ipBytes());
            assertThat(input.wrong()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"5", "9"})
    void nfreplaysRecordsComeToTheSameSums(String version) throws Exception {
        SamplePackets packets = new SamplePackets(!version.equals("5"));
        Path taken = Files.createDirectory(folder.resolve("flows"));
        String capture = packets.write(folder.resolve("packets.pcap")).toString();
        int port = ExternalTool.freePort();
        try (ExternalTool nfcapd = ExternalTool.start(
                folder, "nfcapd", "-b", "127.0.0.1", "-p", "" + port, "-w", taken.toString(), "-t", FILE_SECONDS)) {
            nfcapd.awaitListening(port);
            ExternalTool.run(
                    folder,
                    "softflowd",
                    "-d",
                    "-r",
                    capture,
                    "-n",
                    "127.0.0.1:" + port,
                    "-v",
                    "9",
                    "-c",
                    "none",
                    "-p",
                    folder.resolve("pid").toString());
            assertThat(ExternalTool.awaitRead(port)).as("datagrams dropped").isZero();
            nfcapd.stop();
        }
        String all = folder.resolve("all").toString();
        ExternalTool.run(folder, "nfdump", "-R", taken.toString(), "-w", all);
        try (FlowInput input = new FlowInput(folder)) {
            ExternalTool.run(
                    folder, "nfreplay", "-r", all, "-H", "127.0.0.1", "-p", "" + input.udp.port(), "-v", version);
            String statistics = ExternalTool.run(folder, "nfdump", "-r", all, "-I");
            long flows = number(statistics, "Flows:"); // flows read by nfcapd before its end
            await().until(() -> input.points().size() >= flows);
            assertThat(input.points()).hasSize((int) flows).isNotEmpty();
            assertThat(input.sum("packets")).isEqualTo(number(statistics, "Packets:"));
            assertThat(input.sum("bytes")).isEqualTo(number(statistics, "Bytes:"));
            assertThat(input.wrong()).isZero();
        }
    }

    @Test
    void byTcpEveryRecordComesToOurOwnInput() throws Exception {
        List<Flows> flows = flows(FLOWS);
        try (FlowInput input = new FlowInput(folder)) {
            Thread exporting = new Thread(() -> export(ExportSettings.of("ipfix:tcp://" + input.tcp), flows));
            exporting.start();
            await().until(() -> input.points().size() >= FLOWS);
            exporting.join();
            assertThat(input.points()).hasSize(FLOWS);
            assertThat(input.sum("packets")).isEqualTo(sum(flows, FlowRecord::forwardPackets));
            assertThat(input.sum("reverse_bytes")).isEqualTo(sum(flows, FlowRecord::reverseBytes));
            assertThat(input.counters.get(QueueCounter.IPFIX_RECORDS_LOST)).isZero();
            assertThat(input.wrong()).isZero();
        }
    }
}
