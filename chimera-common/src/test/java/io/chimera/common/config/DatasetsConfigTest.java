package io.chimera.common.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.config.binding.ConfigException;
import io.chimera.common.config.binding.ConfigWriter;
import io.chimera.common.config.load.ConfigLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DatasetsConfigTest {
    private static ChimeraConfig parse(String datasets) {
        return new ConfigLoader(Map.of()).parse("c.yaml", "datasets: " + datasets, List.of());
    }

    @Test
    void anAbsentSectionMeansNoJobs() {
        assertThat(new ConfigLoader(Map.of()).parse("c.yaml", "", List.of()).datasets())
                .isNull();
    }

    @Test
    void anEmptySectionAllowsNothing() {
        DatasetsConfig config = parse("{}").datasets();

        assertThat(config.allow()).isEmpty();
        assertThat(config.credentials()).isEmpty();
        assertThat(config.threads(1)).isOne();
        assertThat(config.threads(8)).isEqualTo(4);
    }

    @Test
    void separatesHostsAndFolders() {
        DatasetsConfig config = parse("{ allow: [a.example, 'b:80', 'file:/data', '[::1]:9000'] }")
                .datasets();

        assertThat(config.allowedHosts()).containsExactly("a.example", "b:80", "[::1]:9000");
        assertThat(config.allowedFolders()).containsExactly(Path.of("/data"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{ allow: ['file:data'] }",
                "{ allow: ['http://h/'] }",
                "{ allow: ['*'] }",
                "{ workers: -1 }",
                "{ memory: 1MiB }",
                "{ copies: { max_bytes: 1MiB } }",
                "{ copies: { block_bytes: 1KiB } }",
                "{ copies: { block_bytes: 16MiB } }",
                "{ copies: { keep_for: 4000d } }",
                "{ credentials: { c: { user: u, hosts: [] } } }",
                "{ credentials: { c: { hosts: [h] } } }",
                "{ credentials: { c: { user: u, hosts: ['h/p'] } } }"
            })
    void refusesWrongValues(String datasets) {
        assertThatThrownBy(() -> parse(datasets)).isInstanceOf(ConfigException.class);
    }

    @Test
    void neverPrintsSecrets() {
        ChimeraConfig config = parse("{ credentials: { c: { user: u, password: pw1, token: tk1, hosts: [h] } } }");

        assertThat(ConfigWriter.yaml(config) + config)
                .doesNotContain("pw1")
                .doesNotContain("tk1")
                .contains("c:");
    }
}
