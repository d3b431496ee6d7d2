package io.chimera.apps.voip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.composition.Composition;
import io.chimera.common.composition.CompositionPlanner;
import io.chimera.common.composition.InstalledTypes;
import io.chimera.common.composition.PointFlyweight;
import io.chimera.common.composition.ShardKeys;
import io.chimera.common.config.binding.ConfigException;
import io.chimera.common.config.load.ConfigLoader;
import io.chimera.common.config.pipeline.AfterConfig;
import io.chimera.common.metrics.AllocatedBytes;
import io.chimera.common.wire.BodyReader;
import io.chimera.common.wire.PointBytes;
import io.chimera.common.wire.encode.RecordEncoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** The block as run by a composition. */
final class VoipScoreTest {
    private static final int PARTITIONS = 4;
    private static final String KEYS = "keys: [caller, callee], ";

    private final List<String> left = new ArrayList<>();
    private final List<Object> faults = new ArrayList<>();

    private static AfterConfig config(String keys, String output) {
        String yaml = "stores: { s: {} }\npipelines:\n  p:\n    stores: s\n    after: { partitions: " + PARTITIONS
                + ", " + keys + "blocks: { score: { type: voip_score } }, output: [" + output + "] }\n";
        return new ConfigLoader(Map.of())
                .parse("test.yaml", yaml, List.of())
                .pipelines()
                .get("p")
                .after();
    }

    private Composition composition(String output, boolean isRemembered) {
        Composition composition = new Composition(
                CompositionPlanner.after(config(KEYS, output), new InstalledTypes(List.of(new VoipScore()))),
                (point, partition) -> {
                    if (isRemembered) {
                        left.add(point.toString());
                    }
                },
                (block, point, fault) -> faults.add(fault),
                null);
        for (int i = 0; i < PARTITIONS; i++) {
            composition.open(i);
        }
        return composition;
    }

    private static PointFlyweight call(int caller, int callee) {
        PointBytes call = new PointBytes("call")
                .tag("switch", "s1")
                .field("caller", CallPlan.number(caller))
                .field("callee", CallPlan.number(callee))
                .field("duration", 10L)
                .field("code", 200L)
                .time(1_700_000_000_000_000_000L);
        return lay(call);
    }

    private static PointFlyweight lay(PointBytes point) {
        UnsafeBuffer buffer = new UnsafeBuffer(new byte[1 << 12]);
        int length = point.encode(new RecordEncoder(), buffer, 0, buffer.capacity());
        BodyReader reader = new BodyReader().wrap(buffer, 0, length);
        reader.nextRecord();
        return new PointFlyweight().wrap(reader.seriesOfRecord(), reader.fieldsOfRecord(), reader.record());
    }

    private static void give(Composition composition, PointFlyweight call) {
        ShardKeys keys = new ShardKeys(List.of("caller", "callee"), PARTITIONS);
        for (int key = 0; key < keys.count(); key++) {
            int partition = keys.partition(call, key);
            if (partition != ShardKeys.NONE) {
                composition.apply(call.by(key), partition);
            }
        }
    }

    @Test
    void givesEachUserOfACallAScore() {
        Composition composition = composition("score", true);
        give(composition, call(1, 2));

        double score = new CallFilters(VoipSettings.DEFAULT)
                .called(
                        CallFiltersTest.hash(CallPlan.number(1)),
                        CallFiltersTest.hash(CallPlan.number(2)),
                        1_700_000_000_000_000_000L,
                        10,
                        200);
        assertThat(left)
                .containsExactly(
                        "call,user=" + CallPlan.number(1) + " score=" + score + " 1700000000000000000",
                        "call,user=" + CallPlan.number(2) + " score=0.0 1700000000000000000");
        assertThat(faults).isEmpty();
    }

    @Test
    void onlyScoresAboveTheLimitAreAlerts() {
        Composition composition = composition("score.alert", true);
        for (int callee = 2; callee < 40; callee++) {
            give(composition, call(1, callee));
        }

        assertThat(left)
                .isNotEmpty()
                .hasSizeLessThan(38)
                .allMatch(alert -> alert.contains("user=" + CallPlan.number(1)));
    }

    @Test
    void aCallWithoutAUserIsInvalid() {
        Composition composition = composition("score, score.invalid", true);
        give(composition, lay(new PointBytes("call").field("caller", "391").field("code", 200L)));
        give(composition, lay(new PointBytes("call").field("caller", "391").field("callee", "")));

        assertThat(left).hasSize(3).allMatch(point -> point.contains("caller"));
    }

    @Test
    void aPipelineWithoutTheTwoKeysIsRefused() {
        assertThatThrownBy(() ->
                        CompositionPlanner.after(config("", "score"), new InstalledTypes(List.of(new VoipScore()))))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("2 keys");
    }

    @Test
    void allocatesNothingForACall() {
        Composition composition = composition("score, score.alert", false);
        PointFlyweight[] calls = new PointFlyweight[50];
        for (int i = 0; i < calls.length; i++) {
            calls[i] = call(i % 3, 3 + i);
        }
        ShardKeys keys = new ShardKeys(List.of("caller", "callee"), PARTITIONS);

        assertThat(AllocatedBytes.of(() -> {
                    for (PointFlyweight call : calls) {
                        for (int key = 0; key < 2; key++) {
                            composition.apply(call.by(key), keys.partition(call, key));
                        }
                    }
                }))
                .isZero();
        assertThat(faults).isEmpty();
    }
}
