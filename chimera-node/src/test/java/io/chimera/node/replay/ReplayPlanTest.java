package io.chimera.node.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.cluster.CycleSpan;
import io.chimera.common.cluster.CycleTime;
import io.chimera.common.cluster.PastCycle;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.ReplayRequest;
import io.chimera.common.error.ChimeraException;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.TypeConversionException;

final class ReplayPlanTest {
    private static SortedMap<Long, PastCycle> held(long... numbers) {
        SortedMap<Long, PastCycle> held = new TreeMap<>();
        for (long number : numbers) {
            held.put(
                    number,
                    new PastCycle(
                            number,
                            CycleTime.of(1_000 * number),
                            Positions.of(7, 10 * number),
                            Positions.of(7, 10 * number + 5)));
        }
        return held;
    }

    private static CycleBound bound(String text) {
        return new CycleBound.Converter().convert(text);
    }

    private static ReplayPlan plan(String from, String to, SortedMap<Long, PastCycle> held, long last) {
        return ReplayPlan.of(bound(from), bound(to), held, last, 100, List.of("all"));
    }

    private static List<Long> numbers(ReplayPlan plan) {
        return plan.cycles().stream().map(PastCycle::number).toList();
    }

    @Test
    void takesTheCyclesBetweenTwoNumbers() {
        ReplayPlan plan = plan("3", "5", held(1, 2, 3, 4, 5, 6), 6);

        assertThat(numbers(plan)).containsExactly(3L, 4L, 5L);
        assertThat(plan.points()).isEqualTo(15);
        assertThat(plan.bytes()).isEqualTo(1_500);
        assertThat(plan.missing()).isEmpty();
        assertThat(plan.missingText()).isEmpty();
    }

    @Test
    void takesTheCyclesBetweenTwoTimes() {
        ReplayPlan plan = plan("1970-01-01T00:00:02Z", "1970-01-01T01:00:04+01:00", held(1, 2, 3, 4, 5), 5);

        assertThat(numbers(plan)).containsExactly(2L, 3L);
        assertThat(plan.isOldestHeld()).isFalse();
        assertThat(plan("1970-01-01T00:00:00Z", "4", held(3, 4, 5), 5).isOldestHeld())
                .as("what was before may be gone")
                .isTrue();
    }

    @Test
    void tellsWhatOfTheRangeIsGone() {
        ReplayPlan plan = plan("1", "9", held(3, 4, 7), 8);

        assertThat(numbers(plan)).containsExactly(3L, 4L, 7L);
        assertThat(plan.missing()).containsExactly(new CycleSpan(1, 2), new CycleSpan(5, 6), new CycleSpan(8, 8));
        assertThat(plan.missingText()).contains("No journal holds 1-2, 5-6, 8 any more.", "retain_for");
    }

    @Test
    void refusesARangeOfWhichNothingIsHeld() {
        assertThatThrownBy(() -> plan("1", "2", held(3, 4), 4))
                .isInstanceOf(ChimeraException.class)
                .hasMessageContaining("from cycle 1 to cycle 2")
                .hasMessageContaining("Available are cycles 3 (1970-01-01T00:00:03Z) to 4")
                .hasMessageContaining("queue.journal.retain_bytes");
        assertThatThrownBy(() -> plan("1", "2", held(), 4)).hasMessageContaining("no past cycles");
    }

    @Test
    void dividesManyCyclesIntoRequestsThatRunInOrder() {
        long[] numbers =
                LongStream.rangeClosed(1, ReplayRequest.CYCLES_MAX + 1L).toArray();
        List<ReplayRequest> requests = plan("1", "900", held(numbers), 900).requests("r", "p");

        assertThat(requests).extracting(ReplayRequest::id).containsExactly("r-001", "r-002");
        assertThat(requests.get(0).cycles()).hasSize(ReplayRequest.CYCLES_MAX);
        assertThat(requests.get(1).cycles()).extracting(PastCycle::number).containsExactly((long) numbers.length);
    }

    @Test
    void readsNumbersAndTimesOnly() {
        assertThat(bound("4711")).isEqualTo(new CycleBound(4711, 0));
        assertThat(bound("1970-01-01T00:00:01.5Z")).isEqualTo(new CycleBound(0, 1_500));
        for (String text : List.of("0", "-1", "yesterday", "1970-01-01", "1e3", "")) {
            assertThatThrownBy(() -> bound(text))
                    .isInstanceOf(TypeConversionException.class)
                    .hasMessageContaining("2026-05-01T10:00:00Z");
        }
    }
}
