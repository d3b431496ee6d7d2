package io.chimera.processor.staging.composer;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.CycleSpan;
import io.chimera.common.cluster.CycleTime;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.LowMark;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.QueueMember;
import io.chimera.processor.staging.composer.PastCycleRequests.Answer;
import io.chimera.processor.staging.composer.PastCycleRequests.Ask;
import io.chimera.processor.staging.composer.PastCycleRequests.Outcome;
import io.chimera.processor.staging.warehouse.KeptEntries;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rebuild of the state for cycle 5, from queue nodes with given past cycles. */
final class RebuildTest {
    private static final long TARGET = 5;
    private static final long PIPELINE_HORIZON_MS = 60_000;
    private static final long SESSION = 7;

    private final PastCycleRequests desk = new PastCycleRequests();
    private final List<String> did = new ArrayList<>();
    private boolean blocksFail;
    private long nowNs;
    private int requests;

    /** Queue nodes of the last request. */
    private List<Long> askedQueues = List.of();

    private final Rebuild.Applier applier = new Rebuild.Applier() {
        @Override
        public void reset(BitSet partitions) {
            did.add("reset " + partitions);
        }

        @Override
        public boolean apply(CycleTime time, List<KeptEntries> parts, BitSet partitions) {
            did.add("apply " + time.rowsMs());
            return !blocksFail;
        }

        @Override
        public void full(Waiting target) {
            did.add("full");
        }

        @Override
        public int nextRequest() {
            return ++requests;
        }
    };

    private Rebuild rebuild(long target) {
        BitSet partitions = new BitSet();
        partitions.set(3);
        Cycle cycle = new Cycle(target, 1, target * 1_000, Positions.NONE, List.of(1L), List.of(SESSION));
        return new Rebuild(
                new Waiting(null, cycle, 0, partitions), // the rebuild does not use the shard
                partitions,
                new Rebuild.Requester(PIPELINE_HORIZON_MS, 0, SESSION),
                desk,
                applier,
                nowNs);
    }

    private static QueueMember queue(long session, CycleSpan... past) {
        return queue(JournalGroup.DEFAULT, session, past);
    }

    private static QueueMember queue(JournalGroup group, long session, CycleSpan... past) {
        return new QueueMember(
                "q" + session,
                group,
                session,
                "",
                "",
                session,
                List.of(ConfigurationDigest.NONE),
                Positions.NONE,
                Positions.NONE,
                false,
                List.of(),
                0,
                Arrays.asList(past));
    }

    /** Returns a view with all registered queue nodes present. */
    private static ClusterView view(QueueMember... queues) {
        return view(queues.length, queues);
    }

    private static ClusterView view(int registered, QueueMember... queues) {
        return new ClusterView(1, true, Arrays.asList(queues), List.of(), registered, new TreeMap<>(), LowMark.NONE);
    }

    /** Returns the request after a step; null for none. */
    private Ask step(Rebuild rebuild, ClusterView view) {
        rebuild.step(view, nowNs);
        Ask ask = desk.asked();
        askedQueues = ask == null ? askedQueues : ask.queues();
        return ask;
    }

    /** Answers the last request; all asked nodes fail, except for the outcome WHOLE. */
    private void answer(Rebuild rebuild, ClusterView view, Outcome outcome, long cycle) {
        answer(rebuild, view, outcome, cycle, outcome == Outcome.WHOLE ? List.of() : askedQueues);
    }

    private void answer(Rebuild rebuild, ClusterView view, Outcome outcome, long cycle, List<Long> failed) {
        Answer answer = new Answer(requests, outcome, cycle, CycleTime.of(cycle * 1_000), List.of(), failed);
        assertThat(rebuild.isFor(answer)).isTrue();
        rebuild.on(answer, view, nowNs);
    }

    private void pass(long ms) {
        nowNs += TimeUnit.MILLISECONDS.toNanos(ms);
    }

    @Test
    void aheadOfTheFirstCycleThereIsNothingToBuild() {
        Rebuild rebuild = rebuild(1);

        assertThat(rebuild.isDone()).isTrue();
        assertThat(rebuild.isShort()).isFalse();
        assertThat(did).containsExactly("reset {3}");
    }

    @Test
    void appliesTheCyclesOfTheHorizonInTheirOrderAndNoOther() {
        ClusterView view = view(queue(1, new CycleSpan(1, 4)));
        Rebuild rebuild = rebuild(TARGET);

        assertThat(step(rebuild, view).request())
                .returns(1L, request -> request.cycles().first())
                .returns(4L, request -> request.cycles().last())
                .returns(PIPELINE_HORIZON_MS, request -> request.cycles().horizonMs());
        answer(rebuild, view, Outcome.WHOLE, 3); // 1 and 2 are older than the horizon
        assertThat(rebuild.isDone()).isFalse();
        assertThat(step(rebuild, view).request().cycles().first()).isEqualTo(4);
        answer(rebuild, view, Outcome.WHOLE, 4);

        assertThat(did).containsExactly("reset {3}", "apply 3000", "apply 4000");
        assertThat(rebuild.isDone()).isTrue();
        assertThat(rebuild.isShort()).isFalse();
        assertThat(step(rebuild, view)).isNull();
    }

    @Test
    void asksOneAtATimeAndTakesNoAnswerToWhatItAskedBefore() {
        ClusterView view = view(queue(1, new CycleSpan(1, 4)), queue(2, new CycleSpan(1, 4)));
        Rebuild rebuild = rebuild(TARGET);
        long asked = step(rebuild, view).queues().get(0);
        Answer late = new Answer(requests, Outcome.WHOLE, 1, CycleTime.of(1_000), List.of(), List.of());
        assertThat(step(rebuild, view)).isNull();

        pass(4_000);
        desk.frameCame();
        assertThat(step(rebuild, view)).isNull();
        pass(4_000);
        assertThat(step(rebuild, view)).as("a frame came since").isNull();
        pass(1_500);
        step(rebuild, view);
        pass(100);
        Ask other = step(rebuild, view);

        assertThat(other.queues().get(0)).isNotEqualTo(asked);
        assertThat(other.request().cycles().first()).isEqualTo(1);
        assertThat(rebuild.isFor(late)).isFalse();
    }

    @Test
    void waitsOnceForTheNodesOfAMissingJournalGroupThenSkipsItsCycles() {
        ClusterView view = view(queue(1, new CycleSpan(1, 4)));
        Rebuild rebuild = rebuild(TARGET);
        assertThat(step(rebuild, view).request().cycles().first()).isEqualTo(1);
        answer(rebuild, view, Outcome.INCOMPLETE, 1);
        pass(500);
        assertThat(step(rebuild, view).request().cycles().first())
                .as("a node of the group may return")
                .isEqualTo(1);

        pass(30_000);
        answer(rebuild, view, Outcome.INCOMPLETE, 1);
        assertThat(rebuild.isShort()).isTrue();
        assertThat(step(rebuild, view).request().cycles().first()).isEqualTo(2);

        answer(rebuild, view, Outcome.INCOMPLETE, 2);
        assertThat(step(rebuild, view).request().cycles().first())
                .as("without another wait")
                .isEqualTo(3);
    }

    @Test
    void asksAnotherNodeWhenOneHasBrokenFramesOrLetGoOfTheCycle() {
        ClusterView view = view(queue(1, new CycleSpan(1, 4)), queue(2, new CycleSpan(1, 4)));
        Rebuild rebuild = rebuild(TARGET);
        List<Long> asked = new ArrayList<>();
        for (Outcome outcome : List.of(Outcome.FAILED, Outcome.NONE, Outcome.WHOLE)) {
            asked.add(step(rebuild, view).queues().get(0));
            answer(rebuild, view, outcome, 1);
            pass(100);
        }

        assertThat(asked).containsExactly(1L, 2L, 1L);
        assertThat(did).containsExactly("reset {3}", "apply 1000");
    }

    /** Way in which the dead nodes of a request fail. */
    private enum Fault {
        /** One dead node after the other has no channel or sends broken frames. */
        FAILED,
        /** The dead nodes lack the cycle. */
        INCOMPLETE,
        /** The dead nodes send nothing. */
        SILENT
    }

    @ParameterizedTest
    @EnumSource
    void asksEveryPairOfNodesOfTwoGroups(Fault fault) {
        CycleSpan all = new CycleSpan(1, 4);
        JournalGroup east = new JournalGroup("east");
        ClusterView view = view(queue(1, all), queue(2, all), queue(east, 3, all), queue(east, 4, all));
        for (long deadOfMain : List.of(0L, 1L, 2L)) {
            for (long deadOfEast : List.of(0L, 3L, 4L)) {
                Rebuild rebuild = rebuild(TARGET);
                for (int i = 0; i < 20 && !rebuild.isDone(); i++) {
                    answerWith(fault, rebuild, view, List.of(deadOfMain, deadOfEast));
                }
                assertThat(rebuild.isDone())
                        .as("dead nodes %d and %d", deadOfMain, deadOfEast)
                        .isTrue();
                assertThat(rebuild.isShort()).isFalse();
            }
        }
    }

    private void answerWith(Fault fault, Rebuild rebuild, ClusterView view, List<Long> dead) {
        Ask ask = step(rebuild, view);
        if (ask == null) {
            pass(500);
            return;
        }
        List<Long> failed = ask.queues().stream().filter(dead::contains).toList();
        long cycle = ask.request().cycles().first();
        if (failed.isEmpty()) {
            answer(rebuild, view, Outcome.WHOLE, cycle);
            return;
        }
        switch (fault) {
            case FAILED -> answer(rebuild, view, Outcome.FAILED, cycle, failed.subList(0, 1));
            case INCOMPLETE -> answer(rebuild, view, Outcome.INCOMPLETE, cycle, failed);
            case SILENT -> {
                ask.queues().stream()
                        .filter(session -> !dead.contains(session))
                        .forEach(session -> desk.settle(ask.request().number(), session));
                pass(6_000);
            }
        }
    }

    @Test
    void waitsForANodeThatDoesNotSayYetWhatItHolds() {
        Rebuild rebuild = rebuild(TARGET);
        assertThat(step(rebuild, view(queue(1)))).isNull();
        pass(29_000);
        assertThat(step(rebuild, view(queue(1)))).isNull();
        assertThat(rebuild.isDone()).isFalse();

        assertThat(step(rebuild, view(queue(1, new CycleSpan(1, 4))))
                        .request()
                        .cycles()
                        .first())
                .isEqualTo(1);
    }

    @Test
    void beginsWithNothingWhenNobodyHoldsAnything() {
        Rebuild rebuild = rebuild(TARGET);
        step(rebuild, view(queue(1)));
        pass(30_000);
        step(rebuild, view(queue(1)));

        assertThat(rebuild.isDone()).isTrue();
        assertThat(rebuild.isShort()).isTrue();
    }

    @Test
    void beginsAnewBehindACycleThatWasLetGoOfMeanwhile() {
        ClusterView all = view(queue(1, new CycleSpan(1, 4)));
        ClusterView rest = view(queue(1, new CycleSpan(4, 4)));
        Rebuild rebuild = rebuild(TARGET);
        step(rebuild, all);
        answer(rebuild, all, Outcome.WHOLE, 1);
        assertThat(step(rebuild, rest)).isNull();
        pass(30_000);
        step(rebuild, rest);
        assertThat(step(rebuild, rest).request().cycles().first()).isEqualTo(4);
        answer(rebuild, rest, Outcome.WHOLE, 4);

        assertThat(did).containsExactly("reset {3}", "apply 1000", "reset {3}", "apply 4000");
        assertThat(rebuild.isDone()).isTrue();
        assertThat(rebuild.isShort()).isTrue();
    }

    @Test
    void doesNotBeginWithTheOldestCycleWhileANodeIsAwayThatMayHoldOlderOnes() {
        ClusterView without = view(2, queue(1, new CycleSpan(3, 4)));
        ClusterView with = view(queue(1, new CycleSpan(3, 4)), queue(2, new CycleSpan(1, 3)));
        Rebuild rebuild = rebuild(TARGET);
        assertThat(step(rebuild, without).request().cycles().first()).isEqualTo(3);
        answer(rebuild, without, Outcome.WHOLE, 3);
        assertThat(step(rebuild, without)).isNull();
        pass(500);

        Ask ask = step(rebuild, with);

        assertThat(ask.queues().get(0)).isEqualTo(2);
        assertThat(ask.request().cycles().first()).isEqualTo(1);
        assertThat(did).containsExactly("reset {3}");
        assertThat(rebuild.isShort()).isFalse();
    }

    @Test
    void asksForTheSameCycleAgainWhenThereWasNoRoomForIt() {
        ClusterView view = view(queue(1, new CycleSpan(1, 4)));
        Rebuild rebuild = rebuild(TARGET);
        step(rebuild, view);
        answer(rebuild, view, Outcome.FULL, 1);
        assertThat(step(rebuild, view)).isNull();
        pass(1_000);

        assertThat(step(rebuild, view).request().cycles().first()).isEqualTo(1);
        assertThat(did).containsExactly("reset {3}", "full");
    }

    @Test
    void failsWithItsBlocks() {
        ClusterView view = view(queue(1, new CycleSpan(1, 4)));
        Rebuild rebuild = rebuild(TARGET);
        blocksFail = true;
        step(rebuild, view);
        answer(rebuild, view, Outcome.WHOLE, 1);

        assertThat(rebuild.isFailed()).isTrue();
        assertThat(rebuild.isDone()).isFalse();
    }
}
