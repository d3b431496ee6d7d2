package io.chimera.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.api.spi.Store;
import io.chimera.bench.datasets.process.ClusterJobs;
import io.chimera.common.config.ChimeraConfig;
import io.chimera.common.config.JournalConfig;
import io.chimera.common.config.load.ConfigLoader;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

final class ClusterPlanTest {
    @Test
    void theConfigurationIsGoodAndSaysWhatThePlanSays() {
        ClusterPlan plan = ClusterPlan.forgetting(1, 2)
                .syncing("none")
                .cycling(new ClusterPlan.Cycles("5s", 100_000))
                .aggregating("aggregate: { by: [rack] }");

        ChimeraConfig config = new ConfigLoader(Map.of())
                .parse("plan", plan.configuration("127.0.0.1:2181", ClusterInput.INFLUX), List.of());

        assertThat(config.queue().journal().sync()).isEqualTo(JournalConfig.Sync.NONE);
        assertThat(config.cycle().maxPoints()).isEqualTo(100_000);
        assertThat(config.queue().acks()).isEqualTo(1);
        assertThat(config.pipelines().get("all").aggregate().by()).containsExactly("rack");
        assertThat(config.stores().get("results").type()).isEqualTo("forgetting");
    }

    @Test
    void processorsTakePartInJobsWithTheSettingsOfJobs() {
        ClusterPlan plan = ClusterPlan.forgetting(1, 1).setting(ClusterJobs.settings());
        List<String> overrides = plan.settings().entrySet().stream()
                .map(setting -> setting.getKey() + "=" + setting.getValue())
                .toList();

        ChimeraConfig config = new ConfigLoader(Map.of())
                .parse("plan", plan.configuration("127.0.0.1:2181", ClusterInput.INFLUX), overrides);

        assertThat(config.datasets().workers()).isEqualTo(1);
        assertThat(config.datasets().allowedHosts()).containsExactly("127.0.0.1");
        assertThat(config.coordinator().sessionTimeout()).isLessThan(Duration.ofSeconds(30));
    }

    @Test
    void theStoreThatForgetsIsAPlugin() {
        assertThat(ServiceLoader.load(Store.class)).extracting(Store::name).contains("forgetting");
    }
}
