package io.chimera.faults.sim.mutant;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.objectweb.asm.Opcodes;

/**
 * Nodes with an injected defect, which the simulation has to catch: evidence that the invariants detect defects. The
 * defect is injected while the class is loaded, so production code has no knowledge of mutants. Some mutants also
 * disable a second line of defence of the protocol, the request for missing parts. For such a mutant a seed counts only
 * if the same seed passes with the second line disabled and without the defect.
 */
public enum Mutant {
    /** The store adds to an existing row instead of overwriting the row. */
    APPENDING_STORE(),
    /** The field in a row's name is not escaped, so rows of two groups have the same name. */
    AMBIGUOUS_ROW_NAME(Rewrite.callGives(Names.ROW_NAMING, "escape", "indexOf", -1)),
    /** A shard is committed before the store has acknowledged its rows. */
    EARLY_COMMIT(Rewrite.callGives(Names.FLUSHER, "flush", "isDone", 1)),
    /** A shard is committed before its rows were read back, although the pipeline demands read-back. */
    UNVERIFIED_COMMIT(Rewrite.callGives(Names.STORE_FLUSH, "endWriting", "isVerified", 0)),
    /** A shard is committed at a store that writes shards as a whole before its last batch. */
    COMMIT_BEFORE_LAST_BATCH(Rewrite.callGives(Names.STORE_FLUSH, "write", "isDone", 1)),
    /** A shard counts as flushed without the commit of its store. */
    SHARD_WITHOUT_COMMIT(Rewrite.callGives(Names.STORE_FLUSH, "commit", "commit", 1)),
    /** After a failure within a shard the flush goes on, without the rows before the failure. */
    BROKEN_SHARD_CONTINUED(Rewrite.callGives(Names.STORE_FLUSH, "write", "isBroken", 0)),
    /** The rows of a shard have the order of a hash table. */
    UNSORTED_SHARD(Rewrite.callGives(Names.STORE_FLUSH, "rewind", "writesShards", 0)),
    /** A shard given to another processor is not aborted at the store. */
    SHARD_NOT_ABORTED(Rewrite.callGives(Names.STORE_LANE, "abort", "abort", 0)),
    /** Rows refused during an outage count as bad rows, and their shard is committed without these rows. */
    COMMIT_REFUSED_ROWS(
            Rewrite.callGives(Names.STORE_LANE, "writeRows", "acceptsKnownGood", 1),
            Rewrite.callGives(Names.STORE_WRITE, "endPass", "isBad", 1)),
    /** A journal deletes records of cycles that have begun but are not verified. */
    EARLY_TRUNCATION(Rewrite.callHooked(Names.JOURNAL_TRUNCATOR, "truncate", "low")),
    /** A queue node sends records up to the end of its own journal instead of up to the cut. */
    LOCAL_CUT(Rewrite.callHooked(Names.TRANSMISSION, "openBatch", "cut")),
    /** A reassigned cycle gets another time. */
    REPLAY_AT_ANOTHER_TIME(Rewrite.callHooked(Names.RECONCILER, "reconcile", "cycle")),
    /** A whole part, possibly in the middle of its flush, is staged again when sent again. */
    NO_DEDUPLICATION(Rewrite.callGives(Names.PART_RECEIVER, "onData", "isWhole", 0)),
    /** The data of a transmission is kept when another transmission of the part begins. */
    STAGING_KEPT(Rewrite.arraysAreEmpty(Names.STAGED_PART, "drop")),
    /** Success is answered when a single journal has the points. */
    EARLY_SUCCESS(Rewrite.callGives(Names.ACKNOWLEDGER, "doWork", "needed", 1)),
    /** A cut includes records of a single journal. */
    FAR_CUT(Rewrite.callGives(Names.CUTS, "highest", "needed", 1)),
    /** A commit is written whatever became of the assignment. ZooKeeper's check is removed from the fake ZooKeeper. */
    UNFENCED_COMMIT(Rewrite.callGivesLocal(Names.MEMORY_STORE, "commit", "version", Opcodes.ILOAD, 2)),
    /** A queue node attributes the OK of another processor, or of an earlier session, to the present processor. */
    OLD_WORD_BELIEVED(Names.NO_SECOND_LINE, Rewrite.fieldGivesLocal(Names.SEND_STATE, "align", "processor", 1)),
    /** An END is accepted although its totals differ from the received data. */
    END_UNCHECKED(
            Rewrite.callGives(Names.PART_RECEIVER, "end", "continues", 1),
            Rewrite.callGives(Names.STAGED_PART, "end", "hasTotalsOf", 1)),
    /** A part is sent although the journal lacks some of its records. */
    SENT_OVER_GAP(
            Rewrite.callGives(Names.CHANNEL_MANAGER, "alignCycle", "covers", 1),
            Rewrite.callHooked(Names.CYCLE_READER + "$CycleFeed", "next", "next")),
    /** A queue node continues its old stream after a restart, after the end of its journal. */
    STREAM_CONTINUED(
            Rewrite.callGives(Names.OWN_STREAM, "<init>", "position", 0),
            Rewrite.beforeReturn(Names.OWN_STREAM, "<init>", "continues after the journal's end", code -> {
                code.visitVarInsn(Opcodes.ALOAD, 0);
                code.visitVarInsn(Opcodes.ALOAD, 1);
                code.visitVarInsn(Opcodes.LLOAD, 2);
                code.visitMethodInsn(
                        Opcodes.INVOKEVIRTUAL, Names.BATCH_APPENDER.replace('.', '/'), "position", "(J)J", false);
                code.visitFieldInsn(Opcodes.PUTFIELD, Names.OWN_STREAM.replace('.', '/'), "appendedSeq", "J");
            })),
    /** A conductor writes although another has taken the lead. ZooKeeper's check is removed from the fake ZooKeeper. */
    UNFENCED_CONDUCTOR(Rewrite.fieldGivesField(Names.MEMORY_CLUSTER + "$Lead", "write", "epoch", "believed")),
    /** The low-water mark is raised past an uncommitted cycle. */
    MARK_OVER_OPEN_CYCLE(
            Rewrite.callGives(Names.CYCLE_VERIFIER, "advance", "isCommitted", 1),
            Rewrite.callGives(Names.CYCLE_VERIFIER, "advance", "isVerified", 1)),
    /** A stream is dropped from the cuts immediately, although a dead queue node may have its records. */
    STREAM_DROPPED(
            Rewrite.callGives(Names.GROUP_SIZES, "isWhole", "registered", 0),
            Rewrite.callHooked(Names.CYCLE_STARTER, "<init>", "finishAfter")),
    /** A processor takes over a partition with empty state. */
    STATE_FROM_NOTHING(Rewrite.callGives(Names.REBUILD, "<init>", "hasPast", 0)),
    /** A rebuild keeps earlier state. */
    STATE_KEPT(Rewrite.callGives(Names.STATE_LINE, "reset", "forget", 0)),
    /** The output of blocks during a rebuild is not dropped. */
    PAST_EMITTED(Rewrite.callGives(Names.COMPOSITION_RUN, "compose", "end", 0)),
    /** A past cycle is sent in another order than during its first run. */
    PAST_IN_ONE_PART(Rewrite.callHooked(Names.PAST_PASSES, "start", "parts")),
    /** Nodes process each cycle with their newest pipelines, regardless of the pipelines of the cycle. */
    NEWEST_PIPELINES(
            Rewrite.callGives(Names.HELD, "find", "equals", 1),
            Rewrite.callGives(Names.ASSIGNMENT, "isFor", "equals", 1),
            Rewrite.callGives(Names.KNOWN_CYCLES, "verdict", "isSame", 1)),
    /** Cycle times follow every jump of the conductor's clock. */
    CLOCK_JUMP_FOLLOWED(
            Rewrite.callGives(Names.CYCLE_CLOCK, "follow", "isWithinStep", 1),
            Rewrite.callGives(Names.CYCLE_CLOCK, "start", "isWithinStep", 1)),
    /** A frame without a fingerprint counts as a frame of any pipelines. */
    WILDCARD_FINGERPRINT(
            Rewrite.callGives(Names.INBOUND, "onPartFrame", "fingerprint", 1),
            Rewrite.callGives(Names.KNOWN_CYCLES, "verdict", "isSame", 1)),
    /** A part is accepted from any sender. */
    FRAMES_OF_NON_OWNER_ACCEPTED(Rewrite.callGives(Names.KNOWN_CYCLES, "verdict", "owns", 1)),
    /** The low-water mark is raised past a cycle with unaccounted points. */
    MARK_RAISED_WHILE_UNACCOUNTED(Rewrite.callGives(Names.CYCLE_VERIFIER, "advance", "isAccounted", 1)),
    /** A cycle begins with other pipelines while a cycle with the earlier pipelines is open. */
    CHANGED_TOO_EARLY(Rewrite.callGives(Names.CYCLE_STARTER, "waitsForOldPipelines", "isPresent", 0)),
    /** A shard in slices is committed with its first slice. */
    SLICE_LEFT_OUT(Rewrite.callGives(Names.FLUSHER, "end", "isLast", 1)),
    /** Records of several slices of a shard, or of no slice, count in each slice. */
    SLICE_COUNTED_TWICE(
            Rewrite.callGives(Names.TRANSMISSION, "isPrimaryOf", "isFirstIn", 1),
            Rewrite.callGives(Names.TRANSMISSION, "isAccountant", "index", 0)),
    /** A lost tree is recovered without its open cycles. */
    RECOVER_FORGETS_OPEN_CYCLES(Rewrite.callHooked(Names.RECOVERY, "end", "cycles")),
    /** A row of a group without tags gets no tag, so a store such as KairosDB refuses the row. */
    ROW_WITHOUT_TAG(Rewrite.callGives(Names.ROW_NAMING, "tags", "isEmpty", 0)),
    /** Late points are aggregated. */
    LATE_POINTS_COUNTED(Rewrite.callGives(Names.PART_RECEIVER, "fold", "lateAfterNs", 0)),
    /** The replay of a cycle writes its rows with another time. */
    REPLAY_REQUEST_AT_ANOTHER_TIME(Rewrite.callHooked(Names.REPLAYING, "begin", "time")),
    /** The replay of a pipeline also runs the compositions of other pipelines, without their records. */
    REPLAY_OF_ALL_COMPOSITIONS(Rewrite.callGives(Names.COMPOSER, "takeIn", "takesPart", 1)),
    /** A conductor begins cycles in a new tree although queue nodes know cycles of the lost tree. */
    BEGIN_OVER_LOST_HISTORY(Rewrite.callGives(Names.LOST_HISTORY, "isLost", "isPresent", 0)),
    /** A processor takes the partitions of a shard as if each processor had one shard. */
    PARTITIONS_BY_PROCESSOR(Rewrite.callHooked(Names.WAITING, "of", "shards")),
    /** The parts of every journal group are numbered from 0. */
    PARTS_FROM_ZERO(Rewrite.callGives(Names.PASS_ENTRIES, "onNewSeries", "first", 0)),
    /** Cuts contain the streams of the first journal group only, so the streams of other lanes are left out. */
    GROUP_LEFT_OUT(Rewrite.callHooked(Names.CUTS, "highest", "queues")),
    /** Copies of a record are expected on the queue nodes of all journal groups. */
    COPIES_OF_ALL_GROUPS(Rewrite.callHooked(Names.CUTS, "highest", "needed")),
    /** A queue node takes the queue nodes of all journal groups for its own group. */
    FOREIGN_GROUP_JOURNALED(Rewrite.callHooked(Names.GROUP_CLUSTER, "narrow", "in")),
    /** The certificate of a process is accepted for lane 0 only. */
    LANE_REFUSED(Rewrite.callGives(Names.LANE_ID, "isOf", "startsWith", 0)),
    /** The last queue node of a journal group is removed while its journal has records outside verified cycles. */
    LAST_OF_GROUP_REMOVED(Rewrite.callGives(Names.QUEUE_NODE, "isRemovable", "isRemovable", 1)),
    /** A dead queue node is removed without proof that other journals hold its records. */
    REMOVED_WITHOUT_PROOF(Rewrite.callGives(Names.REMOVAL, "refusal", "isCopied", 1)),
    /** A queue node proves its copies before other journals hold its records. */
    PROVEN_TOO_EARLY(Rewrite.callGives(Names.COPY_PROOF, "follow", "isCopied", 1)),
    /** A process that was removed from the cluster, or replaced, acknowledges points. */
    REMOVED_ACKNOWLEDGES(Rewrite.callGives(Names.ACKNOWLEDGER, "follow", "connected", 0)),
    /** A past cycle is requested from a queue node of one journal group only. */
    PAST_OF_ONE_GROUP(Rewrite.callHooked(Names.PAST_CYCLE_LOADER + "$Receiving", "<init>", "queues")),
    /** Results of a removed job over a data set count as those of the job with the same name. */
    STALE_RUN(Rewrite.callHooked(Names.WORKER_FOLDER, "run", "runHex")),
    /** Results in a folder count as there although its worker has gone for good. */
    DEAD_RESULTS_COUNTED(Rewrite.callGives(Names.LIVE_WORKERS, "isExpected", "containsKey", 1)),
    /** Rows of a data set count as stored although they were not read back. */
    UNREAD_JOB_ROWS(Rewrite.callGives(Names.ROW_STORES, "write", "isVerified", 0)),
    /** Damage of a result is not noticed. */
    DAMAGE_UNSEEN(
            Rewrite.callGives(Names.PIECE_READER, "read", "getValue", 0),
            Rewrite.callGives(Names.PIECE_READER, "read", "crc32c", 0)),
    /** A damaged result is offered again in place of a computation. */
    DAMAGED_RESULT_OFFERED(Rewrite.callGives(Names.TASK_WORK, "split", "verify", 0)),
    /** Failures of an earlier attempt end the next attempt of a job. */
    OLD_FAILURES_COUNT(Rewrite.callGives(Names.JOB_LEADER, "endIfFailed", "attempt", 1)),
    /** A split of a data set is skipped although only one worker cannot read it. */
    SKIPPED_BY_ONE_WORKER(Rewrite.callGives(Names.BAD_SPLIT_VERDICTS, "isBad", "containsAll", 1)),
    /** Splits without a proven border have rows. */
    UNPROVEN_SPLITS_MERGED(Rewrite.callHooked(Names.JOB_SHARE, "work", "leavesOut")),
    /** Splits without a proven border count as computed. */
    SKIPPED_SPLITS_COUNTED(Rewrite.callGives(Names.JOB_LEDGER, "computed", "test", 0)),
    /** A queue node that leaves for good counts the journal of another one that leaves as a copy. */
    LEAVING_PEER_COUNTED(Rewrite.callGives(Names.QUEUE_DRAIN, "isStaying", "leaving", 0)),
    /** Blocks of copies are read without a comparison of their checksums. */
    DAMAGED_COPY_READ(
            Rewrite.callGives(Names.COPY_FILE, "read", "getValue", 0),
            Rewrite.callGives(Names.COPY_FILE, "read", "getInt", 0)),
    /** A copy is used for each version of its object. */
    COPY_OF_ANOTHER_VERSION(Rewrite.callHooked(Names.COPY_ID, "name", "tag")),
    /** The result of a worker that leaves is copied without a comparison of its digest. */
    HAND_OVER_UNCHECKED(Rewrite.callGives(Names.LEAVING_RESULT, "copy", "equals", 1)),
    /** A worker that leaves does not wait until others have its results. */
    LEFT_WITH_RESULTS(Rewrite.callGives(Names.JOB_WORKER, "look", "isNeeded", 0)),
    /** Reads of a replica do not name the listed version of the object. */
    REPLICA_OF_ANOTHER_VERSION(Rewrite.callHooked(Names.REPLICA_SOURCE, "at", "getOrDefault")),
    /** Replicas with different checksums of an object are read as one. */
    UNEQUAL_REPLICAS(Rewrite.callGives(Names.REPLICA_SOURCE, "add", "equals", 1)),
    /** The leader of a job with a fixed strategy chooses by measurements. */
    FIXED_STRATEGY_IGNORED(Rewrite.callGives(Names.LEADER_STRATEGY, "next", "isPresent", 0)),
    /** The measurements of a worker begin at 0 when a stopped job continues. */
    MEASURES_RESTARTED(Rewrite.callHooked(Names.JOB_SHARE, "measure", "plus"));

    @SuppressWarnings("ImmutableEnumChecker") // unmodifiable, and a rewrite has a function without state
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

    /** Returns the changes to the nodes' code; none when the defect is in the simulated environment. */
    public List<Rewrite> rewrites() {
        return rewrites;
    }

    /** Returns the changes without the defect; a run with only these changes is the baseline of the mutant. */
    public List<Rewrite> control() {
        return control;
    }

    /**
     * Returns whether the configuration changes in the mutant's runs; other mutants have to be caught without changes.
     */
    public boolean isOfChanges() {
        return this == NEWEST_PIPELINES || this == CHANGED_TOO_EARLY;
    }

    /**
     * Returns whether an adversary is active in the mutant's runs; other mutants have to be caught without an
     * adversary.
     */
    public boolean needsAdversary() {
        return this == WILDCARD_FINGERPRINT
                || this == LANE_REFUSED
                || this == FRAMES_OF_NON_OWNER_ACCEPTED
                || this == MARK_RAISED_WHILE_UNACCOUNTED;
    }

    /** Returns whether names are random in the mutant's runs; other mutants have plain names. */
    public boolean needsHostileNames() {
        return this == AMBIGUOUS_ROW_NAME || this == ROW_WITHOUT_TAG;
    }

    /** Returns whether processors have different weights in the mutant's runs; other mutants have equal weights. */
    public boolean isOfShares() {
        return this == PARTITIONS_BY_PROCESSOR;
    }

    /** Returns whether stores write shards as a whole in the mutant's runs; other mutants have other stores. */
    public boolean isOfShardStores() {
        return switch (this) {
            case COMMIT_BEFORE_LAST_BATCH,
                    SHARD_WITHOUT_COMMIT,
                    BROKEN_SHARD_CONTINUED,
                    UNSORTED_SHARD,
                    SHARD_NOT_ABORTED -> true;
            default -> false;
        };
    }

    /** Returns whether past cycles are replayed in the mutant's runs. */
    public boolean isOfReplays() {
        return this == REPLAY_REQUEST_AT_ANOTHER_TIME || this == REPLAY_OF_ALL_COMPOSITIONS;
    }

    /** Returns whether ZooKeeper's data is lost in the mutant's runs. */
    public boolean isOfLosses() {
        return this == RECOVER_FORGETS_OPEN_CYCLES || this == BEGIN_OVER_LOST_HISTORY;
    }

    /** Returns whether the mutant's runs have several groups or lanes; other mutants have to be caught without. */
    public boolean isOfGroups() {
        return switch (this) {
            case PARTS_FROM_ZERO,
                    GROUP_LEFT_OUT,
                    COPIES_OF_ALL_GROUPS,
                    FOREIGN_GROUP_JOURNALED,
                    LANE_REFUSED,
                    LAST_OF_GROUP_REMOVED,
                    PAST_OF_ONE_GROUP,
                    LEAVING_PEER_COUNTED -> true;
            default -> false;
        };
    }

    /** Returns whether two queue nodes leave for good at the same time in the mutant's runs. */
    public boolean isOfPairs() {
        return this == LEAVING_PEER_COUNTED;
    }

    /** Returns whether dead queue nodes are removed again and again in the mutant's runs. */
    public boolean isOfRemovals() {
        return this == PROVEN_TOO_EARLY || this == REMOVED_WITHOUT_PROOF || this == REMOVED_ACKNOWLEDGES;
    }

    /** Returns whether the mutant's runs have a job over a data set, and nothing else. */
    public boolean isOfJobs() {
        return switch (this) {
            case STALE_RUN,
                    DEAD_RESULTS_COUNTED,
                    UNREAD_JOB_ROWS,
                    DAMAGE_UNSEEN,
                    DAMAGED_RESULT_OFFERED,
                    OLD_FAILURES_COUNT,
                    SKIPPED_BY_ONE_WORKER,
                    UNPROVEN_SPLITS_MERGED,
                    SKIPPED_SPLITS_COUNTED,
                    DAMAGED_COPY_READ,
                    COPY_OF_ANOTHER_VERSION,
                    HAND_OVER_UNCHECKED,
                    LEFT_WITH_RESULTS,
                    REPLICA_OF_ANOTHER_VERSION,
                    UNEQUAL_REPLICAS,
                    FIXED_STRATEGY_IGNORED,
                    MEASURES_RESTARTED -> true;
            default -> false;
        };
    }

    /** Returns the name for the command line. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Class names of the targets. */
    private static final class Names {
        static final String ROW_NAMING = "io.chimera.common.row.RowNaming";
        static final String JOURNAL_TRUNCATOR = "io.chimera.queue.journal.append.JournalTruncator";
        static final String BATCH_APPENDER = "io.chimera.queue.journal.append.BatchAppender";
        static final String OWN_STREAM = "io.chimera.queue.journal.append.OwnStream";
        static final String CYCLE_READER = "io.chimera.queue.replay.CycleReader";
        static final String ACKNOWLEDGER = "io.chimera.queue.replication.Acknowledger";
        static final String CHANNEL_MANAGER = "io.chimera.queue.dispatch.ChannelManager";
        static final String SEND_STATE = "io.chimera.queue.dispatch.SendState";
        static final String TRANSMISSION = "io.chimera.queue.dispatch.Transmission";
        static final String PART_RECEIVER = "io.chimera.processor.staging.PartReceiver";
        static final String STAGED_PART = "io.chimera.processor.staging.StagedPart";
        static final String PASS_ENTRIES = "io.chimera.queue.dispatch.PassEntries";
        static final String GROUP_CLUSTER = "io.chimera.queue.GroupCluster";
        static final String QUEUE_NODE = "io.chimera.queue.QueueNode";
        static final String COPY_PROOF = "io.chimera.queue.CopyProof";
        static final String REMOVAL = "io.chimera.coordinator.plan.Removal";
        static final String QUEUE_DRAIN = "io.chimera.queue.QueueDrain";
        static final String LANE_ID = "io.chimera.common.identity.LaneId";
        static final String PAST_CYCLE_LOADER = "io.chimera.processor.staging.PastCycleLoader";
        static final String RECONCILER = "io.chimera.processor.staging.StagingReconciler";
        static final String WAITING = "io.chimera.processor.staging.composer.Waiting";
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
        static final String CYCLE_VERIFIER = "io.chimera.coordinator.conductor.CycleVerifier";
        static final String CYCLE_STARTER = "io.chimera.coordinator.conductor.CycleStarter";
        static final String LOST_HISTORY = "io.chimera.coordinator.watch.LostHistory";
        static final String COMPOSER = "io.chimera.processor.staging.composer.ComposerAgent";
        static final String REPLAYING = "io.chimera.coordinator.conductor.ReplayScheduler";
        static final String RECOVERY = "io.chimera.coordinator.plan.RecoveryPlan";
        static final String HELD = "io.chimera.common.cluster.membership.ConfigurationRegistry";
        static final String ASSIGNMENT = "io.chimera.common.cluster.Assignment";
        static final String CYCLE_CLOCK = "io.chimera.coordinator.conductor.CycleClock";
        static final String CUTS = "io.chimera.coordinator.plan.Cuts";
        static final String GROUP_SIZES = "io.chimera.coordinator.plan.GroupSizes";
        static final String WORKER_FOLDER = "io.chimera.dataset.cluster.WorkerFolder";
        static final String LIVE_WORKERS = "io.chimera.dataset.cluster.LiveWorkers";
        static final String TASK_WORK = "io.chimera.dataset.cluster.TaskWork";
        static final String BAD_SPLIT_VERDICTS = "io.chimera.dataset.cluster.BadSplitVerdicts";
        static final String JOB_SHARE = "io.chimera.dataset.cluster.JobShare";
        static final String JOB_LEDGER = "io.chimera.dataset.cluster.JobLedger";
        static final String JOB_LEADER = "io.chimera.dataset.cluster.JobLeader";
        static final String ROW_STORES = "io.chimera.dataset.job.RowStores";
        static final String PIECE_READER = "io.chimera.dataset.compute.PieceReader";
        static final String COPY_FILE = "io.chimera.dataset.copy.CopyFile";
        static final String COPY_ID = "io.chimera.dataset.copy.CopyId";
        static final String LEAVING_RESULT = "io.chimera.dataset.cluster.LeavingResult";
        static final String JOB_WORKER = "io.chimera.dataset.cluster.JobWorker";
        static final String LEADER_STRATEGY = "io.chimera.dataset.cluster.LeaderStrategy";
        static final String REPLICA_SOURCE = "io.chimera.dataset.source.replica.ReplicaSource";
        static final String MEMORY_CLUSTER = "io.chimera.testkit.cluster.MemoryCluster";
        static final String MEMORY_STORE = "io.chimera.testkit.cluster.MemoryClusterState";
        static final List<Rewrite> NO_SECOND_LINE = List.of(Rewrite.callGives(RECONCILER, "ask", "send", 0));

        private Names() {}
    }
}
