package io.chimera.node.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.chimera.common.agent.Waits;
import io.chimera.node.ChimeraHome;
import io.chimera.node.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demo as started by a user: real processes, ZooKeeper and KairosDB. */
@Tag("it")
final class DemoIT {
    @TempDir
    Path folder;

    private final List<Process> started = new ArrayList<>();

    /** A failed test leaves no cluster behind: the nodes end with their parent. */
    @AfterEach
    void endDemos() {
        started.forEach(Process::destroyForcibly);
    }

    /** A processor is killed during the load, and another one started: no point is lost or counted twice. */
    @Test
    void losesNothingWhenAProcessorIsKilledDuringTheLoad() throws Exception {
        Process demo = start(
                "demo",
                "--for",
                "14s",
                "--json",
                "--rate",
                "2000",
                "--series",
                "500",
                "--cycle",
                "2s",
                "--at",
                "4s=kill:p2",
                "--at",
                "7s=start:p2",
                "--dir",
                work().toString());

        assertThat(demo.waitFor(Waits.SECONDS_MAX, TimeUnit.SECONDS)).isTrue();

        String err = Files.readString(folder.resolve("err"));
        assertThat(demo.exitValue()).as(err).isZero();
        List<String> out = Files.readAllLines(folder.resolve("out"));
        JsonNode figures = Json.read("demo", out.get(out.size() - 1)).path("figures");
        assertThat(figures.path("unaccounted").asLong(-1)).isZero();
        assertThat(figures.path("points_in").asLong()).isGreaterThan(28_000);
        assertThat(figures.path("points_aggregated").asLong())
                .isEqualTo(figures.path("points_in").asLong());
        assertThat(figures.path("rows_stored").asLong()).isPositive();
        assertThat(figures.path("rows_read_back").asLong())
                .isEqualTo(figures.path("rows_stored").asLong());
        assertThat(figures.path("load_points_read_back").asLong()).isEqualTo(28_000);
        assertThat(figures.path("points_rejected").asLong()
                        + figures.path("points_late").asLong())
                .isZero();
        assertThat(err).contains("Killing p2.").contains("Starting p2.");
        assertNothingIsLeft(err);
        assertThat(work()).doesNotExist();
    }

    /** The demo itself is killed, so that its own code cannot clean up. */
    @Test
    void leavesNoProcessWhenItIsKilled() throws Exception {
        Process demo = start("demo", "--json", "--rate", "100", "--dir", work().toString());
        Path err = folder.resolve("err");
        while (!Files.readString(err).contains("  files ")) {
            assertThat(demo.isAlive()).as(Files.readString(err)).isTrue();
            Thread.sleep(100);
        }
        // Besides KairosDB and six nodes, the host metrics of the demo may run a command for a moment.
        List<ProcessHandle> children =
                Waits.await("seven processes").until(() -> demo.descendants().toList(), found -> found.size() == 7);
        assertThat(children).allMatch(ProcessHandle::isAlive);

        demo.destroyForcibly().waitFor();

        for (ProcessHandle child : children) {
            child.onExit().get(Waits.SECONDS_MAX, TimeUnit.SECONDS);
        }
        assertNothingIsLeft(Files.readString(err));
    }

    /** All addresses printed by the demo are free again. */
    private static void assertNothingIsLeft(String printed) {
        List<String> ports = Pattern.compile("127\\.0\\.0\\.1:(\\d+)")
                .matcher(printed)
                .results()
                .map(match -> match.group(1))
                .distinct()
                .toList();
        assertThat(ports).hasSizeGreaterThanOrEqualTo(10);
        assertThat(ports).noneMatch(DemoIT::isListening);
    }

    private static boolean isListening(String port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(port)), 500);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private Path work() {
        return folder.resolve("work");
    }

    private Process start(String... arguments) throws IOException {
        ChimeraHome home = ChimeraHome.find();
        List<String> command = new ArrayList<>(home.nodeCommand(List.of("-Xmx192m"), List.of(arguments)));
        Process demo = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectOutput(folder.resolve("out").toFile())
                .redirectError(folder.resolve("err").toFile())
                .start();
        started.add(demo);
        return demo;
    }
}
