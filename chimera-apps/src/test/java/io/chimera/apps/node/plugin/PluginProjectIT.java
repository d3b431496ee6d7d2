package io.chimera.apps.node.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.apps.node.ChimeraHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The way of a plugin author, as docs/plugins.md has it, in an empty folder. */
@Tag("it")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class PluginProjectIT {
    @TempDir
    Path folder;

    private final ChimeraHome home = ChimeraHome.find();

    @Test
    void makesAPluginThatIsBuiltAndShownByTheDemo() throws Exception {
        run(folder, home.folder().resolve("chimera").toString(), "plugin", "new", "hello");
        Path project = folder.resolve("hello");
        run(project, "mvn", "-q", "verify");

        String said = run(
                project,
                "../chimera",
                "demo",
                "--plugin",
                ".",
                "--for",
                "8s",
                "--cycle",
                "2s",
                "--rate",
                "500",
                "--series",
                "20");

        assertThat(said)
                .contains("With plugin hello: aggregator hello.")
                .contains("load.value.hello of series s0")
                .contains("Good: every point is accounted for");
        assertThat(run(folder, "./chimera", "plugin", "deploy", "hello", "--folder", "plugins"))
                .contains("Put plugin hello 1.0.0 (");
        assertThat(run(folder, "./chimera", "plugin", "ls", "--folder", "plugins"))
                .contains(
                        "aggregator",
                        "hello",
                        "1.0.0",
                        folder.resolve("plugins/hello").toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"transform"})
    void makesPluginsOfOtherKindsThatPassTheirKits(String kind) throws Exception {
        run(folder, home.folder().resolve("chimera").toString(), "plugin", "new", "my-" + kind, "--kind", kind);

        run(folder.resolve("my-" + kind), "mvn", "-q", "verify");
    }

    @Test
    void buildsTheExamplesAsAUserWould() throws Exception {
        Path examples = folder.resolve("examples");
        run(folder, "cp", "-r", home.folder().resolve("examples").toString(), examples.toString());

        run(examples, home.folder().resolve("chimera").toString(), "plugin", "api", ".");
        run(examples, "mvn", "-q", "verify");

        assertThat(examples.resolve("moving-mean/target/moving-mean-1.0.0.jar")).isRegularFile();
        assertThat(examples.resolve("enrich-csv/target/enrich-csv-1.0.0.jar")).isRegularFile();
    }

    private String run(Path in, String... command) throws IOException, InterruptedException {
        Path out = Files.createTempFile(folder, "out", ".txt");
        Process process = new ProcessBuilder(List.of(command))
                .directory(in.toFile())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        assertThat(process.waitFor(4, TimeUnit.MINUTES))
                .as(String.join(" ", command))
                .isTrue();
        String said = Files.readString(out);
        assertThat(process.exitValue()).as(said).isZero();
        return said;
    }
}
