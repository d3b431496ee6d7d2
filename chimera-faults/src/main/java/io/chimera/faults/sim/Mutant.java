package io.chimera.faults.sim;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.objectweb.asm.Opcodes;

/**
 * Nodes with one mistake each, which the simulation has to catch: what proves that the invariants see something. The
 * mistake is made while the class is loaded, so production code knows nothing of it. Where the protocol has a second line of
 * defence, asking for a part that stays away, that is taken away too; such a mutant counts as caught by a seed only if the
 * same seed is sound without the second line alone.
 */
enum Mutant {
    /** The store adds to a row that is there instead of overwriting it. */
    APPENDING_STORE(),
    /** The field in the name of a row is not escaped, so that two groups have rows of one name. */
    AMBIGUOUS_ROW_NAME(Rewrite.callGives(Names.ROW_NAMING, "escape", "indexOf", -1)),
    /** A shard is committed before the store has acknowledged its rows. */
    EARLY_COMMIT(Rewrite.callGives(Names.FLUSHER, "flush", "isDone", 1)),
    /** A shard is committed before its rows were read back, where that is asked for. */
    UNVERIFIED_COMMIT(Rewrite.callGives(Names.STORE_FLUSH, "endWriting", "isVerified", 0)),
    /** Rows that a store refuses during an outage are taken for bad ones, and their shard is committed without them. */
    COMMIT_REFUSED_ROWS(
            Rewrite.callGives(Names.STORE_LANE, "write", "acceptsKnownGood", 1),
            Rewrite.callGives(Names.STORE_WRITE, "endPass", "isBad", 1)),
    /** A journal lets go of what a cycle has only begun with. */
    EARLY_TRUNCATION(Rewrite.callHooked(Names.JOURNALER, "truncate", "low")),
    /** A queue node sends to the end of its own journal instead of to the cut. */
    LOCAL_CUT(Rewrite.callHooked(Names.TRANSMISSION, "openBatch", "get")),
    /** A cycle that is done again gets another time. */
    REPLAY_AT_ANOTHER_TIME(Rewrite.callHooked(Names.RECONCILER, "reconcile", "cycle")),
    /** A part that is whole, and may be on its way into the store, is taken once more when it is sent once more. */
    NO_DEDUPLICATION(Rewrite.callGives(Names.PART_RECEIVER, "onData", "isWhole", 0)),
    /** What was staged of a part by one transmission is kept when another begins. */
    STAGING_KEPT(Rewrite.arraysAreEmpty(Names.STAGED_PART, "drop")),
    /** Success is answered when one journal holds the points. */
    EARLY_SUCCESS(Rewrite.callGives(Names.ACKNOWLEDGER, "doWork", "needed", 1)),
    /** A cycle takes what one journal holds. */
    FAR_CUT(Rewrite.callGives(Names.CUTS, "furthest", "needed", 1)),
    /** A commit is written whatever became of the assignment. The check is ZooKeeper's, so it is taken from its fake. */
    UNFENCED_COMMIT(Rewrite.callGivesLocal(Names.MEMORY_STORE, "commit", "version", Opcodes.ILOAD, 2)),
    /** A queue node believes that a processor holds what another one, or an earlier start of it, said to hold. */
    OLD_WORD_BELIEVED(Names.NO_SECOND_LINE, Rewrite.fieldGivesLocal(Names.SEND_STATE, "align", "processor", 1)),
    /** The end of a part is believed although it counts other frames and records than came. */
    END_UNCHECKED(
            Rewrite.callGives(Names.PART_RECEIVER, "end", "continues", 1),
            Rewrite.fieldBecomesTrue(Names.STAGED_PART, "end", "isWhole")),
    /** A part is sent although the journal lacks some of it. */
    SENT_OVER_GAP(
            Rewrite.callGives(Names.CHANNEL_MANAGER, "alignCycle", "covers", 1),
            Rewrite.callHooked(Names.CYCLE_READER + "$CycleFeed", "next", "next")),
    /** A queue node goes on with its old stream after a restart, behind what its journal holds. */
    STREAM_CONTINUED(
            Rewrite.callGives(Names.JOURNALER, "<init>", "position", 0),
            Rewrite.beforeReturn(Names.JOURNALER, "<init>", "goes on behind the journal's end", code -> {
                code.visitVarInsn(Opcodes.ALOAD, 0);
                code.visitVarInsn(Opcodes.ALOAD, 1);
                code.visitVarInsn(Opcodes.LLOAD, 4);
                code.visitMethodInsn(
                        Opcodes.INVOKEINTERFACE, Names.JOURNAL.replace('.', '/'), "position", "(J)J", true);
                code.visitFieldInsn(Opcodes.PUTFIELD, Names.JOURNALER.replace('.', '/'), "appendedSeq", "J");
            })),
    /** A conductor writes although another has taken the lead. The check is ZooKeeper's, so it is taken from its fake. */
    UNFENCED_CONDUCTOR(Rewrite.fieldGivesField(Names.MEMORY_CLUSTER + "$Lead", "write", "epoch", "believed")),
    /** The low-water mark is raised over a cycle that is not committed. */
    MARK_OVER_OPEN_CYCLE(
            Rewrite.callGives(Names.CONDUCTOR, "advance", "isCommitted", 1),
            Rewrite.callGives(Names.CONDUCTOR, "advance", "isVerified", 1)),
    /** A stream is dropped from the cuts although a queue node that may hold records of it is away, and at once. */
    STREAM_DROPPED(
            Rewrite.callGives(Names.CUTS, "isFinished", "registered", 0),
            Rewrite.callHooked(Names.CONDUCTOR, "<init>", "finishAfter")),
    /** Who takes a partition over begins with no state. */
    STATE_FROM_NOTHING(Rewrite.fieldBecomesTrue(Names.REBUILD, "<init>", "isDone")),
    /** State of an earlier time is kept when it is built anew. */
    STATE_KEPT(Rewrite.callGives(Names.STATE_LINE, "reset", "forget", 0)),
    /** What blocks emit while their state is built anew is not dropped. */
    PAST_EMITTED(Rewrite.callGives(Names.COMPOSITION_RUN, "compose", "end", 0)),
    /** A past cycle is sent in another order than when it was open. */
    PAST_IN_ONE_PART(Rewrite.callGives(Names.PAST_PASSES, "start", "parts", 1)),
    /** Nodes process each cycle with the newest pipelines that they hold, whichever it names. */
    NEWEST_PIPELINES(
            Rewrite.callGives(Names.HELD, "find", "equals", 1),
            Rewrite.callGives(Names.ASSIGNMENT, "isFor", "equals", 1),
            Rewrite.callGives(Names.KNOWN_CYCLES, "verdict", "isSame", 1)),
    /** Cycle times follow every jump of the conductor's clock. */
    CLOCK_JUMP_FOLLOWED(
            Rewrite.callGives(Names.CYCLE_CLOCK, "follow", "isWithinStep", 1),
            Rewrite.callGives(Names.CYCLE_CLOCK, "start", "isWithinStep", 1)),
    /** A frame that names no pipelines is taken for one of any. */
    WILDCARD_FINGERPRINT(
            Rewrite.callGives(Names.INBOUND, "onPartFrame", "fingerprint", 1),
            Rewrite.callGives(Names.KNOWN_CYCLES, "verdict", "isSame", 1)),
    /** A part is taken from whoever sends it. */
    FRAMES_OF_NON_OWNER_ACCEPTED(Rewrite.callGives(Names.KNOWN_CYCLES, "verdict", "owns", 1)),
    /** The low-water mark is raised over a cycle whose commits do not account for all of its points. */
    MARK_RAISED_WHILE_UNACCOUNTED(Rewrite.callGives(Names.CONDUCTOR, "advance", "isAccounted", 1)),
    /** A cycle begins with other pipelines while one with those of before is open. */
    CHANGED_TOO_EARLY(Rewrite.callGives(Names.CONDUCTOR, "begin", "isPresent", 0)),
    /** A shard that is taken in slices is committed with its first slice. */
    SLICE_LEFT_OUT(Rewrite.callGives(Names.FLUSHER, "end", "isLast", 1)),
    /** What belongs to several slices of a shard, or to none, counts in each slice. */
    SLICE_COUNTED_TWICE(
            Rewrite.callGives(Names.TRANSMISSION, "isPrimaryOf", "isFirstIn", 1),
            Rewrite.callGives(Names.TRANSMISSION, "isAccountant", "index", 0)),
    /** A tree that was lost is recovered without its open cycles. */
    RECOVER_FORGETS_OPEN_CYCLES(Rewrite.callHooked(Names.RECOVERY, "end", "cycles")),
    /** A row of a group without tags gets no tag, and a store such as KairosDB cannot take it. */
    ROW_WITHOUT_TAG(Rewrite.callGives(Names.ROW_NAMING, "tags", "isEmpty", 0)),
    /** Late points count. */
    LATE_POINTS_COUNTED(Rewrite.callGives(Names.PART_RECEIVER, "fold", "lateAfterNs", 0)),
    /** The replay of a cycle writes its rows with another time. */
    REPLAY_REQUEST_AT_ANOTHER_TIME(Rewrite.callHooked(Names.REPLAYING, "begin", "time")),
    /** The replay of one pipeline runs the compositions of the others without their records. */
    REPLAY_OF_ALL_COMPOSITIONS(Rewrite.callGives(Names.COMPOSER, "takeIn", "takesPart", 1)),
    /** A conductor begins cycles in a new tree although queue nodes know cycles of the lost one. */
    BEGIN_OVER_LOST_HISTORY(Rewrite.callGives(Names.CONDUCTOR, "isLost", "isPresent", 0));

    @SuppressWarnings("ImmutableEnumChecker") // unmodifiable, and a rewrite holds a function without state
    private final List<Rewrite> rewrites;

    @SuppressWarnings("ImmutableEnumChecker") // as above
    private final List<Rewrite> control;

    Mutant(Rewrite... rewrites) {
        this.rewrites = List.of(rewrites);
        control = List.of();
    }

    Mutant(List<Rewrite> control, Rewrite rewrite) {
        this.control = control;
        rewrites = Stream.concat(control.stream(), Stream.of(rewrite)).toList();
    }

    /** Changes to the nodes' code; none where the simulated surroundings are what is wrong. */
    List<Rewrite> rewrites() {
        return rewrites;
    }

    /** Those of the changes that are no mistake: nodes with these alone are what the mutant is compared with. */
    List<Rewrite> control() {
        return control;
    }

    /** Whether the configuration changes in its runs; other mutants are to be found without that. */
    boolean isOfChanges() {
        return this == NEWEST_PIPELINES || this == CHANGED_TOO_EARLY;
    }

    /** Whether an adversary is at work in its runs; other mutants are to be found without. */
    boolean needsAdversary() {
        return this == WILDCARD_FINGERPRINT
                || this == FRAMES_OF_NON_OWNER_ACCEPTED
                || this == MARK_RAISED_WHILE_UNACCOUNTED;
    }

    /** Whether names are drawn in its runs; those of other mutants are plain. */
    boolean needsHostileNames() {
        return this == AMBIGUOUS_ROW_NAME || this == ROW_WITHOUT_TAG;
    }

    /** Whether past cycles are run again in its runs. */
    boolean isOfReplays() {
        return this == REPLAY_REQUEST_AT_ANOTHER_TIME || this == REPLAY_OF_ALL_COMPOSITIONS;
    }

    /** Whether ZooKeeper's data is lost in its runs. */
    boolean isOfLosses() {
        return this == RECOVER_FORGETS_OPEN_CYCLES || this == BEGIN_OVER_LOST_HISTORY;
    }

    /** As it is written on the command line. */
    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Where the targets are. */
    private static final class Names {
        static final String ROW_NAMING = "io.chimera.common.row.RowNaming";
        static final String JOURNAL = "io.chimera.queue.journal.Journal";
        static final String JOURNALER = "io.chimera.queue.journal.Journaler";
        static final String CYCLE_READER = "io.chimera.queue.replay.CycleReader";
        static final String ACKNOWLEDGER = "io.chimera.queue.replication.Acknowledger";
        static final String CHANNEL_MANAGER = "io.chimera.queue.dispatch.ChannelManager";
        static final String SEND_STATE = "io.chimera.queue.dispatch.SendState";
        static final String TRANSMISSION = "io.chimera.queue.dispatch.Transmission";
        static final String PART_RECEIVER = "io.chimera.processor.staging.PartReceiver";
        static final String STAGED_PART = "io.chimera.processor.staging.StagedPart";
        static final String RECONCILER = "io.chimera.processor.staging.Reconciler";
        static final String PAST_PASSES = "io.chimera.queue.dispatch.PastPasses";
        static final String INBOUND = "io.chimera.processor.extractor.Inbound";
        static final String REBUILD = "io.chimera.processor.staging.composer.Rebuild";
        static final String STATE_LINE = "io.chimera.processor.staging.composer.StateLine";
        static final String COMPOSITION_RUN = "io.chimera.processor.staging.composer.CompositionRun";
        static final String KNOWN_CYCLES = "io.chimera.processor.staging.KnownCycles";
        static final String FLUSHER = "io.chimera.processor.flusher.FlusherAgent";
        static final String STORE_FLUSH = "io.chimera.processor.flusher.StoreFlush";
        static final String STORE_LANE = "io.chimera.processor.flusher.StoreLane";
        static final String STORE_WRITE = "io.chimera.processor.flusher.StoreWrite";
        static final String CONDUCTOR = "io.chimera.coordinator.Conductor";
        static final String COMPOSER = "io.chimera.processor.staging.composer.ComposerAgent";
        static final String REPLAYING = "io.chimera.coordinator.Replaying";
        static final String RECOVERY = "io.chimera.coordinator.Recovery";
        static final String HELD = "io.chimera.common.cluster.Held";
        static final String ASSIGNMENT = "io.chimera.common.cluster.Assignment";
        static final String CYCLE_CLOCK = "io.chimera.coordinator.CycleClock";
        static final String CUTS = "io.chimera.coordinator.Cuts";
        static final String MEMORY_CLUSTER = "io.chimera.common.cluster.MemoryCluster";
        static final String MEMORY_STORE = "io.chimera.common.cluster.MemoryStore";
        static final List<Rewrite> NO_SECOND_LINE = List.of(Rewrite.callGives(RECONCILER, "ask", "send", 0));

        private Names() {}
    }
}
