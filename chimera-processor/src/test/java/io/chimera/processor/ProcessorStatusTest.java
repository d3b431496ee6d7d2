package io.chimera.processor;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.api.model.SeriesKey;
import io.chimera.api.model.Tags;
import io.chimera.common.composition.PoolUse;
import io.chimera.processor.pipeline.BlockPool;
import io.chimera.processor.pipeline.TopGroups;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class ProcessorStatusTest {
    private static ProcessorStatus lane(int figure, TopGroups heaviest) {
        return new ProcessorStatus(
                Optional.empty(),
                figure == 2 ? Optional.of("out") : Optional.empty(),
                1,
                figure,
                figure,
                figure,
                figure,
                figure,
                figure,
                figure,
                List.of(),
                List.of(new BlockPool("p", false, new PoolUse("b", 4, figure, 10L * figure))),
                heaviest);
    }

    private static TopGroups heaviest(long cycle, long... values) {
        List<TopGroups.Group> groups = IntStream.range(0, values.length)
                .mapToObj(i -> new TopGroups.Group(
                        "p", new SeriesKey("m", Tags.of(Map.of("host", "h" + values[i]))), values[i]))
                .toList();
        return new TopGroups(cycle, 100, groups);
    }

    @Test
    void addsAmountsAndCountsWhatTheLanesShareOnce() {
        ProcessorStatus together = ProcessorStatus.together(
                List.of(lane(1, TopGroups.NONE), lane(2, TopGroups.NONE), lane(3, TopGroups.NONE)));

        assertThat(together.queueNodes()).isEqualTo(3);
        assertThat(together.stagedCycles()).isEqualTo(3);
        assertThat(together.storesOut()).isEqualTo(1);
        assertThat(together.slotsUsed()).isEqualTo(6);
        assertThat(together.warehouseBytes()).isEqualTo(6);
        assertThat(together.flushing()).isEqualTo(6);
        assertThat(together.storeOutage()).contains("out");
        assertThat(BlockPool.usedOf(together.pools())).isEqualTo(6);
        assertThat(BlockPool.waitingOf(together.pools())).isEqualTo(60);
    }

    @Test
    void oneLaneIsTheProcessor() {
        ProcessorStatus lane = lane(2, heaviest(7, 5, 4));

        assertThat(ProcessorStatus.together(List.of(lane))).isEqualTo(lane);
    }

    @Test
    void takesTheHeaviestGroupsOfTheNewestCycle() {
        TopGroups together = TopGroups.together(List.of(heaviest(7, 50, 10), heaviest(6, 99), heaviest(7, 30, 20)));

        assertThat(together.cycle()).isEqualTo(7);
        assertThat(together.points()).isEqualTo(200);
        assertThat(together.groups()).extracting(TopGroups.Group::values).containsExactly(50L, 30L);
    }
}
