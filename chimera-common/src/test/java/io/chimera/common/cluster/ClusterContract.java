package io.chimera.common.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Contract of every {@link Cluster} and {@link CycleStore} over one store. */
public abstract class ClusterContract extends ClusterKit {
    @Test
    void showsWhoAnnouncedItselfInTheOrderOfTheirIds() {
        Cluster first = join();
        Cluster second = join();
        Cluster third = join();
        first.announce(queue("q2", 12));
        second.announce(queue("q1", 11));
        third.announce(processor("p1", 21));

        until(() -> first.view().queues().equals(List.of(queue("q1", 11), queue("q2", 12))));
        until(() -> first.view().processors().equals(List.of(processor("p1", 21))));
        until(() -> first.view().registered() == 2);
        until(() -> third.view().queues().size() == 2);
    }

    @Test
    void showsTheLatestAnnouncement() {
        Cluster node = join();
        Cluster other = join();
        for (long position = 1; position <= 50; position++) {
            node.announce(queue("q1", 11, Positions.of(7, position)));
        }

        until(() -> other.view().queue(11).map(member -> member.position(7)).equals(Optional.of(50L)));
    }

    @Test
    void withdrawsAtOnceButKeepsTheQueueNodeRegistered() {
        Cluster node = join();
        Cluster other = join();
        node.announce(queue("q1", 11));
        until(() -> other.view().queues().size() == 1);

        node.close();

        until(() -> other.view().queues().isEmpty());
        assertThat(other.view().registered()).isEqualTo(1);
    }

    /** A dead node can be removed without a loss only if its registration still proves its copies. */
    @Test
    void keepsTheProofOfCopiesAfterANodeHasGone() {
        Cluster node = join();
        Cluster observer = join();
        node.announce(queue("q1", 11).with(JournalState.of(7)));
        until(() -> observer.view().queue(11).isPresent());
        assertThat(observer.view().journals().isCopied("q1", JournalGroup.DEFAULT))
                .isFalse();

        node.announce(queue("q1", 11).with(JournalState.of(7).copiedAfter(0)));
        until(() -> observer.view().journals().isCopied("q1", JournalGroup.DEFAULT));
        node.close();
        until(() -> observer.view().queues().isEmpty());

        assertThat(observer.view().journals().isCopied("q1", JournalGroup.DEFAULT))
                .isTrue();
    }

    @Test
    void countsALossWhenANodeReturnsWithAnotherJournal() {
        Cluster node = join();
        Cluster observer = join();
        node.announce(queue("q1", 11).with(JournalState.of(7).copiedAfter(0)));
        until(() -> observer.view().journals().isCopied("q1", JournalGroup.DEFAULT));
        node.close();
        Cluster again = join();
        again.announce(queue("q1", 12).with(JournalState.of(7).copiedAfter(0)));
        until(() -> observer.view().queue(12).isPresent());
        assertThat(observer.view().journals().losses()).isEqualTo(JournalLosses.NONE);
        again.close();

        join().announce(queue("q1", 13).with(JournalState.of(8)));
        until(() -> observer.view().queue(13).isPresent()
                && observer.view().journals().losses().of(JournalGroup.DEFAULT) == 1);

        assertThat(observer.view().journals().isCopied("q1", JournalGroup.DEFAULT))
                .isFalse();
    }

    /** The folder may be the mount point of a disk that is not mounted. */
    @Test
    void awaitsTheJournalThatMayHaveTheOnlyCopy() {
        Cluster node = join();
        Cluster observer = join();
        node.announce(queue("q1", 11).with(JournalState.of(7)));
        until(() -> observer.view().queue(11).isPresent());
        node.close();
        until(() -> observer.view().queues().isEmpty());

        Cluster empty = join();
        empty.announce(queue("q1", 12).with(JournalState.of(8)));
        observer.announce(queue("q2", 14));
        until(() -> empty.view().queue(14).isPresent());
        observer.announce(queue("q2", 14, Positions.of(7, 3)));
        until(() -> empty.view().queue(14).map(member -> member.position(7)).equals(Optional.of(3L)));
        assertThat(observer.view().queue(12)).isEmpty();
        assertThat(observer.view().journals().losses()).isEqualTo(JournalLosses.NONE);
        empty.close();

        join().announce(queue("q1", 13).with(JournalState.registered(7, "")));
        until(() -> observer.view().queue(13).isPresent());
        assertThat(observer.view().journals().losses()).isEqualTo(JournalLosses.NONE);
    }

    @Test
    void doesNotAnnounceAQueueNodeThatLeavesBeforeItHasJoined() {
        Cluster node = join();
        Cluster other = join();
        node.announce(leaving(queue("q1", 11)));
        other.announce(queue("q2", 12));
        until(() -> node.view().queue(12).isPresent());
        other.announce(queue("q2", 12, Positions.of(7, 3)));
        until(() -> node.view().queue(12).map(member -> member.position(7)).equals(Optional.of(3L)));

        assertThat(node.view().queue(11)).isEmpty();
        assertThat(node.view().registered()).isEqualTo(1);
    }

    @Test
    void showsALeavingQueueNodeAgainAfterItsSessionExpired() {
        Cluster node = join();
        Cluster other = join();
        node.announce(queue("q1", 11));
        until(() -> other.view().queue(11).isPresent());
        node.announce(leaving(queue("q1", 11)));
        until(() -> isLeaving(other, 11));

        expire(node);
        node.announce(leaving(queue("q1", 11, Positions.of(7, 3))));

        until(() -> other.view().queue(11).map(member -> member.position(7)).equals(Optional.of(3L)));
        assertThat(isLeaving(other, 11)).isTrue();
    }

    /** The later of two nodes that leave together must know that no other node of the group stays. */
    @Test
    void showsTheLaterOfTwoLeavingQueueNodesThatTheOtherLeaves() {
        Cluster first = join();
        Cluster second = join();
        for (int round = 0; round < 10; round++) {
            first.announce(queue("q1", 11));
            second.announce(queue("q2", 12));
            until(() -> List.of(first, second).stream()
                    .allMatch(node -> node.view().queues().equals(List.of(queue("q1", 11), queue("q2", 12)))));

            first.announce(leaving(queue("q1", 11)));
            second.announce(leaving(queue("q2", 12)));

            until(() -> isLeaving(first, 11));
            boolean isSeenByFirst = isLeaving(first, 12);
            until(() -> isLeaving(second, 12));
            boolean isSeenBySecond = isLeaving(second, 11);
            assertThat(isSeenByFirst || isSeenBySecond).as("round %s", round).isTrue();
        }
    }

    @Test
    void showsAMemberAgainAfterItsSessionExpired() {
        Cluster node = join();
        Cluster other = join();
        node.announce(queue("q1", 11));
        until(() -> other.view().queue(11).isPresent());

        expire(node);
        node.announce(queue("q1", 11, Positions.of(7, 3)));

        until(() -> other.view().queue(11).map(member -> member.position(7)).equals(Optional.of(3L)));
        until(() -> node.view().connected());
    }

    @Test
    void refusesASecondHolderOfAnIdUntilTheFirstHasLeft() {
        Cluster first = join();
        Cluster second = join();
        first.announce(processor("p1", 21));
        until(() -> second.view().processor(21).isPresent());
        second.announce(processor("p1", 22));
        first.announce(new ProcessorMember("p1", 21, "a:1", "h:2", "d", true));

        until(() -> second.view().processor(21).map(ProcessorMember::leaving).orElse(false));
        assertThat(second.view().processor(22)).isEmpty();

        first.close();

        until(() -> second.view().processors().equals(List.of(processor("p1", 22))));
    }

    @Test
    void letsAQueueNodeAndAProcessorBearTheSameId() {
        Cluster first = join();
        Cluster second = join();
        first.announce(queue("n1", 11));
        second.announce(processor("n1", 21));

        until(() ->
                first.view().queue(11).isPresent() && first.view().processor(21).isPresent());
    }

    @Test
    void beginsACycleThatEverybodySees() {
        Cluster node = join();
        CycleStore lead = leading();
        Cycle cycle = cycle(lead, 1);

        assertThat(lead.begin(cycle, assignment(0))).isTrue();

        until(() -> node.view().cycles().containsKey(1L));
        assertThat(node.view().cycles().get(1L)).isEqualTo(new OpenCycle(cycle, assignment(0), new TreeMap<>()));
        assertThat(node.view().cutBefore(1)).contains(Positions.NONE);
        assertThat(node.view().lastCut()).isEqualTo(cycle.cut());
    }

    @Test
    void beginsEachCycleOnceAndInOrder() {
        CycleStore lead = leading();

        assertThat(lead.begin(cycle(lead, 2), assignment(0))).isFalse();
        assertThat(lead.begin(cycle(lead, 1), assignment(0))).isTrue();
        assertThat(lead.begin(new Cycle(1, lead.epoch(), 5, cut(9), List.of(11L), List.of(21L)), assignment(0)))
                .isFalse();
        assertThat(lead.begin(cycle(lead, 3), assignment(0))).isFalse();
        assertThat(lead.begin(cycle(lead, 2), assignment(0))).isTrue();
        until(() -> lead.view().cycles().size() == 2);
        assertThat(lead.view().cycles().get(1L).cycle()).isEqualTo(cycle(lead, 1));
    }

    @Test
    void doesNotBeginAForgottenCycleAgain() {
        CycleStore lead = leading();
        Cluster node = join();
        commitAll(lead, node, 1);
        assertThat(lead.advance(mark(1))).isTrue();

        assertThat(lead.begin(cycle(lead, 1), assignment(0))).isFalse();
        assertThat(lead.begin(cycle(lead, 2), assignment(0))).isTrue();
    }

    @Test
    void doesNotBeginACycleOfAnotherEpoch() {
        CycleStore lead = leading();
        Cycle other = new Cycle(1, lead.epoch() + 1, 10, cut(5), List.of(11L, 12L), List.of(21L, 22L));

        assertThat(lead.begin(other, assignment(0))).isFalse();
    }

    @Test
    void replacesAnAssignmentOnlyByTheNextVersion() {
        Cluster node = join();
        CycleStore lead = leading();
        lead.begin(cycle(lead, 1), assignment(0));

        assertThat(lead.assign(1, assignment(2))).isFalse();
        assertThat(lead.assign(1, assignment(1))).isTrue();
        assertThat(lead.assign(1, new Assignment(1, List.of(12L, 12L), List.of(21L, 22L))))
                .isFalse();
        assertThat(lead.assign(7, assignment(1))).isFalse();
        until(() -> node.view().cycles().get(1L) != null
                && node.view().cycles().get(1L).assignment().equals(assignment(1)));
    }

    @Test
    void commitsUnderTheAssignmentThatStands() {
        Cluster node = join();
        CycleStore lead = leading();
        lead.begin(cycle(lead, 1), assignment(0));

        node.commit(commit(1, 0, 21), 0);
        node.commit(commit(1, 1, 22), 0);

        until(() -> isCommitted(lead, 1, 0) && isCommitted(lead, 1, 1));
        assertThat(lead.view().cycles().get(1L).commits()).containsEntry(0, commit(1, 0, 21));
        assertThat(lead.view().cycles().get(1L).commits()).containsEntry(1, commit(1, 1, 22));
    }

    @Test
    void fencesACommitUnderAnEarlierAssignment() {
        Cluster node = join();
        Cluster zombie = join();
        CycleStore lead = leading();
        lead.begin(cycle(lead, 1), assignment(0));
        lead.assign(1, assignment(1));

        zombie.commit(commit(1, 0, 99), 0);
        node.commit(commit(1, 1, 22), 1);
        zombie.commit(commit(1, 0, 99), 2);

        until(() -> isCommitted(lead, 1, 1));
        settleCommits(zombie, lead);
        assertThat(lead.view().cycles().get(1L).isCommitted(0)).isFalse();
    }

    @Test
    void keepsTheFirstOfTwoCommitsOfAShard() {
        Cluster first = join();
        Cluster second = join();
        CycleStore lead = leading();
        lead.begin(cycle(lead, 1), assignment(0));
        first.commit(commit(1, 0, 21), 0);
        until(() -> isCommitted(lead, 1, 0));

        second.commit(commit(1, 0, 99), 0);
        settleCommits(second, lead);

        assertThat(lead.view().cycles().get(1L).commits().get(0).session()).isEqualTo(21);
    }

    @Test
    void reopensACommittedCycleUnderTheNextAssignment() {
        Cluster node = join();
        CycleStore lead = leading();
        lead.begin(cycle(lead, 1), assignment(0));
        node.commit(commit(1, 0, 21), 0);
        node.commit(commit(1, 1, 22), 0);
        until(() -> isCommitted(lead, 1, 0) && isCommitted(lead, 1, 1));
        assertThat(lead.verify(1, ACCOUNTS)).isTrue();

        assertThat(lead.reopen(1, assignment(2))).as("not the next version").isFalse();
        assertThat(lead.reopen(1, assignment(1))).isTrue();
        assertThat(lead.reopen(7, assignment(1))).as("no such cycle").isFalse();
        assertThat(lead.verify(1, ACCOUNTS))
                .as("by a view with the deleted commits")
                .isFalse();

        until(() -> node.view().cycles().get(1L).assignment().version() == 1
                && node.view().cycles().get(1L).commits().isEmpty());
        node.commit(commit(1, 0, 99), 0); // a commit of the previous assignment
        node.commit(commit(1, 0, 21), 1);
        until(() -> isCommitted(lead, 1, 0));
        assertThat(lead.verify(1, ACCOUNTS)).as("one of two commits").isFalse();
        node.commit(commit(1, 1, 22), 1);
        until(() -> isCommitted(lead, 1, 1));
        assertThat(lead.view().cycles().get(1L).commits().get(0).session()).isEqualTo(21);
        assertThat(lead.verify(1, ACCOUNTS)).isTrue();
        assertThat(lead.advance(mark(1))).isTrue();
    }

    @Test
    void anOvertakenCoordinatorReopensNothing() {
        Cluster node = join();
        CycleStore lead = leading();
        lead.begin(cycle(lead, 1), assignment(0));
        node.commit(commit(1, 0, 21), 0);
        until(() -> isCommitted(lead, 1, 0));
        overtake(lead);

        assertThat(lead.reopen(1, assignment(1))).isFalse();
    }

    @Test
    void forgetsTheCyclesUpToTheLowWaterMark() {
        CycleStore lead = leading();
        Cluster node = join();
        commitAll(lead, node, 1);
        commitAll(lead, node, 2);
        lead.begin(cycle(lead, 3), assignment(0));
        assertThat(lead.verify(1, ACCOUNTS)).isTrue();
        assertThat(lead.verify(1, ACCOUNTS)).isTrue();
        assertThat(lead.verify(9, ACCOUNTS)).isFalse();

        assertThat(lead.advance(mark(2))).isTrue();
        assertThat(lead.advance(mark(2))).as("asked for again").isTrue();
        assertThat(lead.advance(mark(1))).as("never back").isFalse();

        until(() -> node.view().low().equals(mark(2)));
        until(() -> node.view().cycles().keySet().equals(Set.of(3L)));
        assertThat(node.view().cutBefore(3)).contains(cut(10));
        node.commit(commit(2, 0, 99), 0);
        settleCommits(node, lead);
        assertThat(lead.view().cycles().keySet()).doesNotContain(1L, 2L);
    }

    @Test
    void fencesACoordinatorThatWasOvertaken() {
        CycleStore lead = leading();
        lead.begin(cycle(lead, 1), assignment(0));
        long before = lead.epoch();
        Cycle second = cycle(lead, 2);
        overtake(lead);

        assertThat(lead.begin(second, assignment(0))).isFalse();
        until(() -> lead.epoch() > before + 1);
        overtake(lead);
        assertThat(lead.assign(1, assignment(1))).isFalse();
        until(() -> lead.epoch() > before + 3);
        overtake(lead);
        assertThat(lead.verify(1, ACCOUNTS)).isFalse();
        until(() -> lead.epoch() > before + 5);
        overtake(lead);
        assertThat(lead.advance(mark(1))).isFalse();

        until(() -> lead.epoch() > before + 7);
        assertThat(lead.view().cycles().get(1L).assignment().version()).isZero();
        assertThat(lead.view().low()).isEqualTo(LowMark.begin(lead.view().low().history()));
        assertThat(lead.begin(second, assignment(0))).as("of an epoch gone by").isFalse();
        assertThat(lead.begin(cycle(lead, 2), assignment(0))).isTrue();
    }

    @Test
    void handsTheLeadToAnotherCoordinatorWhenTheSessionExpires() {
        CycleStore first = leading();
        CycleStore second = lead();
        long epoch = first.epoch();
        first.begin(cycle(first, 1), assignment(0));
        Cycle late = cycle(first, 2);
        assertThat(second.epoch()).isZero();
        assertThat(second.begin(late, assignment(0))).as("does not lead").isFalse();

        expire(first);

        until(() -> second.epoch() > epoch);
        assertThat(first.begin(late, assignment(0))).isFalse();
        until(() -> second.view().cycles().containsKey(1L));
        assertThat(second.begin(cycle(second, 2), assignment(0))).isTrue();
        until(() -> first.epoch() == 0 && first.view().connected());
        until(() -> first.view().cycles().containsKey(2L));
    }

    @Test
    void handsTheLeadOnWhenItIsGivenUp() {
        CycleStore first = leading();
        CycleStore second = lead();
        long epoch = first.epoch();

        first.close();

        until(() -> second.epoch() > epoch);
    }

    @Test
    void catchesUpAfterTheStoreWasGone() {
        Cluster node = join();
        CycleStore lead = leading();
        node.announce(queue("q1", 11));
        lead.begin(cycle(lead, 1), assignment(0));
        until(() -> node.view().cycles().containsKey(1L) && lead.view().queues().size() == 1);
        Cycle second = cycle(lead, 2);

        stop();
        until(() -> !node.view().connected() && !lead.view().connected());
        until(() -> lead.epoch() == 0);
        assertThat(node.view().cycles()).as("what was known is known").containsKey(1L);
        assertThat(lead.begin(second, assignment(0))).isFalse();
        node.announce(queue("q1", 11, Positions.of(7, 9)));
        node.commit(commit(1, 0, 21), 0);
        start();

        until(() -> node.view().connected() && lead.view().connected());
        until(() -> lead.view().queue(11).map(member -> member.position(7)).equals(Optional.of(9L)));
        until(() -> isCommitted(lead, 1, 0));
        until(() -> lead.epoch() > 0);
        assertThat(lead.begin(cycle(lead, 2), assignment(0))).isTrue();
    }

    @Test
    void neverShowsACycleWithoutWhatItBeginsAbove() {
        CycleStore lead = leading();
        Cluster node = join();
        for (long number = 1; number <= 20; number++) {
            commitAll(lead, node, number);
            assertThat(lead.advance(mark(number))).isTrue();
            long last = number;
            until(() -> {
                ClusterView view = node.view();
                long known = view.cycles().isEmpty()
                        ? view.low().cycle()
                        : view.cycles().lastKey();
                assertThat(known).isEqualTo(last);
                view.cycles().keySet().forEach(open -> assertThat(view.cutBefore(open))
                        .isPresent());
                return view.low().cycle() == last;
            });
        }
    }

    @Test
    void runsAReplayCycleBesideTheLiveOnes() {
        Cluster node = join();
        CycleStore lead = leading();
        ReplayRequest request = replayOf(1, 2);
        requestReplay(request);
        until(() -> node.view().replays().current().equals(Optional.of(request)));
        assertThat(lead.begin(cycle(lead, 1), assignment(0))).isTrue();
        Cycle replay = replayCycle(lead, 1, 7);

        assertThat(lead.begin(replayCycle(lead, 2, 7), assignment(0))).isFalse();
        assertThat(lead.begin(replay, assignment(0))).isTrue();
        assertThat(lead.begin(replayCycle(lead, 1, 8), assignment(0))).isFalse();
        assertThat(lead.begin(replayCycle(lead, 2, 8), assignment(0)))
                .as("a second one")
                .isFalse();

        until(() -> node.view().open(replay.number()).isPresent());
        ClusterView view = node.view();
        assertThat(view.cycles()).containsOnlyKeys(1L);
        assertThat(view.lastCut()).isEqualTo(cut(5));
        assertThat(view.open()).hasSize(2);
        assertThat(view.cutBefore(replay.number())).contains(cut(3));
        assertThat(view.replays().open()).contains(new OpenCycle(replay, assignment(0), new TreeMap<>()));

        assertThat(lead.assign(replay.number(), assignment(1))).isTrue();
        node.commit(commit(replay.number(), 0, 21), 1);
        node.commit(commit(replay.number(), 1, 22), 1);
        until(() ->
                lead.view().open(replay.number()).map(OpenCycle::isCommitted).orElse(false));
        ReplayMark mark = new ReplayMark(replay.number(), ACCOUNTS);
        assertThat(lead.advanceReplay(mark, Optional.of(request.afterRun(ACCOUNTS))))
                .isTrue();

        until(() -> node.view().replays().mark().equals(mark));
        until(() -> node.view().replays().open().isEmpty());
        until(() -> node.view().replays().requests().get(request.id()).next() == 1);
        assertThat(node.view().isOver(replay.number())).isTrue();
        assertThat(node.view().isOver(1)).isFalse();
        assertThat(node.view().low()).isEqualTo(LowMark.begin(node.view().low().history()));
        assertThat(node.view().cycles()).containsOnlyKeys(1L);
        assertThat(lead.begin(replay, assignment(0))).isFalse();
        assertThat(lead.begin(replayCycle(lead, 2, 8), assignment(0))).isTrue();
    }

    @Test
    void liveCyclesAndReplaysAreForgottenApart() {
        Cluster node = join();
        CycleStore lead = leading();
        assertThat(lead.begin(replayCycle(lead, 1, 7), assignment(0))).isTrue();
        commitAll(lead, node, 1);

        assertThat(lead.advance(mark(1))).isTrue();

        until(() -> node.view().cycles().isEmpty());
        until(() -> node.view().replays().open().isPresent());
    }

    @Test
    void notesNoProgressOfARequestThatWasWithdrawn() {
        CycleStore lead = leading();
        ReplayRequest request = replayOf(1, 2);
        requestReplay(request);
        until(() -> !lead.view().replays().requests().isEmpty());
        withdrawReplay(request.id());

        assertThat(lead.advanceReplay(ReplayMark.NONE, Optional.of(request.afterSkip())))
                .isFalse();
        until(() -> lead.view().replays().requests().isEmpty());
        assertThat(lead.advanceReplay(ReplayMark.NONE, Optional.empty())).isTrue();
    }

    @Test
    void forgetsARequest() {
        CycleStore lead = leading();
        requestReplay(replayOf(1, 2));
        until(() -> !lead.view().replays().requests().isEmpty());

        assertThat(lead.forgetReplay("r-1")).isTrue();
        assertThat(lead.forgetReplay("r-1")).as("once more").isTrue();
        until(() -> lead.view().replays().requests().isEmpty());
    }

    @Test
    void anOvertakenConductorChangesNoReplay() {
        Cluster node = join();
        CycleStore lead = leading();
        ReplayRequest request = replayOf(1, 2);
        requestReplay(request);
        until(() -> !node.view().replays().requests().isEmpty());
        long epoch = lead.epoch();
        overtake(lead);

        assertThat(lead.advanceReplay(ReplayMark.NONE, Optional.of(request.afterSkip())))
                .isFalse();
        assertThat(epoch).isPositive();
        assertThat(node.view().replays().requests()).containsEntry(request.id(), request);
    }
}
