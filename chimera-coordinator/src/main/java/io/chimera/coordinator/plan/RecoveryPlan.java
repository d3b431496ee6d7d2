package io.chimera.coordinator.plan;

import io.chimera.common.cluster.Assignment;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.ControlMark;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.CycleSpan;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.LowMark;
import io.chimera.common.cluster.OpenCycle;
import io.chimera.common.cluster.PastCycle;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.cluster.Replays;
import io.chimera.common.cluster.Roster;
import io.chimera.common.cluster.StreamRange;
import io.chimera.common.cluster.control.ControlState;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Decides the content of a tree to rebuild after loss or damage, from the control copies in the data folders of queue
 * nodes, or refuses. Pure: the caller reads the sources and writes the result.
 *
 * <p>A queue node sends a part of a cycle only after its control copy names the cycle. So a cycle without a copy at its
 * owners has no row in any store: its points are still in the journals and belong to later cycles. The newest copy of
 * the whole group is therefore exact.
 */
public final class RecoveryPlan {
    private static final Comparator<ControlState> BY_PROGRESS = Comparator.<ControlState>comparingLong(
                    state -> state.low().cycle())
            .thenComparingLong(ControlState::newest)
            .thenComparingLong(ControlState::reassignments)
            .thenComparingLong(state -> state.replays().mark().cycle())
            .thenComparingLong(state -> state.replays().open().isPresent() ? 1 : 0);

    /**
     * Data folder of one queue node.
     *
     * @param id id of the queue node
     * @param group journal group of the queue node
     * @param copy its control copy; {@link ControlState#NONE} when the copy is missing or damaged
     * @param bases per stream: the journal holds only records above this sequence number; all records up to it are in
     *     verified cycles
     * @param positions per stream: the journal holds all records up to this sequence number; empty when unread
     * @param notes cycles noted in the journal, by number; empty when unread
     * @param noted number of the newest cycle that the journal noted as committed; 0 if none
     */
    public record Source(
            String id,
            JournalGroup group,
            ControlState copy,
            Positions bases,
            Positions positions,
            SortedMap<Long, PastCycle> notes,
            long noted) {
        /** Copies the notes. */
        public Source {
            notes = Collections.unmodifiableSortedMap(new TreeMap<>(notes));
        }

        /** Creates the source of a data folder that was read directly. */
        public static Source ofFolder(
                String id, JournalGroup group, ControlState copy, Positions bases, SortedMap<Long, PastCycle> notes) {
            return new Source(id, group, copy, bases, Positions.NONE, notes, notes.isEmpty() ? 0 : notes.lastKey());
        }

        /** Creates the source of a running queue node: the numbers of its noted cycles, without their contents. */
        public static Source ofMember(QueueMember member, ControlState copy) {
            long noted = member.past().stream().mapToLong(CycleSpan::last).max().orElse(0);
            return new Source(
                    member.id(), member.group(), copy, member.bases(), member.positions(), new TreeMap<>(), noted);
        }

        /** Returns whether the journal holds a range, as far as its positions were read. */
        private boolean mayHold(StreamRange range) {
            return positions.isEmpty()
                    || (bases.at(range.stream()) <= range.after() && positions.at(range.stream()) >= range.upTo());
        }
    }

    /**
     * Decisions of the operator.
     *
     * @param without ids of queue nodes to ignore
     * @param fromMarks whether to rebuild from low-water marks and noted cycles where there is no copy
     * @param shards number of shards of cycles rebuilt from notes
     * @param nowMs wall clock: lower bound for the times of later cycles when the times of earlier cycles are unknown
     */
    public record Choice(Set<String> without, boolean fromMarks, int shards, long nowMs) {
        /** Copies the ids. */
        public Choice {
            without = Set.copyOf(without);
        }
    }

    /**
     * The decision.
     *
     * @param state new content of the tree
     * @param isNeeded whether the tree has less content
     * @param findings information for the operator, in sentences
     * @param refusals reasons against writing, with remedies, in sentences; empty when the tree may be written
     */
    public record Plan(ControlState state, boolean isNeeded, List<String> findings, List<String> refusals) {
        /** Copies the lists. */
        public Plan {
            findings = List.copyOf(findings);
            refusals = List.copyOf(refusals);
        }
    }

    private final ControlState tree;
    private final boolean isTreeSound;
    private final List<Source> sources;
    private final Choice choice;
    private final List<String> findings = new ArrayList<>();
    private final List<String> refusals = new ArrayList<>();

    private RecoveryPlan(ControlState tree, boolean isTreeSound, List<Source> sources, Choice choice) {
        this.tree = tree;
        this.isTreeSound = isTreeSound;
        this.choice = choice;
        this.sources = sources.stream()
                .filter(source -> !choice.without().contains(source.id()))
                .toList();
    }

    /**
     * Decides the new content of a tree.
     *
     * @param tree content of ZooKeeper, as far as it is readable
     * @param isTreeSound whether the whole tree is readable
     * @param sources data folders of queue nodes, running or not
     * @param choice decisions of the operator
     */
    public static Plan plan(ControlState tree, boolean isTreeSound, List<Source> sources, Choice choice) {
        return new RecoveryPlan(tree, isTreeSound, sources, choice).plan();
    }

    private Plan plan() {
        List<Source> copies = sources.stream()
                .filter(source -> !source.copy().mark().isEmpty())
                .toList();
        if (copies.isEmpty()) {
            return withoutCopies();
        }
        ControlState newest = copies.stream().map(Source::copy).max(BY_PROGRESS).orElseThrow();
        if (isTreeSound && newest.mark().of(view(tree)) == ControlMark.Standing.CURRENT) {
            findings.add("The tree is as new as all copies; there is nothing to recover.");
            return new Plan(tree, false, findings, refusals);
        }
        checkHistories(copies, newest);
        checkContents(copies);
        ControlState whole = new ControlState(
                newest.low(), newest.epoch(), registered(copies, newest), newest.cycles(), newest.replays());
        checkGroup(whole);
        checkJournals(whole);
        checkNotes(whole);
        return end(whole);
    }

    /**
     * Returns the nodes of all copies with the newest cycle. Some copies may have missed the registration of a node
     * after this cycle, and the cluster refuses a node without its registration. A node that was removed after this
     * cycle may be registered again.
     */
    private static Roster registered(List<Source> copies, ControlState newest) {
        return copies.stream()
                .map(Source::copy)
                .filter(copy -> copy.newest() == newest.newest())
                .map(ControlState::roster)
                .reduce(newest.roster(), (known, more) -> more.and(known));
    }

    private Plan end(ControlState state) {
        if (!state.isWhole()) {
            refusals.add("The newest copy has a gap between its low-water mark, cycle "
                    + state.low().cycle() + ", and its newest cycle, " + state.newest()
                    + ". Exclude the queue node with this copy with --without.");
        }
        Roster roster = tree.roster().and(state.roster());
        long epoch = Math.max(state.epoch(), tree.epoch());
        tellOpen(state);
        return new Plan(
                new ControlState(state.low(), epoch, roster, state.cycles(), state.replays()),
                true,
                findings,
                refusals);
    }

    private static ClusterView view(ControlState state) {
        return new ClusterView(
                1, true, List.of(), List.of(), state.roster().size(), state.cycles(), state.low(), state.replays());
    }

    // Checks against lost points and points counted twice

    private void checkHistories(List<Source> copies, ControlState newest) {
        Map<String, List<String>> byHistory = copies.stream()
                .collect(Collectors.groupingBy(
                        source -> source.copy().low().history(),
                        TreeMap::new,
                        Collectors.mapping(Source::id, Collectors.toList())));
        if (byHistory.size() > 1) {
            refusals.add("The copies belong to different histories of cycles: " + byHistory
                    + ". Using more than one history would count points twice. Exclude the queue nodes of all but one"
                    + " history with --without: points that only their journals hold are lost.");
        }
        if (tree.newest() > 0 && !tree.low().history().equals(newest.low().history())) {
            refusals.add("Cycles have begun in this tree since the copies were made: its history '"
                    + tree.low().history() + "' has " + tree.newest() + " cycles, the copies are of history '"
                    + newest.low().history() + "'. Rebuilding the tree would count their points again. Keep this tree"
                    + " and start the queue nodes of the other history with empty data folders, or stop all nodes,"
                    + " delete the tree and run this command again.");
        }
    }

    private void checkContents(List<Source> copies) {
        SortedMap<Long, Map<String, Object>> named = new TreeMap<>();
        for (Source source : copies) {
            LowMark low = source.copy().low();
            named.computeIfAbsent(low.cycle(), key -> new TreeMap<>()).put(source.id(), low.cut());
            source.copy().cycles().forEach((number, open) -> named.computeIfAbsent(number, key -> new TreeMap<>())
                    .put(source.id(), open.cycle().cut()));
        }
        named.forEach((number, cuts) -> {
            if (cuts.values().stream().distinct().count() > 1) {
                refusals.add("The copies of " + String.join(", ", cuts.keySet()) + " name different contents for cycle "
                        + number + ". One copy is damaged or from another cluster: exclude its queue node with"
                        + " --without.");
            }
        });
    }

    private void checkGroup(ControlState newest) {
        SortedSet<String> missing = new TreeSet<>(newest.roster().ids());
        missing.removeAll(choice.without());
        sources.stream()
                .filter(source -> !source.copy().mark().isEmpty())
                .forEach(source -> missing.remove(source.id()));
        if (!missing.isEmpty()) {
            refusals.add("No copy was read from " + String.join(", ", missing) + " of the group. These copies may name"
                    + " cycles after " + newest.newest()
                    + ". Start these nodes, or name their data folders with --from."
                    + " If they are lost, name each with --without: if a cycle has begun whose only owners they are,"
                    + " its points are counted again in a later cycle.");
        }
        SortedSet<String> given = new TreeSet<>(newest.roster().ids());
        given.retainAll(choice.without());
        if (!given.isEmpty()) {
            findings.add("Ignored: cycles that only " + String.join(", ", given) + " may know after " + newest.newest()
                    + ".");
        }
    }

    private void checkJournals(ControlState newest) {
        for (Source source : sources) {
            newest.low().cut().forEach((stream, cut) -> {
                long base = source.bases().at(stream);
                if (base > cut) {
                    refusals.add("The journal of " + source.id() + " has deleted stream " + hex(stream) + " up to "
                            + base + ", but the newest copy has verified it only up to " + cut + ". Cycles after "
                            + newest.newest() + " were verified without a copy: their points in other journals"
                            + " would be counted again. Find the copy of a queue node that sent these cycles.");
                }
            });
        }
    }

    /** Refuses old backups of the copies: yesterday's copies name none of today's cycles, but the journals do. */
    private void checkNotes(ControlState newest) {
        for (Source source : sources) {
            if (source.noted() > newest.newest()) {
                refusals.add("The journal of " + source.id() + " noted cycles up to " + source.noted()
                        + " as committed, but the newest copy names no cycle after " + newest.newest()
                        + ". The copies are older than the cluster: points of the cycles in between would be counted"
                        + " again, and newer streams would wait for cycles that no queue node can send. Find newer"
                        + " copies (control.json in the journal of each queue node)"
                        + (hasGroups() ? "." : ", or move all copies aside and run this command with --from-marks."));
            }
        }
    }

    private void tellOpen(ControlState state) {
        Positions before = state.low().cut();
        for (OpenCycle open : state.cycles().values()) {
            Cycle cycle = open.cycle();
            findings.add(
                    "Cycle " + cycle.number() + " is open with " + cycle.cut().recordsSince(before)
                            + " points: it is processed again and overwrites its existing rows.");
            for (StreamRange range : cycle.cut().since(before)) {
                if (sources.stream().noneMatch(source -> source.mayHold(range))) {
                    findings.add("No journal that was read holds all of " + range + " for cycle " + cycle.number()
                            + ": the cycle waits for a queue node with these records.");
                }
            }
            before = cycle.cut();
        }
    }

    // Recovery without control copies

    /** Refuses when an unread queue node may know a cycle. */
    private boolean isUnread() {
        TreeSet<String> unread = new TreeSet<>(tree.roster().ids());
        sources.forEach(source -> unread.remove(source.id()));
        unread.removeAll(choice.without());
        if (!unread.isEmpty() || sources.isEmpty()) {
            String who = unread.isEmpty() ? "No queue node was read" : "Not read: " + String.join(", ", unread);
            refusals.add(who
                    + ". A queue node may know cycles that are missing in this tree. Start the queue nodes, or name"
                    + " their data folders with --from.");
            return true;
        }
        return false;
    }

    private boolean hasGroups() {
        return !tree.roster().isDefault()
                || sources.stream()
                        .anyMatch(source -> !source.group().isDefault()
                                || source.notes().values().stream()
                                        .anyMatch(note -> !note.groups().isDefault()));
    }

    private Plan withoutCopies() {
        boolean hasGroups = hasGroups();
        Positions.Builder highest = Positions.builder();
        SortedMap<Long, PastCycle> notes = new TreeMap<>();
        for (Source source : sources) {
            source.bases().since(Positions.NONE).forEach(deleted -> highest.raise(deleted.stream(), deleted.upTo()));
            source.notes().forEach((number, note) -> {
                PastCycle known = notes.putIfAbsent(number, note);
                if (known != null && !hasGroups && !isSame(known, note)) {
                    refusals.add("The journals note different contents for cycle " + number
                            + ". Exclude the queue nodes of another cluster with --without.");
                }
            });
        }
        Positions mark = highest.build();
        if (mark.isEmpty() && notes.isEmpty()) {
            if (isUnread()) {
                return new Plan(tree, true, findings, refusals);
            }
            findings.add("No queue node knows of any cycle.");
            if (!isTreeSound) {
                refusals.add("The tree is damaged and no queue node that was read knows its cycles. Name the data"
                        + " folders of all queue nodes with --from.");
            }
            return new Plan(tree, !isTreeSound, findings, refusals);
        }
        boolean isBehind = tree.newest() == 0
                || mark.since(tree.lastCut()).stream()
                        .anyMatch(deleted -> tree.lastCut().names(deleted.stream()));
        if (isTreeSound && !isBehind) {
            findings.add("The tree is as new as all journals; there is nothing to recover.");
            return new Plan(tree, false, findings, refusals);
        }
        if (hasGroups) {
            refusals.add(
                    "The cluster has several lanes or journal groups, and no queue node has a control copy. Low-water"
                            + " marks do not name the group of a stream, so the tree cannot be rebuilt from them. Restore the"
                            + " control copy (control.json in the journal) of a queue node.");
            return new Plan(tree, true, findings, refusals);
        }
        if (!choice.fromMarks()) {
            refusals.add("No queue node has a control copy, only low-water marks. With --from-marks the tree is rebuilt"
                    + " from these marks and from the cycles noted in journals. A begun cycle without a note"
                    + " is then counted again under another time.");
        }
        return end(fromMarks(mark, notes));
    }

    private ControlState fromMarks(Positions mark, SortedMap<Long, PastCycle> notes) {
        long low = 0;
        long noteMs = 0;
        Positions noted = Positions.NONE;
        SortedMap<Long, OpenCycle> cycles = new TreeMap<>();
        Positions cut = mark;
        for (PastCycle note : notes.values()) {
            if (mark.covers(note.cut())) {
                low = note.number();
                noteMs = note.timeMs();
                noted = noted.max(note.cut());
                continue;
            }
            boolean follows = isContinued(cut, note)
                    && (cycles.isEmpty()
                            ? low == 0 || note.number() == low + 1
                            : note.number() == cycles.lastKey() + 1);
            if (!follows) {
                refusals.add("Cycle " + note.number() + " does not continue the earlier cycles of the journals. Read"
                        + " the data folders of more queue nodes with --from.");
                break;
            }
            low = cycles.isEmpty() ? note.number() - 1 : low;
            cut = cut.max(note.cut());
            cycles.put(note.number(), reopened(note, cut));
        }
        findings.add("Rebuilt from low-water marks: cycle " + low + " counts as the last verified cycle; totals begin"
                + " at 0.");
        return new ControlState(
                // The time of a cycle outside the notes may be later: no new cycle gets a time before now.
                new LowMark(
                        low,
                        noted.equals(mark) ? noteMs : choice.nowMs(),
                        mark,
                        new ConfigurationDigest(""),
                        LowMark.Totals.ZERO,
                        tree.low().history()),
                0,
                Roster.of(sources.stream().map(Source::id).toList()),
                cycles,
                Replays.NONE);
    }

    private static boolean isContinued(Positions cut, PastCycle note) {
        return note.cut().streams().stream().allMatch(stream -> note.before().at(stream) == cut.at(stream));
    }

    /** Rebuilds an open cycle with sessions of no node: the conductor reassigns their work to live nodes. */
    private OpenCycle reopened(PastCycle note, Positions cut) {
        List<Long> queues = Collections.nCopies(Math.max(1, note.parts()), 0L);
        List<Long> processors = Collections.nCopies(Math.max(1, choice.shards()), 0L);
        Cycle cycle = new Cycle(note.number(), 0, note.time(), cut, queues, processors, Optional.empty());
        return new OpenCycle(cycle, new Assignment(0, queues, processors), new TreeMap<>());
    }

    private static boolean isSame(PastCycle one, PastCycle other) {
        return one.timeMs() == other.timeMs()
                && one.cut().equals(other.cut())
                && one.before().equals(other.before());
    }

    private static String hex(long stream) {
        return Long.toHexString(stream);
    }
}
