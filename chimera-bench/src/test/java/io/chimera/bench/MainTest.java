package io.chimera.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class MainTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void wrongUsageIsToldAndIs2() {
        assertThat(run()).isEqualTo(2);
        assertThat(run("stages", "--only", "nothing")).isEqualTo(2);
        assertThat(err.toString()).contains("No stage 'nothing'; there are memory_copy_text, ");
        assertThat(run("peers", "--only", "nothing")).isEqualTo(2);
        assertThat(err.toString()).contains("No engine 'nothing'; there are chimera, ");
        assertThat(run("voip", "--only", "nothing")).isEqualTo(2);
        assertThat(err.toString()).contains("No engine 'nothing'; there are chimera, chimera_1, ");
        assertThat(run("capture", "--only", "nothing")).isEqualTo(2);
        assertThat(err.toString()).contains("expected one of [FILE, VARIANTS, LIVE, IPFIX]");
        assertThat(run("paper", "--only", "nothing")).isEqualTo(2);
        assertThat(err.toString()).contains("[TABLE_2, FIGURE_5A, FIGURE_5B, FIGURE_6, FIGURE_7, FIGURE_8]");
        assertThat(run("datasets", "--only", "nothing")).isEqualTo(2);
        assertThat(err.toString())
                .contains(
                        "[ROUND_TRIP, FORMATS, COPY, PIPELINE, SETTINGS, KILL, WORKER_KILL, SOURCES, COLUMNAR, WORKERS, THREADS,"
                                + " RATES, LOAD, SHAPES]");
        assertThat(run("table", "no-such-file")).isEqualTo(2);
        assertThat(err.toString()).contains("Cannot read the file no-such-file.");
        assertThat(run("table", "--docs", "a-file")).isEqualTo(2);
        assertThat(err.toString()).contains("--docs takes no files");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void everyCommandHasHelp() {
        assertThat(run("--help")).isZero();
        assertThat(run("stages", "--help")).isZero();
        assertThat(run("peers", "--help")).isZero();
        assertThat(run("latency", "--help")).isZero();
        assertThat(run("scale", "--help")).isZero();
        assertThat(run("voip", "--help")).isZero();
        assertThat(run("capture", "--help")).isZero();
        assertThat(run("paper", "--help")).isZero();
        assertThat(run("datasets", "--help")).isZero();
        assertThat(run("table", "--help")).isZero();
    }

    @Test
    void makesATableOfTheLastLine(@TempDir Path folder) throws Exception {
        String json = "{\"name\":\"n\",\"figures\":{\"a_points_per_s\":1},\"ratios\":{},\"goals\":{},\"machine\":"
                + "{\"cpus\":1,\"memory_bytes\":1}}";
        Path file = Files.writeString(folder.resolve("report"), "something else\n" + json + "\n");

        assertThat(run("table", file.toString())).isZero();
        assertThat(out.toString()).contains("| a | 1 | ? | ? | – |");
    }

    @Test
    void reportThatIsNoneIs1(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("report"), "something else\n");

        assertThat(run("table", file.toString())).isEqualTo(1);
        assertThat(err.toString()).contains("Not the JSON object of a report: ");
    }

    private int run(String... arguments) {
        CommandLine line = BenchMain.commandLine();
        line.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        return line.execute(arguments);
    }
}
