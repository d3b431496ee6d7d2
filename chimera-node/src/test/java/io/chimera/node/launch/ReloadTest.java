package io.chimera.node.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.config.ChimeraConfig;
import io.chimera.common.config.load.ConfigLoader;
import io.chimera.common.plugin.PluginRegistry;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ReloadTest {
    private static final String BASE = """
        node: { id: n1 }
        cycle: { every: 5s }
        stores: { k: { url: "http://127.0.0.1:1" } }
        pipelines: { p: { stores: k } }
        """;

    private final AtomicReference<ChimeraConfig> file = new AtomicReference<>(config(BASE));
    private final Reload reload = new Reload(config(BASE), PluginRegistry.ofClassPath(), file::get);

    @Test
    void takesOtherPipelines() {
        file.set(config(BASE.replace("{ p:", "{ q:")));

        assertThat(reload.run(List.of())).contains("is loaded. It takes effect once the whole cluster has loaded it");
    }

    @Test
    void refusesOtherKeysByTheirNames() {
        file.set(config(BASE.replace("5s", "6s").replace(":1\"", ":2\"")));

        assertThatThrownBy(() -> reload.run(List.of()))
                .hasMessageContaining("cycle.every, stores.k.url")
                .hasMessageContaining("Restart the node");
    }

    /** The printed configuration has no secrets, so a difference of the texts alone does not show their change. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "node     | node: { id: n1, token: %s }",
                "coordinator | coordinator: { secret: %s }",
                "inputs   | inputs: { i: { http: '127.0.0.1:2', tls: { cert: c, key: k, key_password: %s } } }",
                "stores   | stores: { k: { url: 'http://user:%s@127.0.0.1:1' } }",
                "stores   | stores: { k: { type: other, password: %s } }"
            })
    void refusesAChangedSecretWithoutItsValue(String section, String line) {
        String base = BASE.lines()
                .filter(each -> !each.startsWith(section + ":"))
                .collect(Collectors.joining("\n", "", "\n" + line));
        ChimeraConfig before = config(base.formatted("first-secret-of-all"));

        assertThat(Reload.differences(before, config(base.formatted("first-secret-of-all"))))
                .isEmpty();
        assertThat(Reload.differences(before, config(base.formatted("other-secret-of-all"))))
                .containsExactly("a secret in " + section);
    }

    @Test
    void refusesWhatCannotRunAndTellsWhy() {
        file.set(config(BASE.replace("stores: k }", "stores: k, aggregate: { functions: nothing } }")));

        assertThatThrownBy(() -> reload.run(List.of())).hasMessageContaining("nothing");
    }

    private static ChimeraConfig config(String yaml) {
        return new ConfigLoader(Map.of()).parse("test.yaml", yaml, List.of());
    }
}
