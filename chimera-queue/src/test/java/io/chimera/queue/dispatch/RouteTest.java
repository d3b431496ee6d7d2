package io.chimera.queue.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.CycleTime;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.Replay;
import io.chimera.common.composition.InstalledTypes;
import io.chimera.common.config.binding.Sections;
import io.chimera.common.config.pipeline.AggregateConfig;
import io.chimera.common.config.pipeline.PipelineConfig;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.common.wire.BodyLayout;
import io.chimera.common.wire.PointBytes;
import io.chimera.common.wire.SeriesFlyweight;
import io.chimera.common.wire.encode.RecordEncoder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RouteTest {
    private static final int INFLUX = 0;
    private static final int KAIROS = 1;

    @ParameterizedTest
    @CsvSource({
        "*, cpu, true",
        "cpu, cpu, true",
        "cpu, cpu2, false",
        "cpu, cp, false",
        "cpu*, cpu, true",
        "cpu*, cpu.idle, true",
        "*idle, cpu.idle, true",
        "*idle, idle.cpu, false",
        "c*u*e, cpu.idle, true",
        "c*u*x, cpu.idle, false",
        "a*ab, aab, true",
        "a*ab, aaab, true",
        "**, x, true",
    })
    void matchesTheWholeMetric(String where, String metric, boolean isTaken) {
        assertThat(route(where, List.of(), AggregateConfig.DEFAULT).shard(series(metric), 1))
                .isEqualTo(isTaken ? 0 : Route.NO_SHARD);
    }

    @Test
    void takesOnlyItsInputs() {
        Route route = route("*", List.of("kairos"), AggregateConfig.DEFAULT);

        assertThat(route.takesInput(KAIROS)).isTrue();
        assertThat(route.takesInput(INFLUX)).isFalse();
        assertThat(route.takesInput(7)).isFalse();
    }

    @Test
    void ordersPipelinesByName() {
        PipelineConfig all = Sections.of(PipelineConfig.class, "where", "*");
        PipelineConfig none = Sections.of(PipelineConfig.class, "where", "none");

        List<Route> routes =
                Route.of(Map.of("b", none, "a", all, "c", none), new TreeSet<>(List.of("influx")), Map.of(), Map.of());

        assertThat(routes)
                .extracting(route -> route.shard(series("cpu"), 1))
                .containsExactly(0, Route.NO_SHARD, Route.NO_SHARD);
    }

    @Test
    void aReplayOfOnePipelineLeavesTheOthersTheirPlaces() {
        PipelineConfig all = Sections.of(PipelineConfig.class, "where", "*");
        Routing routing = new Routing(
                Map.of("b", all, "a", all, "c", all),
                Set.of("influx"),
                InstalledTypes.ofClassPath(),
                new Counters<>(QueueCounter.class),
                (point, reason) -> {});

        assertThat(taken(routing, Optional.empty())).containsExactly(true, true, true);
        assertThat(taken(routing, Optional.of(""))).containsExactly(true, true, true);
        assertThat(taken(routing, Optional.of("b"))).containsExactly(false, true, false);
        assertThat(taken(routing, Optional.of("gone"))).containsExactly(false, false, false);
    }

    private static List<Boolean> taken(Routing routing, Optional<String> pipeline) {
        Cycle cycle = new Cycle(
                Cycle.REPLAYS + 1,
                1,
                CycleTime.of(1),
                Positions.NONE,
                List.of(1L),
                List.of(2L),
                pipeline.map(name -> new Replay("r", 3, Positions.NONE, name)));
        return routing.routesOf(cycle).stream()
                .map(route -> route.takesInput(INFLUX))
                .toList();
    }

    @Test
    void shardsByWhatThePipelineGroupsBy() {
        Route byRegion = route("*", List.of(), Sections.of(AggregateConfig.class, "by", List.of("region")));
        Route byAll = route("*", List.of(), AggregateConfig.DEFAULT);

        long shardsByRegion = shards(byRegion);
        long shardsByAll = shards(byAll);

        assertThat(shardsByRegion).isEqualTo(1);
        assertThat(shardsByAll).isGreaterThan(10);
    }

    private static long shards(Route route) {
        TreeSet<Integer> shards = new TreeSet<>();
        for (int host = 0; host < 100; host++) {
            shards.add(route.shard(series("cpu", "host", "h" + host, "region", "eu"), 64));
        }
        return shards.size();
    }

    private static Route route(String where, List<String> inputs, AggregateConfig aggregate) {
        PipelineConfig pipeline =
                Sections.of(PipelineConfig.class, "inputs", inputs, "where", where, "aggregate", aggregate);
        return Route.of(Map.of("p", pipeline), new TreeSet<>(List.of("influx", "kairos")), Map.of(), Map.of())
                .get(0);
    }

    private static SeriesFlyweight series(String metric, String... tags) {
        UnsafeBuffer buffer = new UnsafeBuffer(new byte[1024]);
        PointBytes point = new PointBytes(metric).field("v", 1L);
        for (int i = 0; i < tags.length; i += 2) {
            point.tag(tags[i], tags[i + 1]);
        }
        assertThat(point.encode(new RecordEncoder(), buffer, 0, 1024)).isPositive();
        return new SeriesFlyweight().wrap(buffer, BodyLayout.RESET_LENGTH);
    }
}
