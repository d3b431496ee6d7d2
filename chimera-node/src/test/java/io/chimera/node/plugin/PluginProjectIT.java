package io.chimera.node.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.agent.Waits;
import io.chimera.node.ChimeraHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The steps of a plugin author from docs/plugins.md in an empty folder. */
@Tag("it")
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
                .contains("OK: every point is accounted for");
        assertThat(run(folder, "./chimera", "plugin", "deploy", "hello", "--folder", "plugins"))
                .contains("Installed plugin hello 1.0.0 (");
        assertThat(run(folder, "./chimera", "plugin", "ls", "--folder", "plugins"))
                .contains(
                        "aggregator",
                        "hello",
                        "1.0.0",
                        folder.resolve("plugins/hello").toString());
    }

    /** All kinds in one build, each as built alone, and one demo. */
    @Test
    void makesPluginsOfTheOtherKindsThatPassTheirKitsAndAreShownByTheDemo() throws Exception {
        String launcher = home.folder().resolve("chimera").toString();
        List<String> kinds = List.of("transform", "parser", "source", "store");
        for (String kind : kinds) {
            run(folder, launcher, "plugin", "new", "my-" + kind, "--kind", kind);
        }
        Files.writeString(folder.resolve("pom.xml"), """
                <project xmlns="http://maven.apache.org/POM/4.0.0">
                  <modelVersion>4.0.0</modelVersion>
                  <groupId>all</groupId>
                  <artifactId>all</artifactId>
                  <version>1</version>
                  <packaging>pom</packaging>
                  <modules>%s</modules>
                </project>
                """.formatted(
                kinds.stream().map(kind -> "<module>my-" + kind + "</module>").collect(Collectors.joining())));
        run(folder, launcher, "plugin", "api", ".");
        run(folder, "mvn", "-q", "verify");
        Path all = Files.createDirectory(folder.resolve("all"));
        for (String kind : kinds) {
            Files.copy(
                    folder.resolve("my-" + kind + "/target/my-" + kind + "-1.0.0.jar"),
                    all.resolve("my-" + kind + "-1.0.0.jar"));
        }
        Files.copy(folder.resolve("my-parser/demo.txt"), all.resolve("demo.txt"));

        String said = run(
                folder,
                launcher,
                "demo",
                "--plugin",
                "all",
                "--for",
                "8s",
                "--cycle",
                "2s",
                "--rate",
                "500",
                "--series",
                "20");

        assertThat(said)
                .contains("transform my_transform", "parser my_parser", "source my_source", "store my_store")
                .contains("load.my_transform.value.mean of series s0")
                .containsPattern("The plugin's store received [1-9][0-9]* rows of load.value.p50")
                .containsPattern("The plugin's input received [1-9][0-9]* points of my_parser.value")
                .containsPattern("The plugin's input received [1-9][0-9]* points of my_source.used_bytes")
                .contains("OK: every point is accounted for");
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
        assertThat(process.waitFor(Waits.SECONDS_MAX, TimeUnit.SECONDS))
                .as(String.join(" ", command))
                .isTrue();
        String said = Files.readString(out);
        assertThat(process.exitValue()).as(said).isZero();
        return said;
    }
}
