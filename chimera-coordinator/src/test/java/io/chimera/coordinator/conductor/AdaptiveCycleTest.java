package io.chimera.coordinator.conductor;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.CyclePeriods;
import io.chimera.common.cluster.OpenCycle;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.ProcessorMember;
import io.chimera.common.cluster.ShardCommit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Periods and shares of a conductor with {@code every: auto} and {@code weight: auto}. */
final class AdaptiveCycleTest extends ConductorRig {
    private static final Duration LEAST = Duration.ofSeconds(1);
    private static final CyclePeriods BOUNDS = new CyclePeriods(LEAST, Duration.ofSeconds(8));
    private static final Duration STEP = Duration.ofMillis(10);

    private final Map<Long, Long> freeAtNs = new HashMap<>();
    private final Map<Long, Long> msPerPoint = new HashMap<>(Map.of(21L, 0L, 22L, 0L));
    private final List<Long> times = new ArrayList<>();
    private final List<Integer> shards = new ArrayList<>();
    private final Map<String, Long> doneAtNs = new HashMap<>();
    private List<Long> newest = List.of();
    private long fixedMs;
    private long position;

    @Test
    void aHighFixedCostLengthensThePeriodAndTimesStayBoundaries() {
        adaptive(1, 1);
        fixedMs = 600;
        load(Duration.ofMinutes(2));

        assertThat(lastGaps(5)).containsOnly(4_000L);
        assertThat(times).isSorted().doesNotHaveDuplicates().allMatch(time -> time % LEAST.toMillis() == 0);
        assertThat(times.subList(times.size() - 5, times.size())).allMatch(time -> time % 4_000 == 0);
    }

    @Test
    void aLowerFixedCostShortensThePeriodAgain() {
        adaptive(1, 1);
        fixedMs = 600;
        load(Duration.ofMinutes(2));
        fixedMs = 10;
        load(Duration.ofMinutes(3));

        assertThat(lastGaps(5)).containsOnly(1_000L);
        assertThat(times).isSorted().doesNotHaveDuplicates().allMatch(time -> time % LEAST.toMillis() == 0);
    }

    @Test
    void anotherConductorBeginsWithTheShortestPeriodAndLaterTimes() {
        adaptive(1, 1);
        fixedMs = 600;
        load(Duration.ofMinutes(2));

        anotherConductor(BOUNDS);
        int before = times.size();
        load(Duration.ofSeconds(4));

        assertThat(times.size() - before).isGreaterThanOrEqualTo(3);
        assertThat(times).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void equalSituationsGiveEqualCycles() {
        adaptive(0, 0);
        fixedMs = 300;
        msPerPoint.put(22L, 4L);
        load(Duration.ofSeconds(100));
        List<Long> first = List.copyOf(times);
        List<Integer> firstShards = List.copyOf(shards);

        AdaptiveCycleTest other = new AdaptiveCycleTest();
        other.start();
        other.adaptive(0, 0);
        other.fixedMs = 300;
        other.msPerPoint.put(22L, 4L);
        other.load(Duration.ofSeconds(100));

        assertThat(other.times).isEqualTo(first);
        assertThat(other.shards).isEqualTo(firstShards);
    }

    @Test
    void aSlowProcessorGetsFewerShards() {
        adaptive(0, 0);
        msPerPoint.put(21L, 8L);
        msPerPoint.put(22L, 16L);
        load(Duration.ofMinutes(1));

        List<Long> processors = newest;
        assertThat(processors).hasSize(3);
        assertThat(processors.stream().filter(session -> session == 21)).hasSize(2);
    }

    @Test
    void sharesSurviveAnotherConductorWhileACycleIsOpen() {
        adaptive(0, 0);
        msPerPoint.put(21L, 8L);
        msPerPoint.put(22L, 16L);
        load(Duration.ofMinutes(1));
        msPerPoint.put(22L, 100_000L);
        load(Duration.ofSeconds(5));
        assertThat(view().cycles()).isNotEmpty();
        int before = shards.size();

        anotherConductor(CyclePeriods.fixed(LEAST));
        freeAtNs.clear();
        msPerPoint.put(22L, 0L);
        load(Duration.ofSeconds(5));

        assertThat(shards.subList(before, shards.size())).isNotEmpty().containsOnly(3);
    }

    @Test
    void aConfiguredWeightCountsFromTheFirstCycle() {
        adaptive(3, 1);
        load(Duration.ofSeconds(3));

        assertThat(newest).containsExactly(21L, 22L, 21L, 21L);
        assertThat(view().low().totals().unaccounted()).isZero();
    }

    private void anotherConductor(CyclePeriods periods) {
        conductor = new Conductor(cluster.lead(), clock, settings(periods, 2), counters, events::add);
        lead.expire();
    }

    private void adaptive(int firstWeight, int secondWeight) {
        CyclePeriods periods = firstWeight == 0 ? CyclePeriods.fixed(LEAST) : BOUNDS;
        conductor = new Conductor(lead, clock, settings(periods, 2), counters, events::add);
        announce("q1", Positions.NONE);
        announce("q2", Positions.NONE);
        announce(processor("p1", 21, firstWeight));
        announce(processor("p2", 22, secondWeight));
    }

    private static ProcessorMember processor(String id, long session, int weight) {
        return new ProcessorMember(
                id, session, "a", "h", List.of(new ConfigurationDigest("d")), false, List.of(), weight);
    }

    /** Runs the conductor with 100 points per second; processors commit after their time. */
    private void load(Duration duration) {
        long end = clock.nanoTime() + duration.toNanos();
        while (clock.nanoTime() < end) {
            clock.advance(STEP);
            if (clock.epochMs() % 100 < STEP.toMillis()) {
                position += 10;
                journal(A, position);
            }
            conductor.doWork();
            cluster.truth().cycles().values().forEach(this::work);
        }
    }

    private void work(OpenCycle open) {
        long number = open.cycle().number();
        if (times.isEmpty() || open.cycle().timeMs() > times.get(times.size() - 1)) {
            times.add(open.cycle().timeMs());
            shards.add(open.cycle().shards());
            newest = open.cycle().processors();
            for (long session : List.of(21L, 22L)) {
                long points = points(open)
                        * open.cycle().processors().stream()
                                .filter(processor -> processor == session)
                                .count()
                        / open.cycle().shards();
                long ns = Duration.ofMillis(fixedMs + points * msPerPoint.get(session))
                        .toNanos();
                doneAtNs.put(
                        number + "/" + session, Math.max(clock.nanoTime(), freeAtNs.getOrDefault(session, 0L)) + ns);
                freeAtNs.put(session, doneAtNs.get(number + "/" + session));
            }
        }
        for (int shard = 0; shard < open.cycle().shards(); shard++) {
            long session = open.assignment().processors().get(shard);
            long doneNs = freeAtNs.containsKey(session) ? doneAtNs.getOrDefault(number + "/" + session, 0L) : 0;
            if (!open.isCommitted(shard) && clock.nanoTime() >= doneNs) {
                long points = points(open) * (shard + 1) / open.cycle().shards()
                        - points(open) * shard / open.cycle().shards();
                cluster.join()
                        .commit(
                                new ShardCommit(
                                        number, shard, session, new ShardCommit.Accounts(points, 0, 0, 0), points, 1),
                                open.assignment().version());
            }
        }
    }

    private long points(OpenCycle open) {
        return open.cycle()
                .cut()
                .recordsSince(cluster.truth().cutBefore(open.cycle().number()).orElseThrow());
    }

    private List<Long> lastGaps(int count) {
        List<Long> gaps = new ArrayList<>();
        for (int i = times.size() - count; i < times.size(); i++) {
            gaps.add(times.get(i) - times.get(i - 1));
        }
        return gaps;
    }
}
