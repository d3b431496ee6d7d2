package io.chimera.processor.staging.composer;

import io.chimera.common.agent.AgentThreads;
import io.chimera.common.cluster.CycleTime;
import io.chimera.common.composition.Composition;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.wire.GroupKey;
import io.chimera.processor.pipeline.BlockPool;
import io.chimera.processor.pipeline.LetterFiles;
import io.chimera.processor.pipeline.Pipeline;
import io.chimera.processor.pipeline.ProcessorComposition;
import io.chimera.processor.staging.warehouse.ChunkPool;
import io.chimera.processor.staging.warehouse.KeptEntries;
import io.chimera.processor.staging.warehouse.Plugins;
import io.chimera.processor.staging.warehouse.Sketches;
import io.chimera.processor.staging.warehouse.Warehouse;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.agrona.ErrorHandler;

/**
 * The blocks of a pipeline with their states, their input and their output. Replay cycles have separate states, because
 * they repeat cycles that are past for the live states. The composer's thread.
 */
final class CompositionRun implements AutoCloseable {
    private final Pipeline pipeline;
    private final ProcessorComposition after;
    private final ChunkPool pool;
    private final Plugins plugins;
    private final Sketches sketches;
    private final BlockLetters letters;
    private final CompositionOutput output;
    private final EntryWalk walk;
    private final Supplier<AgentThreads> threads;
    private final ErrorHandler errors;

    /** Created with the first live cycle; other threads read the field for display. */
    private volatile StateLine live;

    /** Created with the first replay cycle; other threads read the field for display. */
    private volatile StateLine replay;

    CompositionRun(ComposerPorts links, Pipeline pipeline, ChunkPool pool, LetterFiles letterFiles) {
        this.pipeline = pipeline;
        this.pool = pool;
        after = pipeline.after();
        plugins = new Plugins(pipeline.folding(), pipeline.merging());
        sketches = Sketches.of(pipeline.functions());
        letters = new BlockLetters(letterFiles, pipeline.name(), links);
        GroupKey groupKey = pipeline.groupKey();
        output = new CompositionOutput(pipeline, groupKey, links.counters());
        walk = new EntryWalk(groupKey, after, letters::faults);
        threads = links.threads();
        errors = links.errors();
    }

    private StateLine line() {
        return new StateLine(after, new Composition(after.plan(), output, letters, threads.get()));
    }

    private StateLine lineOf(Waiting shard) {
        if (shard.isReplay()) {
            replay = replay == null ? line() : replay;
            return replay;
        }
        live = live == null ? line() : live;
        return live;
    }

    /**
     * Drops the blocks with their states after a thread of the blocks failed and lost points; all states have to be
     * rebuilt.
     */
    private void lose(Waiting shard, RuntimeException reason) {
        errors.onError(new ChimeraException(
                ChimeraException.Category.ERROR,
                "The composition of pipeline " + pipeline.name() + " failed: " + reason.getMessage()
                        + " All states are rebuilt from past cycles.",
                reason));
        lineOf(shard).close();
        if (shard.isReplay()) {
            replay = null;
        } else {
            live = null;
        }
    }

    /** Returns the partitions of a shard without state as of the previous cycle. */
    BitSet missing(Waiting shard) {
        return after.hasState() ? lineOf(shard).missing(shard.partitions(), shard.content() - 1) : new BitSet();
    }

    /** Runs a shard; false when a limit was reached or the blocks failed: then the partitions have no state. */
    boolean compose(Waiting shard) {
        StateLine line = lineOf(shard);
        Composed composed = nothing();
        line.changing(shard.partitions());
        output.begin(composed);
        walk.begin();
        boolean isGiven =
                give(shard, line, shard.shard().time(), shard.shard().kept(shard.pipeline()), shard.partitions());
        output.end();
        if (!isGiven || output.isFull()) {
            composed.clear();
            return false;
        }
        composed.account(walk.late(), walk.rejected());
        line.changed(shard.partitions(), shard.content());
        shard.shard().composed(shard.pipeline(), composed);
        return true;
    }

    /** Returns a result without groups or rows. */
    Composed nothing() {
        return new Composed(pool, pipeline.functions().isEmpty() ? null : warehouse());
    }

    /** Returns whether the last shard reached a limit. */
    boolean isFull() {
        return output.isFull();
    }

    private Warehouse warehouse() {
        return new Warehouse(pool, plugins, sketches);
    }

    private boolean give(Waiting shard, StateLine line, CycleTime time, List<KeptEntries> parts, BitSet partitions) {
        long clockNs = TimeUnit.MILLISECONDS.toNanos(time.clockMs());
        long earliestNs = pipeline.lateAfterNs() == 0 ? Long.MIN_VALUE : clockNs - pipeline.lateAfterNs();
        try {
            for (KeptEntries part : parts) {
                walk.walk(part, earliestNs, partitions, line.blocks());
            }
            line.blocks().endCycle(TimeUnit.MILLISECONDS.toNanos(time.rowsMs()), after.hasState() ? partitions : null);
            return true;
        } catch (IllegalStateException e) {
            lose(shard, e);
            return false;
        }
    }

    /** Resets the states of partitions to empty. */
    void reset(Waiting target, BitSet partitions) {
        lineOf(target).reset(partitions);
    }

    /** Runs a past cycle and drops the output; false when the blocks failed. */
    boolean apply(Waiting target, CycleTime time, List<KeptEntries> parts, BitSet partitions) {
        letters.silent(true);
        boolean isGiven = give(target, lineOf(target), time, parts, partitions);
        letters.silent(false);
        return isGiven;
    }

    /** Records the state of partitions as of the end of a cycle. */
    void rebuilt(Waiting target, BitSet partitions, long cycle) {
        lineOf(target).changed(partitions, cycle);
    }

    /** Returns the limit of bytes, for the log. */
    String limit() {
        return pool.bytesLimit();
    }

    /** Returns the thread pools of the blocks. Any thread. */
    List<BlockPool> pools() {
        return Stream.concat(pools(live, false), pools(replay, true)).toList();
    }

    private Stream<BlockPool> pools(StateLine line, boolean isReplay) {
        return line == null
                ? Stream.empty()
                : line.blocks().pools().stream().map(use -> new BlockPool(pipeline.name(), isReplay, use));
    }

    @Override
    public void close() {
        for (StateLine line : new StateLine[] {live, replay}) {
            if (line != null) {
                line.close();
            }
        }
        pool.close();
    }
}
