package io.chimera.node.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.config.ChimeraConfig;
import io.chimera.common.config.load.ConfigLoader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** README.md, the example configuration and the example KairosDB use the same addresses and files. */
final class ExampleConfigurationTest {
    private static final Path ROOT =
            Path.of(System.getProperty("basedir", "")).toAbsolutePath().getParent();

    private static final ChimeraConfig CONFIG =
            new ConfigLoader(Map.of()).load(ROOT.resolve("conf/chimera.example.yaml"), List.of());

    @Test
    void exampleStoresInTheKairosDbOfH2Conf() throws IOException {
        String h2 = Files.readString(ROOT.resolve("conf/kairosdb/h2.conf"));

        assertThat(CONFIG.stores()).hasSize(1).allSatisfy((name, store) -> assertThat(store.url())
                .isEqualTo("http://127.0.0.1:8080"));
        assertThat(h2).contains("jetty: { address: \"127.0.0.1\", port: 8080 }");
    }

    @Test
    void lanesNeedNoOtherChange() {
        List<String> lanes = List.of("queue.lanes=4", "processor.lanes=4");

        ChimeraConfig withLanes = new ConfigLoader(Map.of()).load(ROOT.resolve("conf/chimera.example.yaml"), lanes);

        assertThat(withLanes.queueLanes()).isEqualTo(4);
        assertThat(withLanes.processorLanes()).isEqualTo(4);
    }

    @Test
    void everyAddressOfTheReadmeIsListenedOn() throws IOException {
        List<String> listened = List.of(
                CONFIG.inputs().get("influx").http().toString(),
                CONFIG.node().http().toString(),
                CONFIG.stores().get("kairos").url().replace("http://", ""));

        assertThat(found("http://(127\\.0\\.0\\.1:\\d+)")).isNotEmpty().isSubsetOf(listened);
    }

    @Test
    void everyFileOfTheReadmeExists() throws IOException {
        assertThat(found("(?:\\]\\(|@|-p |--config )([A-Za-z][\\w./-]+)\\)?"))
                .hasSizeGreaterThan(10)
                .allSatisfy(file -> assertThat(ROOT.resolve(file)).exists());
    }

    private static List<String> found(String pattern) throws IOException {
        String readme = Files.readString(ROOT.resolve("README.md"));
        return Pattern.compile(pattern)
                .matcher(readme)
                .results()
                .map(match -> match.group(1))
                .toList();
    }
}
