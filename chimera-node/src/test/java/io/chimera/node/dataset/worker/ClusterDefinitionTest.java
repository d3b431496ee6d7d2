package io.chimera.node.dataset.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.config.binding.ConfigException;
import io.chimera.common.config.load.ConfigLoader;
import io.chimera.dataset.definition.JobConfig;
import io.chimera.dataset.job.JobException;
import io.chimera.dataset.plan.StrategyWish;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterDefinitionTest {
    private static final String REST = """
            objects: ["*.csv"]
            format:
              type: csv
              compression: gzip
              mapping: { metric: trade, time: at, time_format: iso, tags: { s: t }, fields: { p: { column: px, type: double } } }
            pipelines:
              all: { where: "cpu*", aggregate: { by: [host], functions: [count, p99] }, rows: { prefix: x. }, stores: [k] }
            stores: { k: { url: "http://k:1" } }
            """;

    private static JobConfig config(String source) {
        return ConfigLoader.parseLiterally("job", "name: a\n" + source + "\n" + REST, JobConfig.class);
    }

    @Test
    void theTextForAClusterHasEveryValueAndAnAbsoluteSource() throws IOException {
        JobConfig config = config("source: { url: 'file:data', replicas: ['file:more', 'http://h/p'] }");

        String text = ClusterDefinition.text(config, Path.of("/jobs"));

        JobConfig read = ClusterDefinition.parse("a", text);
        assertThat(read.source().url()).isEqualTo("file:/jobs/data");
        assertThat(read.source().replicas()).containsExactly("file:/jobs/more", "http://h/p");
        assertThat(read.pipelines()).isEqualTo(config.pipelines());
        assertThat(read.format()).isEqualTo(config.format());
        assertThat(read.stores().get("k").url()).isEqualTo("http://k:1");
        assertThat(ClusterDefinition.text(read, Path.of("/other"))).isEqualTo(text);
    }

    @Test
    void theTextForAClusterHasTheStrategy() throws IOException {
        JobConfig config = config("source: { url: 'file:data' }\nstrategy: overlap");

        assertThat(ClusterDefinition.parse("a", ClusterDefinition.text(config, Path.of("/jobs")))
                        .strategy())
                .isEqualTo(StrategyWish.OVERLAP);
    }

    @ParameterizedTest
    @ValueSource(strings = {"200000d", "366d", "0s"})
    void refusesAWindowThatIsNoPartOfAYear(String window) {
        assertThatThrownBy(() -> config("source: { url: 'file:data' }\nwindow: " + window))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll("window", window, "365d");
    }

    /** A job must not write to a folder of its choice on a node. */
    @Test
    void refusesAFolderOfCopies() {
        assertThatThrownBy(() -> ClusterDefinition.text(
                        config("source: { url: 'file:data' }\ncopies: { folder: /etc }"), Path.of("/")))
                .isInstanceOf(JobException.class)
                .hasMessageContainingAll("copies.folder", "datasets.copies");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "source: { url: 'http://h/p', user: u, password: p1 }",
                "source: { url: 'http://h/p', token: p1 }",
                "source: { url: 'http://u:p1@h/p' }",
                "source: { url: 'root://h//p?authz=p1' }",
                "source: { url: 'http://h/p', replicas: ['http://u:p1@h/p'] }",
                "source: { url: 's3:b/p', endpoint: 'http://u:p1@h' }"
            })
    void refusesSecretsWithoutTellingThem(String source) {
        assertThatThrownBy(() -> ClusterDefinition.text(config(source), Path.of("/")))
                .isInstanceOf(JobException.class)
                .hasMessageContaining("source.credentials")
                .hasMessageNotContaining("p1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "name: a\nsource: { url: 'file:${env:HOME}' }\n",
                "name: a\nsource: { url: 'file:/d' }\n# ${file:/etc/passwd}\n",
                "name: b\nsource: { url: 'file:/d' }\n",
                "name: a\nsource: { url: 'file:/d' }\nunknown: 1\n",
                ": ["
            })
    void refusesOtherTexts(String text) {
        assertThatThrownBy(() -> ClusterDefinition.parse("a", text + REST)).isInstanceOf(JobException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{ type: other }",
                "{ url: 'https://k', tls: { ca: /etc/passwd } }",
                "{ url: 'http://u:p1@k' }",
                "{ type: archive, archive: { devices: [/dev/sda] } }"
            })
    void refusesStoresThatReachIntoANode(String store) {
        String text = "name: a\nsource: { url: 'file:/d' }\n" + REST.replace("{ url: \"http://k:1\" }", store);

        assertThatThrownBy(() -> ClusterDefinition.parse("a", text))
                .isInstanceOf(JobException.class)
                .hasMessageContaining("stores.k")
                .hasMessageNotContaining("p1");
    }
}
