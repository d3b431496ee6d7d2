package io.chimera.coordinator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.cluster.Assignment;
import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.CycleTime;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.LowMark;
import io.chimera.common.cluster.OpenCycle;
import io.chimera.common.cluster.PastCycle;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.Replays;
import io.chimera.common.cluster.Roster;
import io.chimera.common.cluster.control.ControlState;
import io.chimera.coordinator.plan.RecoveryPlan.Choice;
import io.chimera.coordinator.plan.RecoveryPlan.Plan;
import io.chimera.coordinator.plan.RecoveryPlan.Source;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Tests the rebuild of a lost tree: exactly the newest copy, or a refusal when points would be lost or counted twice.
 */
final class RecoveryTest {
    private static final long A = 0xa;
    private static final Choice NONE = new Choice(Set.of(), false, 2, 9_000);
    private static final ControlState EMPTY =
            new ControlState(LowMark.begin("new"), 1, Roster.of(List.of("q1")), new TreeMap<>(), Replays.NONE);

    @Test
    void takesTheNewestCopyWithItsOpenCycles() {
        ControlState newest = copy("old", 7, open(8, 80), open(9, 90));

        Plan plan = plan(NONE, source("q1", copy("old", 7, open(8, 80))), source("q2", newest));

        assertThat(plan.refusals()).isEmpty();
        assertThat(plan.isNeeded()).isTrue();
        assertThat(plan.state()).isEqualTo(newest);
        assertThat(plan.findings()).anyMatch(text -> text.startsWith("Cycle 9 is open with 10 points"));
    }

    @Test
    void aLaterMarkIsNewerThanMoreOpenCycles() {
        ControlState newest = copy("old", 9);

        Plan plan = plan(NONE, source("q1", copy("old", 7, open(8, 80), open(9, 90))), source("q2", newest));

        assertThat(plan.state().low().cycle()).isEqualTo(9);
        assertThat(plan.state().cycles()).isEmpty();
    }

    @Test
    void aLaterAssignmentOfOneCycleIsNewer() {
        OpenCycle first = open(8, 80);
        OpenCycle reassigned = new OpenCycle(
                first.cycle(),
                new Assignment(2, new ConfigurationDigest("d"), List.of(1L), List.of(3L)),
                new TreeMap<>());

        Plan plan = plan(NONE, source("q1", copy("old", 7, reassigned)), source("q2", copy("old", 7, first)));
        Plan other = plan(NONE, source("q1", copy("old", 7, first)), source("q2", copy("old", 7, reassigned)));

        assertThat(plan.state().cycles().get(8L)).isEqualTo(reassigned);
        assertThat(other.state().cycles().get(8L)).isEqualTo(reassigned);
    }

    /** The node would be refused as removed. */
    @Test
    void registersANodeThatJoinedAfterTheNewestCycle() {
        ControlState before = copy("old", 7);
        ControlState after = new ControlState(
                before.low(), before.epoch(), Roster.of(List.of("q1", "q2", "q3")), before.cycles(), before.replays());

        for (List<ControlState> copies : List.of(List.of(before, after), List.of(after, before))) {
            Plan plan = plan(NONE, source("q1", copies.get(0)), source("q2", copies.get(1)), source("q3", after));

            assertThat(plan.state().roster().ids()).containsExactly("q1", "q2", "q3");
        }
    }

    @Test
    void refusesWhileANodeThatOnlyOneCopyNamesHasNotBeenAsked() {
        ControlState before = copy("old", 7);
        ControlState after = new ControlState(
                before.low(), before.epoch(), Roster.of(List.of("q1", "q2", "q3")), before.cycles(), before.replays());

        for (List<ControlState> copies : List.of(List.of(before, after), List.of(after, before))) {
            Plan plan = plan(NONE, source("q1", copies.get(0)), source("q2", copies.get(1)));

            assertThat(plan.refusals()).anyMatch(text -> text.contains("q3") && text.contains("--without"));
        }
    }

    @Test
    void refusesWhileAMemberOfTheGroupHasNotBeenAsked() {
        Source known = source("q1", copy("old", 7));

        assertThat(plan(NONE, known).refusals()).anyMatch(text -> text.contains("q2") && text.contains("--without"));
        assertThat(plan(new Choice(Set.of("q2"), false, 2, 0), known).refusals())
                .isEmpty();
    }

    @Test
    void refusesCopiesOfTwoHistories() {
        Plan plan = plan(NONE, source("q1", copy("old", 7)), source("q2", copy("other", 9)));

        assertThat(plan.refusals()).anyMatch(text -> text.contains("different histories"));
    }

    @Test
    void refusesCopiesThatNameOneCycleTwice() {
        Plan plan = plan(NONE, source("q1", copy("old", 7, open(8, 80))), source("q2", copy("old", 7, open(8, 81))));

        assertThat(plan.refusals()).anyMatch(text -> text.contains("different contents for cycle 8"));
    }

    @Test
    void refusesWhatAJournalHasLetGoOfAlready() {
        Source ahead = new Source("q2", JournalGroup.DEFAULT, copy("old", 7), cut(75), cut(90), new TreeMap<>(), 0);

        assertThat(plan(NONE, source("q1", copy("old", 7)), ahead).refusals())
                .anyMatch(text -> text.contains("q2") && text.contains("deleted"));
    }

    @Test
    void refusesCopiesThatAreOlderThanWhatAJournalNoted() {
        Source noted = new Source("q1", JournalGroup.DEFAULT, copy("old", 7), cut(70), cut(90), new TreeMap<>(), 9);

        assertThat(plan(NONE, noted, source("q2", copy("old", 7, open(8, 80)))).refusals())
                .anyMatch(text -> text.contains("q1") && text.contains("up to 9") && text.contains("after 8"));
        assertThat(plan(NONE, noted, source("q2", copy("old", 7, open(8, 80), open(9, 90))))
                        .refusals())
                .isEmpty();
    }

    @Test
    void refusesATreeThatHasCyclesOfItsOwn() {
        ControlState begun = copy("new", 3);

        Plan plan = RecoveryPlan.plan(
                begun, true, List.of(source("q1", copy("old", 7)), source("q2", copy("old", 7))), NONE);

        assertThat(plan.refusals()).anyMatch(text -> text.contains("have begun in this tree"));
    }

    @Test
    void leavesATreeAloneThatContinuesTheCopies() {
        ControlState tree = copy("old", 8, open(9, 90));

        Plan plan = RecoveryPlan.plan(tree, true, List.of(source("q1", copy("old", 7, open(8, 80)))), NONE);

        assertThat(plan.isNeeded()).isFalse();
        assertThat(plan.refusals()).isEmpty();
    }

    @Test
    void rebuildsADamagedTreeThatIsNotBehind() {
        ControlState damaged = new ControlState(
                LowMark.NONE,
                5,
                Roster.of(List.of("q1", "q2")),
                copy("old", 7, open(8, 80)).cycles(),
                Replays.NONE);
        ControlState copy = copy("old", 7, open(8, 80));

        Plan plan = RecoveryPlan.plan(damaged, false, List.of(source("q1", copy), source("q2", copy)), NONE);

        assertThat(plan.isNeeded()).isTrue();
        assertThat(plan.state().low()).isEqualTo(copy.low());
        assertThat(plan.state().epoch()).isEqualTo(5);
    }

    @Test
    void usesMarksAndNotesOnlyWhenAskedTo() {
        Source marks = new Source(
                "q1",
                JournalGroup.DEFAULT,
                ControlState.NONE,
                cut(70),
                cut(95),
                notes(note(7, 60, 70), note(8, 70, 80)),
                8);

        assertThat(plan(NONE, marks).refusals()).anyMatch(text -> text.contains("--from-marks"));
        Plan plan = plan(new Choice(Set.of(), true, 2, 9_000), marks);
        assertThat(plan.refusals()).isEmpty();
        assertThat(plan.state().low().cycle()).isEqualTo(7);
        assertThat(plan.state().low().timeMs()).isEqualTo(700);
        assertThat(plan.state().low().cut()).isEqualTo(cut(70));
        assertThat(plan.state().cycles().get(8L).cycle().cut()).isEqualTo(cut(80));
    }

    @Test
    void givesNoTimeThatALaterCycleMayHaveHad() {
        Source marks =
                new Source("q1", JournalGroup.DEFAULT, ControlState.NONE, cut(75), cut(95), notes(note(7, 60, 70)), 0);

        assertThat(plan(new Choice(Set.of(), true, 2, 9_000), marks)
                        .state()
                        .low()
                        .timeMs())
                .isEqualTo(9_000);
    }

    /** Marks do not name groups: a tree without registrations looks like one of the default group. */
    @Test
    void refusesMarksOfJournalsOfSeveralGroups() {
        Source lane = new Source(
                "q1.1", JournalGroup.DEFAULT.lane(1), ControlState.NONE, cut(75), cut(95), new TreeMap<>(), 0);

        assertThat(plan(new Choice(Set.of(), true, 2, 9_000), lane).refusals())
                .anySatisfy(refusal -> assertThat(refusal).contains("lanes or journal groups"));
    }

    @Test
    void doesNothingWhereNobodyKnowsACycle() {
        Plan plan = plan(
                NONE,
                new Source("q1", JournalGroup.DEFAULT, ControlState.NONE, Positions.NONE, cut(5), new TreeMap<>(), 0));

        assertThat(plan.isNeeded()).isFalse();
        assertThat(plan.refusals()).isEmpty();
    }

    @Test
    void refusesWhereQueueNodesWereNotRead() {
        Plan nobody = plan(NONE);
        assertThat(nobody.refusals()).singleElement().asString().contains("q1").contains("--from");
        assertThat(nobody.isNeeded()).isTrue();

        ControlState members = new ControlState(
                LowMark.begin("new"), 1, Roster.of(List.of("q1", "q2")), new TreeMap<>(), Replays.NONE);
        Source empty =
                new Source("q1", JournalGroup.DEFAULT, ControlState.NONE, Positions.NONE, cut(5), new TreeMap<>(), 0);
        assertThat(RecoveryPlan.plan(members, true, List.of(empty), NONE).refusals())
                .singleElement()
                .asString()
                .contains("q2");
        Choice without = new Choice(Set.of("q2"), false, 2, 0);
        assertThat(RecoveryPlan.plan(members, true, List.of(empty), without).refusals())
                .isEmpty();

        ControlState nobodyKnown =
                new ControlState(LowMark.begin("new"), 1, Roster.NONE, new TreeMap<>(), Replays.NONE);
        assertThat(RecoveryPlan.plan(nobodyKnown, true, List.of(), NONE).refusals())
                .singleElement()
                .asString()
                .contains("--from");
    }

    private static Plan plan(Choice choice, Source... sources) {
        return RecoveryPlan.plan(EMPTY, true, List.of(sources), choice);
    }

    private static Source source(String id, ControlState copy) {
        return new Source(id, JournalGroup.DEFAULT, copy, cut(70), cut(95), new TreeMap<>(), 0);
    }

    private static ControlState copy(String history, long low, OpenCycle... open) {
        SortedMap<Long, OpenCycle> cycles = new TreeMap<>();
        Arrays.stream(open).forEach(each -> cycles.put(each.cycle().number(), each));
        LowMark mark =
                new LowMark(low, low * 100, cut(low * 10), new ConfigurationDigest("d"), LowMark.Totals.ZERO, history);
        return new ControlState(mark, 4, Roster.of(List.of("q1", "q2")), cycles, Replays.NONE);
    }

    private static OpenCycle open(long number, long upTo) {
        Cycle cycle = new Cycle(number, 4, number * 100, cut(upTo), List.of(1L), List.of(2L));
        return new OpenCycle(
                cycle, new Assignment(1, new ConfigurationDigest("d"), List.of(1L), List.of(2L)), new TreeMap<>());
    }

    private static SortedMap<Long, PastCycle> notes(PastCycle... notes) {
        SortedMap<Long, PastCycle> all = new TreeMap<>();
        Arrays.stream(notes).forEach(note -> all.put(note.number(), note));
        return all;
    }

    private static PastCycle note(long number, long before, long upTo) {
        return new PastCycle(number, CycleTime.of(number * 100), 1, cut(before), cut(upTo));
    }

    private static Positions cut(long upTo) {
        return Positions.of(A, upTo);
    }
}
