package io.chimera.dataset.format.packet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.chimera.dataset.format.ByteRange;
import io.chimera.dataset.format.MemoryObject;
import io.chimera.dataset.format.PointTextSink;
import io.chimera.dataset.format.codec.CodecLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The packets of public captures as tshark shows them, also from files that mergecap and tshark write. */
final class PacketToolsIT {
    private static final Path CAPTURES =
            Path.of(System.getProperty("basedir", ""), "../chimera-flow/src/test/resources/io/chimera/flow/captures");

    private static final PacketFormat FORMAT = new PacketFormat(
            CaptureSamples.mapping(
                    List.of("source", "destination", "vlan"),
                    List.of("length", "protocol", "source_port", "destination_port", "tcp_flags")),
            null,
            CodecLimits.DEFAULT);

    /** Field of tshark by the text that we write before its value. */
    private static final List<String[]> FIELDS = List.of(
            new String[] {"ip.src", ",source="},
            new String[] {"ipv6.src", ",source="},
            new String[] {"ip.dst", ",destination="},
            new String[] {"ipv6.dst", ",destination="},
            new String[] {"vlan.id", ",vlan="},
            new String[] {"frame.len", " length="},
            new String[] {"tcp.srcport", " source_port="},
            new String[] {"udp.srcport", " source_port="},
            new String[] {"tcp.dstport", " destination_port="},
            new String[] {"udp.dstport", " destination_port="},
            new String[] {"tcp.flags", " tcp_flags="});

    @TempDir
    Path folder;

    @BeforeAll
    static void needsTools() throws Exception {
        assumeTrue(isInstalled("tshark") && isInstalled("mergecap"), "tshark and mergecap are not installed");
    }

    private static boolean isInstalled(String tool) {
        return Files.isExecutable(Path.of("/usr/bin", tool));
    }

    static List<Path> captures() throws IOException {
        try (Stream<Path> files = Files.list(CAPTURES)) {
            return files.filter(file -> file.toString().matches(".*\\.pcap(ng)?"))
                    .sorted()
                    .toList();
        }
    }

    private static List<String> run(String... command) throws Exception {
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        List<String> lines = new String(process.getInputStream().readAllBytes(), UTF_8)
                .lines()
                .toList();
        assertThat(process.waitFor()).as(String.join(" ", command)).isZero();
        return lines;
    }

    /** Asks for the outermost headers, and for fragments as they are. */
    private static List<String> tshark(Path file) throws Exception {
        List<String> command = new ArrayList<>(List.of("tshark", "-n", "-r", file.toString(), "-T", "fields"));
        command.addAll(List.of("-E", "separator=/t", "-E", "occurrence=f", "-o", "ip.defragment:FALSE"));
        command.addAll(List.of("-o", "ipv6.defragment:FALSE", "-e", "frame.time_epoch"));
        FIELDS.forEach(field -> command.addAll(List.of("-e", field[0])));
        return run(command.toArray(String[]::new));
    }

    private static void agrees(String point, String line) {
        String[] values = line.split("\t", -1);
        assertThat(point).endsWith(" " + values[0].replace(".", ""));
        boolean isTunnel = !values[1].isEmpty() && !values[2].isEmpty(); // tshark shows the inner headers, too
        for (int i = 0; i < FIELDS.size(); i++) {
            String value = values[i + 1];
            String field = FIELDS.get(i)[0];
            boolean isOuter = field.startsWith("ip.") || field.startsWith("frame.");
            if (!value.isEmpty() && (isOuter || !isTunnel)) {
                String number = value.startsWith("0x") ? "" + Integer.decode(value) : value;
                assertThat(point).containsPattern(FIELDS.get(i)[1] + Pattern.quote(number) + "[,( ]");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("captures")
    void packetsAreThoseOfTshark(Path file) throws Exception {
        byte[] bytes = Files.readAllBytes(file);
        List<String> expected = tshark(file);

        PointTextSink found = PointTextSink.of(
                FORMAT, new MemoryObject(file.getFileName().toString(), bytes), new ByteRange(0, bytes.length));

        assertThat(found.rejects).isEmpty();
        assertThat(found.points).hasSameSizeAs(expected);
        for (int i = 0; i < expected.size(); i++) {
            agrees(found.points.get(i), expected.get(i));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"pcap", "nsecpcap", "pcapng"})
    void splitsOfALargeCaptureHaveEachPacketOnce(String type) throws Exception {
        Path large = folder.resolve("large");
        List<String> command = new ArrayList<>(List.of("mergecap", "-a", "-F", type, "-w", large.toString()));
        for (int i = 0; i < 30; i++) {
            command.add(CAPTURES.resolve("mongodb.pcap").toString());
            command.add(CAPTURES.resolve("http_ipv6.pcap").toString());
            command.add(CAPTURES.resolve("vxlan.pcap").toString());
        }
        run(command.toArray(String[]::new));
        byte[] bytes = Files.readAllBytes(large);
        MemoryObject object = new MemoryObject("large", bytes);
        List<ByteRange> ranges = FORMAT.splits(object, bytes.length / 5);
        PointTextSink found = new PointTextSink();
        int splitsWithPackets = 0;
        for (ByteRange range : ranges) {
            int before = found.points.size();
            found.read(FORMAT, object, range);
            splitsWithPackets += found.points.size() > before ? 1 : 0;
        }

        List<String> expected = tshark(large);
        assertThat(found.points).hasSameSizeAs(expected);
        assertThat(splitsWithPackets).isGreaterThan(2);
        for (int i = 0; i < expected.size(); i++) {
            agrees(found.points.get(i), expected.get(i));
        }
    }

    /** A file that tcpdump writes is read like the file that tcpdump read. */
    @Test
    void filesOfTcpdump() throws Exception {
        assumeTrue(isInstalled("tcpdump"), "tcpdump is not installed");
        Path source = CAPTURES.resolve("mongodb.pcap");
        Path copy = folder.resolve("copy.pcap");
        run("tcpdump", "-r", source.toString(), "-w", copy.toString());
        byte[] bytes = Files.readAllBytes(copy);

        PointTextSink found =
                PointTextSink.of(FORMAT, new MemoryObject("copy.pcap", bytes), new ByteRange(0, bytes.length));

        assertThat(found.points).isNotEmpty().hasSameSizeAs(tshark(copy));
    }
}
