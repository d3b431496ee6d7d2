package io.chimera.faults.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.chimera.faults.FaultsMain;
import io.chimera.faults.chaos.machine.Prerequisites;
import io.chimera.node.ChimeraHome;
import io.chimera.node.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command as started by a user. Needs root. */
@Tag("soak")
final class ChaosIT {
    @TempDir
    Path folder;

    @BeforeEach
    void needsTheTools() throws InterruptedException {
        String missing = Prerequisites.missing().orElse("");
        assumeTrue(missing.isEmpty(), missing);
    }

    @Test
    void losesAndDoublesNothingInAMinuteOfFaults() throws Exception {
        JsonNode report = reportOf("--minutes", "1", "--seed", "7", "--json");

        assertThat(report.path("cycles_replayed").asLong()).isZero();
    }

    @Test
    void losesAndDoublesNothingOfArchivesEither() throws Exception {
        JsonNode report = reportOf("--minutes", "1", "--seed", "7", "--store", "archive", "--exactly-once", "--json");

        assertThat(report.path("cycles_replayed").asLong()).isPositive();
    }

    @Test
    void losesAndDoublesNothingOfJournalGroupsAndLanes() throws Exception {
        JsonNode report = reportOf(
                "--minutes",
                "1",
                "--seed",
                "7",
                "--groups",
                "2",
                "--lanes",
                "2",
                "--faults",
                "DISK_LOST,GROUP_KILL,GROUP_KILL_BETWEEN_CYCLES",
                "--json");

        assertThat(report.path("lanes").asInt()).isEqualTo(2);
    }

    private JsonNode reportOf(String... arguments) throws Exception {
        Process chaos = start(arguments);

        int exit = chaos.waitFor();

        List<String> out = Files.readAllLines(folder.resolve("out"));
        assertThat(exit).as(Files.readString(folder.resolve("err"))).isZero();
        JsonNode report = Json.read("chaos", out.get(out.size() - 1));
        assertThat(report.path("faults").asInt()).isPositive();
        assertThat(report.path("acknowledged_points").asLong()).isPositive();
        for (String wrong : List.of("lost", "doubled", "corrupted", "stuck", "unaccounted")) {
            assertThat(report.path(wrong).asLong(-1)).as(wrong).isZero();
        }
        assertThat(temporary()).isEmptyDirectory();
        return report;
    }

    @Test
    void leavesNothingWhenItIsStopped() throws Exception {
        Process chaos = start("--minutes", "5");
        awaitLine("Injecting faults");

        chaos.destroy();
        chaos.waitFor();

        assertThat(temporary()).isEmptyDirectory();
        awaitNoProcess();
    }

    @Test
    void leavesOnlyItsFolderWhenItIsKilled() throws Exception {
        Process chaos = start("--minutes", "5");
        awaitLine("Injecting faults");

        chaos.destroyForcibly().waitFor();

        awaitNoProcess();
        Process next = start("--minutes", "0.01");
        assertThat(next.waitFor()).isZero();
        assertThat(folder.resolve("out")).content().contains("killed run");
        assertThat(temporary()).isEmptyDirectory();
    }

    private Path temporary() {
        return folder.resolve("tmp");
    }

    private void awaitLine(String text) throws IOException, InterruptedException {
        while (!Files.readString(folder.resolve("out")).contains(text)) {
            Thread.sleep(100);
        }
    }

    private void awaitNoProcess() throws InterruptedException {
        while (ProcessHandle.allProcesses()
                .anyMatch(
                        process -> process.info().commandLine().orElse("").contains(temporary() + "/chimera-chaos"))) {
            Thread.sleep(100);
        }
    }

    private Process start(String... arguments) throws IOException {
        ChimeraHome home = ChimeraHome.find();
        List<String> command = home.java("conf/jvm.options");
        Files.createDirectories(temporary());
        command.addAll(
                List.of("-XX:-UsePerfData", "-Djava.io.tmpdir=" + temporary(), "-Dchimera.home=" + home.folder()));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), FaultsMain.class.getName(), "chaos"));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(new ArrayList<>(command))
                .directory(folder.toFile())
                .redirectOutput(folder.resolve("out").toFile())
                .redirectError(folder.resolve("err").toFile())
                .start();
    }
}
