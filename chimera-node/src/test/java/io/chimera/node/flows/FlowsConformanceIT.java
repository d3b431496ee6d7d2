package io.chimera.node.flows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.chimera.common.agent.Waits;
import io.chimera.node.flows.CountedFlows.Count;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Flows of public captures match nfdump and tshark, packet for packet and byte for byte. */
final class FlowsConformanceIT {
    private static final Path CAPTURES = Path.of("../chimera-flow/src/test/resources/io/chimera/flow/captures");
    private static final Path SCRIPT = Path.of("../scripts/flows-expected");

    /** Captures with tunnels decoded by nfpcapd. */
    private static final Set<String> INSIDE_FOR_NFDUMP = Set.of("6in4tunnel.pcap");

    /** Captures with tunnels; tshark counts conversations at every level of a tunnel. */
    private static final Set<String> ADDRESSES_ONLY_FOR_TSHARK = Set.of("6in4tunnel.pcap", "teredo.pcap", "vxlan.pcap");

    @TempDir
    private Path folder;

    static Stream<String> captures() throws IOException {
        try (Stream<Path> files = Files.list(CAPTURES)) {
            List<String> names = files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".pcap") || name.endsWith(".pcapng"))
                    .sorted()
                    .toList();
            return names.stream();
        }
    }

    @ParameterizedTest
    @MethodSource("captures")
    void agreesWithWhatTheToolsSaid(String name) throws IOException {
        agree(name, CAPTURES);
    }

    @ParameterizedTest
    @MethodSource("captures")
    void agreesWithWhatTheToolsSayHere(String name) throws IOException, InterruptedException {
        for (String tool : List.of("nfpcapd", "nfcapd", "nfdump", "softflowd", "tshark")) {
            assumeTrue(isInstalled(tool), tool + " is not installed; scripts/setup --bench does it");
        }
        Process asking = new ProcessBuilder(
                        "bash", SCRIPT.toString(), CAPTURES.resolve(name).toString(), folder.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        boolean hasEnded = asking.waitFor(Waits.SECONDS_MAX, TimeUnit.SECONDS);
        asking.destroyForcibly();
        assertThat(hasEnded && asking.exitValue() == 0)
                .as(() -> log(folder.resolve("log")))
                .isTrue();
        agree(name, folder);
    }

    private static String log(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }

    private static boolean isInstalled(String tool) {
        return Stream.of("/usr/bin", "/usr/sbin", "/usr/local/bin")
                .anyMatch(place -> Files.isExecutable(Path.of(place, tool)));
    }

    private static void agree(String name, Path expected) throws IOException {
        CountedFlows forNfdump = CountedFlows.of(CAPTURES.resolve(name), INSIDE_FOR_NFDUMP.contains(name));
        CountedFlows forTshark = CountedFlows.of(CAPTURES.resolve(name), false);
        assertThat(text(forNfdump.directions))
                .isNotEmpty()
                .isEqualTo(text(ToolFlows.directions(expected.resolve(name + ".nfdump"))));
        Map<String, Count> said = ToolFlows.conversations(expected.resolve(name + ".conversations"));
        Map<String, Count> counted = new TreeMap<>(forTshark.conversations);
        if (ADDRESSES_ONLY_FOR_TSHARK.contains(name)) {
            said.keySet().removeIf(conversation -> !isOuter(conversation, counted));
            counted.keySet().removeIf(conversation -> !conversation.startsWith("IPv"));
        }
        assertThat(text(rounded(counted, said))).isNotEmpty().isEqualTo(text(said));
    }

    private static boolean isOuter(String conversation, Map<String, Count> counted) {
        return conversation.startsWith("IPv") && counted.containsKey(conversation);
    }

    /** Rounds each count as tshark prints it. */
    private static Map<String, Count> rounded(Map<String, Count> counted, Map<String, Count> said) {
        Map<String, Count> rounded = new TreeMap<>();
        counted.forEach((conversation, count) -> {
            Count other = said.get(conversation);
            boolean isThousands = other != null && other.bytes() >= 10_000 && other.bytes() % 1000 == 0;
            long bytes = isThousands ? count.bytes() / 1000 * 1000 : count.bytes();
            rounded.put(conversation, new Count(count.packets(), bytes));
        });
        return rounded;
    }

    private static String text(Map<String, Count> counts) {
        StringBuilder text = new StringBuilder();
        counts.forEach(
                (name, count) -> text.append(name).append(": ").append(count).append('\n'));
        return text.toString();
    }
}
