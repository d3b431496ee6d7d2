package io.chimera.processor.staging;

import io.chimera.api.ColdPath;
import io.chimera.api.HotPath;
import io.chimera.common.agent.Clock;
import io.chimera.common.cluster.membership.ConfigurationRegistry.LoadedConfiguration;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.ProcessorCounter;
import io.chimera.common.wire.PartFrame;
import io.chimera.common.wire.Slice;
import io.chimera.processor.pipeline.Pipeline;
import io.chimera.processor.pipeline.Sender;
import io.chimera.processor.staging.FrameFolder.Result;
import io.chimera.processor.staging.KnownCycles.Verdict;
import io.chimera.processor.staging.warehouse.Warehouse;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.agrona.DirectBuffer;
import org.agrona.ErrorHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Applies the rules of a part, listed at {@link StagingAgent}, to each frame. Staging's thread. */
final class PartReceiver {
    private static final Logger LOG = LoggerFactory.getLogger(PartReceiver.class);

    /**
     * Minimum interval between log lines. A full warehouse stays full for a while; the log shows at most two lines a
     * minute.
     */
    private static final long LOG_INTERVAL_NS = TimeUnit.SECONDS.toNanos(30);

    /**
     * Number of reassignments that makes a cycle suspect. A processor killed by a record cannot report the record, but
     * its shards are reassigned: once after the death of the first processor, twice after the death of the second.
     */
    private static final int REASSIGNMENTS_SUSPECT = 2;

    /** Maximum time that a frame waits for the view to show its cycle: later frames of all queue nodes wait as well. */
    static final long AHEAD_WAIT_NS = TimeUnit.SECONDS.toNanos(5);

    private final Clock clock;
    private List<Pipeline> pipelines = List.of();
    private final KnownCycles cycles;
    private final StagedShards shards;
    private final Warehouses warehouses;
    private final Answers answers;
    private final FrameFolder folder;
    private final PoisonGuard guard;
    private final LongConsumer makeRoom;
    private final ForeignFrames foreign;
    private final Counters<ProcessorCounter> counters;
    private final ErrorHandler errors;
    private long logAtNs;

    /** Whether the oldest frame waits for the view; {@link #waitingSinceNs} is the start. */
    private boolean isWaiting;

    private long waitingSinceNs;

    PartReceiver(StagingPorts links, StagingState state, PoisonGuard guard) {
        clock = links.clock();
        counters = links.counters();
        errors = links.errors();
        cycles = state.cycles();
        shards = state.shards();
        warehouses = state.warehouses();
        answers = state.answers();
        foreign = state.foreign();
        this.guard = guard;
        makeRoom = links.makeRoom();
        folder = new FrameFolder(counters, guard);
        logAtNs = clock.nanoTime();
    }

    /** Sets the pipelines for the following frames. */
    void use(LoadedConfiguration<List<Pipeline>> edition) {
        pipelines = edition.pipelines();
    }

    /**
     * Handles a DATA or END frame.
     *
     * @param frame begins at index 0
     * @param length length of the frame in bytes
     * @return false when the frame has to wait
     */
    @HotPath
    boolean onFrame(Sender sender, DirectBuffer frame, int length) {
        long cycle = PartFrame.cycle(frame, 0);
        int shard = PartFrame.shard(frame, 0);
        boolean isEnd = PartFrame.type(frame, 0) == PartFrame.END;
        int partNumber = PartFrame.part(frame, 0);
        Verdict verdict =
                cycles.verdict(sender.session(), cycle, partNumber, shard, PartFrame.fingerprint(frame, 0), length);
        if (verdict == Verdict.STAGE && shards.isPutOff(cycle, shard)) {
            verdict = Verdict.IGNORE;
        }
        if (verdict != Verdict.STAGE) {
            if (isEnd && (verdict == Verdict.IGNORE || verdict == Verdict.FOREIGN)) {
                cycles.passedOver(sender.session(), PartFrame.id(frame, 0));
            }
            return dismiss(verdict, sender, cycle, partNumber);
        }
        if (!isEnd && !isLateKnown(cycle, frame)) {
            return waitForView(sender, cycle);
        }
        isWaiting = false;
        if (isEnd && answers.isFull()) {
            return false;
        }
        StagedShard staged = shards.findOrAdd(cycle, shard);
        if (staged == null && shards.isAnyHandedOver()) {
            return false; // The flusher will release memory, whatever frames follow.
        }
        long nowNs = clock.nanoTime();
        if (staged == null || isOnePartTooMany(staged, partNumber)) {
            return dismiss(Verdict.REFUSE, sender, cycle, partNumber);
        }
        if (!staged.slice().isOf(frame, 0)) {
            onOtherSlice(sender, staged, partNumber, isEnd);
            return true;
        }
        if (!cycles.isKnown(cycle)) {
            cycles.aheadStaged(sender.session(), length);
        }
        StagedPart part = staged.findOrAdd(partNumber, nowNs);
        if (isEnd) {
            onEnd(sender, frame, staged, part);
        } else {
            onData(sender, frame, length, staged, part);
        }
        part.touch(nowNs);
        return true;
    }

    /** Handles a frame of another slice than the staged slice: the sender does not know the present slice yet. */
    private void onOtherSlice(Sender sender, StagedShard staged, int number, boolean isEnd) {
        counters.increment(ProcessorCounter.STAGING_FRAMES_IGNORED);
        if (!isEnd || !cycles.isKnown(staged.cycle())) {
            return;
        }
        StagedPart part = staged.findOrAdd(number, clock.nanoTime());
        if (!part.isWhole() && !part.isReceiving() && !part.isRefused()) {
            need(sender, staged, part);
            part.touch(clock.nanoTime());
        }
    }

    /**
     * Returns whether a further part exceeds the limit. The record of a known cycle gives the number of its parts; for
     * an unknown cycle a sender may claim any number.
     */
    private boolean isOnePartTooMany(StagedShard staged, int part) {
        return staged.find(part) == null && !cycles.isKnown(staged.cycle()) && shards.isFullOfParts();
    }

    /** Drops and counts a frame; false when the frame may wait instead. */
    private boolean dismiss(Verdict verdict, Sender sender, long cycle, int part) {
        if (verdict == Verdict.WAIT) {
            return waitForView(sender, cycle);
        }
        isWaiting = false;
        switch (verdict) {
            case FOREIGN -> foreign.dropped(sender, cycle, part, clock.nanoTime());
            case REFUSE -> refuse(sender, cycle);
            default -> counters.increment(ProcessorCounter.STAGING_FRAMES_IGNORED);
        }
        return true;
    }

    @ColdPath
    private void refuse(Sender sender, long cycle) {
        counters.increment(ProcessorCounter.STAGING_FRAMES_REFUSED);
        if (isTimeToLog()) {
            LOG.warn(
                    "Dropped frames ahead of the view: remote={}, cycle={}, newest={}. Their parts are requested"
                            + " once the view shows the cycle. If this message repeats, check the connection to"
                            + " ZooKeeper.",
                    sender.connection().remote(),
                    cycle,
                    cycles.newest());
        }
    }

    /**
     * Makes a frame wait. Once there is a view the time is limited; afterwards the sender's frames ahead of the view
     * are dropped.
     */
    private boolean waitForView(Sender sender, long cycle) {
        long nowNs = clock.nanoTime();
        if (!isWaiting) {
            isWaiting = true;
            waitingSinceNs = nowNs;
        }
        if (nowNs - waitingSinceNs < AHEAD_WAIT_NS || !cycles.hasView()) {
            return false;
        }
        isWaiting = false;
        cycles.refuseAhead(sender.session());
        refuse(sender, cycle);
        return true;
    }

    /** Returns whether late records of a frame can be recognized, which requires the time of the cycle. */
    private boolean isLateKnown(long cycle, DirectBuffer frame) {
        int pipeline = PartFrame.pipeline(frame, 0);
        return pipeline >= pipelines.size()
                || pipelines.get(pipeline).lateAfterNs() == 0
                || pipelines.get(pipeline).after() != null
                || cycles.isKnown(cycle);
    }

    private void onData(Sender sender, DirectBuffer frame, int length, StagedShard staged, StagedPart part) {
        if (!part.isWhole() && PartFrame.index(frame, 0) == 0) {
            begin(staged, part, sender, frame);
        }
        if (!part.continues(sender, frame)) {
            counters.increment(ProcessorCounter.STAGING_FRAMES_IGNORED);
            return;
        }
        if (staged.isRejected()) {
            part.counted();
            return;
        }
        int ordinal = PartFrame.pipeline(frame, 0);
        if (ordinal >= pipelines.size()) {
            onUnknownPipeline(sender, part, ordinal);
            return;
        }
        Pipeline pipeline = pipelines.get(ordinal);
        if (pipeline.after() == null) {
            fold(sender, frame, length, staged, part, pipeline);
        } else {
            keep(sender, frame, length, staged, part, pipeline);
        }
    }

    @ColdPath
    private void onUnknownPipeline(Sender sender, StagedPart part, int ordinal) {
        onBroken(sender, part, "pipeline is " + ordinal + ", number of pipelines is " + pipelines.size());
    }

    /**
     * Keeps the records of a frame for a composition. A composition takes the records in the order of the parts, so
     * records are kept until all parts are whole.
     */
    private void keep(
            Sender sender, DirectBuffer frame, int length, StagedShard staged, StagedPart part, Pipeline pipeline) {
        BufferedPart kept = warehouses.keptOf(part, pipeline.ordinal());
        switch (kept.keep(frame, length)) {
            case BROKEN -> onBroken(sender, part, "records are truncated or undefined");
            case FULL -> onFull(staged, part, pipeline, kept.entries().limit());
            case KEPT -> {
                part.folded(kept.copies(), kept.checksum(), kept.kept(), 0, kept.rejected());
                counters.add(ProcessorCounter.STAGING_COPIES, kept.copies());
                counters.add(ProcessorCounter.STAGING_POINTS, kept.kept());
                counters.add(ProcessorCounter.STAGING_POINTS_REJECTED, kept.rejected());
            }
        }
    }

    private void begin(StagedShard staged, StagedPart part, Sender sender, DirectBuffer frame) {
        if (part.isReceiving()) {
            counters.increment(ProcessorCounter.STAGING_PARTS_RESTARTED);
        }
        part.begin(
                sender,
                PartFrame.transmission(frame, 0),
                PartFrame.fingerprint(frame, 0),
                cycles.isKnown(staged.cycle()));
    }

    private void fold(
            Sender sender, DirectBuffer frame, int length, StagedShard staged, StagedPart part, Pipeline pipeline) {
        long earliestNs =
                pipeline.lateAfterNs() == 0 ? Long.MIN_VALUE : cycles.clockNs(staged.cycle()) - pipeline.lateAfterNs();
        Warehouse warehouse = warehouses.of(part, pipeline.ordinal());
        boolean isCareful = !pipeline.folding().isEmpty() && isSuspect(staged);
        try {
            Result result = folder.fold(frame, length, part, pipeline, earliestNs, isCareful);
            if (result == Result.BROKEN) {
                onBroken(sender, part, "records are truncated or undefined");
            } else if (result == Result.FULL) {
                onFull(staged, part, pipeline, warehouse.fullBecause());
            }
        } catch (RuntimeException | AssertionError | LinkageError | StackOverflowError e) { // thrown by a plugin
            onFailed(staged, part, pipeline, isCareful, e);
        }
    }

    /** Returns whether an aggregator threw at the shard, or a record of the shard may have killed two processors. */
    private boolean isSuspect(StagedShard staged) {
        return staged.isCareful() || cycles.reassignments(staged.cycle()) >= REASSIGNMENTS_SUSPECT;
    }

    /**
     * Handles an exception of an aggregator. Some groups already contain a part of a record, so the part has to be sent
     * again.
     */
    @ColdPath
    private void onFailed(StagedShard staged, StagedPart part, Pipeline pipeline, boolean wasCareful, Throwable e) {
        counters.increment(ProcessorCounter.STAGING_PARTS_FAILED);
        String what = "An aggregator of pipeline " + pipeline.name() + " failed: " + e + "; " + part.id();
        if (wasCareful) {
            part.refuse();
            errors.onError(new ChimeraException(
                    ChimeraException.Category.ERROR,
                    what
                            + " is retried later: the aggregator failed at a record after a successful rehearsal."
                            + " The result must depend only on the values and their order. Correct the plugin.",
                    e));
        } else {
            part.fail();
            staged.beCareful();
            LOG.warn("{} is requested again and folded record by record.", what);
        }
    }

    @ColdPath
    private void onBroken(Sender sender, StagedPart part, String reason) {
        counters.increment(ProcessorCounter.STAGING_FRAMES_BROKEN);
        part.refuse();
        if (isTimeToLog()) {
            LOG.error(
                    "Dropped a broken frame: remote={}, reason={}. Check that all nodes have the same version and"
                            + " configuration.",
                    sender.connection().remote(),
                    reason);
        }
    }

    /**
     * Handles a full warehouse: the part is requested again when there is room. Newer shards release their memory at
     * once and wait until this shard is handed over. Shards handed over and older shards finish first. A shard with all
     * memory to itself is divided.
     */
    @ColdPath
    private void onFull(StagedShard staged, StagedPart part, Pipeline pipeline, String limit) {
        counters.increment(ProcessorCounter.STAGING_PARTS_FULL);
        part.refuse();
        if (!cycles.isKnown(staged.cycle())) {
            staged.drop();
            return;
        }
        staged.favour();
        boolean isRoomMade = false;
        for (StagedShard newer : shards.after(staged)) {
            isRoomMade |= newer.holdsMemory();
            putOff(newer);
        }
        if (isRoomMade) {
            cycles.dropped(part.id());
            return;
        }
        if (shards.isAnyHandedOver()) {
            staged.awaitRoom();
            makeRoom.accept(staged.cycle());
        } else if (shards.isMemoryHeldBefore(staged)) {
            staged.drop();
            staged.awaitRoom();
        } else {
            divide(staged, "the warehouse of pipeline " + pipeline.name() + ": " + limit + " is reached");
        }
    }

    private void putOff(StagedShard newer) {
        newer.parts().forEach(part -> cycles.dropped(part.id()));
        newer.drop();
    }

    /**
     * Divides the staged slice of a shard, or rejects the slice when it is not divisible.
     *
     * @param reason memory that the slice exceeds, and the limit reached
     */
    @ColdPath
    void divide(StagedShard staged, String reason) {
        Slice slice = staged.slice();
        if (staged.divide()) {
            counters.increment(ProcessorCounter.STAGING_SHARDS_DIVIDED);
            LOG.warn(
                    "Divided a shard that does not fit into memory. cycle={} shard={} slice={} reason=\"{}\"",
                    staged.cycle(),
                    staged.shard(),
                    slice,
                    reason);
            return;
        }
        staged.reject();
        errors.onError(new ChimeraException(
                ChimeraException.Category.ERROR,
                "Slice " + slice + " of " + staged.id() + " does not fit into " + reason
                        + ". Its data points are rejected and its rows are not written. Raise the limit, then run"
                        + " the cycle again with chimera replay."));
    }

    private boolean isTimeToLog() {
        long nowNs = clock.nanoTime();
        boolean isTime = nowNs - logAtNs >= 0;
        if (isTime) {
            logAtNs = nowNs + LOG_INTERVAL_NS;
        }
        return isTime;
    }

    private void onEnd(Sender sender, DirectBuffer frame, StagedShard staged, StagedPart part) {
        if (!part.isWhole() && PartFrame.index(frame, 0) == 0) {
            begin(staged, part, sender, frame); // a transmission without records
        }
        if (part.isWhole()) {
            answer(sender, PartFrame.OK, staged, part);
        } else if (part.isReceivingFrom(sender, PartFrame.transmission(frame, 0))) {
            end(sender, frame, staged, part);
        } else if (part.isFailed()) {
            need(sender, staged, part);
        } else if (part.isReceiving() || part.isRefused() || !cycles.isKnown(staged.cycle())) {
            counters.increment(ProcessorCounter.STAGING_FRAMES_IGNORED);
        } else {
            need(sender, staged, part); // the earlier frames arrived before the shard was assigned to this processor
        }
    }

    private void end(Sender sender, DirectBuffer frame, StagedShard staged, StagedPart part) {
        if (staged.isRejected() && part.continues(sender, frame)) {
            part.reject(frame);
            counters.increment(ProcessorCounter.STAGING_PARTS_REJECTED);
            counters.add(ProcessorCounter.STAGING_POINTS_REJECTED, part.rejected());
            guard.rejected(staged, part);
            answer(sender, PartFrame.OK, staged, part);
        } else if (part.continues(sender, frame) && part.end(frame)) {
            counters.increment(ProcessorCounter.STAGING_PARTS_WHOLE);
            answer(sender, PartFrame.OK, staged, part);
        } else {
            onMismatch(sender, staged, part);
        }
    }

    @ColdPath
    private void onMismatch(Sender sender, StagedShard staged, StagedPart part) {
        counters.increment(ProcessorCounter.STAGING_PARTS_MISMATCHED);
        LOG.warn(
                "END totals or checksum mismatch for {} from {}; requesting retransmission.",
                part.id(),
                sender.connection().remote());
        part.drop();
        need(sender, staged, part);
    }

    private void need(Sender sender, StagedShard staged, StagedPart part) {
        counters.increment(ProcessorCounter.STAGING_NEEDS);
        answer(sender, PartFrame.NEED, staged, part);
    }

    private void answer(Sender sender, int type, StagedShard staged, StagedPart part) {
        answers.send(sender, type, part.id(), staged.slice());
    }
}
