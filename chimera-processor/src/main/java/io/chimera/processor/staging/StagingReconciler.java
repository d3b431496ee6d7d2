package io.chimera.processor.staging;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.CycleTime;
import io.chimera.common.cluster.OpenCycle;
import io.chimera.common.cluster.ShardId;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.ProcessorCounter;
import io.chimera.common.wire.PartFrame;
import io.chimera.processor.pipeline.CompletedShard;
import io.chimera.processor.pipeline.Sender;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Compares the staged data with the newest view: drops unwanted shards and transmissions without ownership, hands whole
 * shards to the flusher, and requests missing parts. Staging's thread.
 */
final class StagingReconciler {
    /**
     * Time without frames after which a part is requested. A transmission in progress sends frames every few ms, and a
     * working queue node begins to send a cycle within a second; an early request would cost a second transmission of a
     * whole part.
     */
    static final long MISSING_NS = TimeUnit.SECONDS.toNanos(5);

    /** Interval between comparisons while nothing changes: a fraction of {@link #MISSING_NS}. */
    private static final long INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final KnownCycles cycles;
    private final StagedShards shards;
    private final Answers answers;
    private final PartReceiver receiver;
    private final ForeignFrames foreign;
    private final LongFunction<Sender> senders;
    private final Predicate<CompletedShard> flusher;
    private final Supplier<CompletedShard> flushed;
    private final Counters<ProcessorCounter> counters;
    private long nextNs;

    StagingReconciler(StagingPorts links, StagingState state, PartReceiver receiver) {
        senders = links.senders();
        flusher = links.flusher();
        flushed = links.flushed();
        counters = links.counters();
        nextNs = links.clock().nanoTime();
        cycles = state.cycles();
        shards = state.shards();
        answers = state.answers();
        foreign = state.foreign();
        this.receiver = receiver;
    }

    /**
     * Takes back shards from the flusher: committed, reassigned, or with a flushed slice. Composers also give back
     * shards that do not fit, and shards that have to make room.
     */
    int takeBack() {
        int taken = 0;
        for (CompletedShard shard = flushed.get(); shard != null; shard = flushed.get()) {
            takeBack((StagedShard) shard);
            taken++;
        }
        if (taken > 0) {
            shards.all().forEach(this::missWhatHadNoRoom);
        }
        return taken;
    }

    private void missWhatHadNoRoom(StagedShard shard) {
        if (!shard.endAwaitingRoom() || !cycles.isKnown(shard.cycle())) {
            return;
        }
        for (int number = 0; number < cycles.parts(shard.cycle()); number++) {
            StagedPart part = shard.find(number);
            if (part == null || !(part.isWhole() || part.isReceiving())) {
                cycles.dropped(shard.part(number));
            }
        }
    }

    private void takeBack(StagedShard shard) {
        boolean isInSlices = shard.isFlushed() || shard.isTooLarge() || shard.isSliced();
        if (!isInSlices || !shards.isCurrent(shard)) {
            shards.remove(shard);
        } else if (shard.isFlushed()) {
            shard.nextSlice();
        } else if (shard.isTooLarge()) {
            receiver.divide(
                    shard, "the memory of a composition: processor.max_bytes or processor.max_groups is reached");
        } else {
            shard.restart();
        }
    }

    /**
     * Checks the staged transmissions against the owners of a new view. A transmission that began before the view
     * showed its cycle is dropped and requested from the owner, unless it is from the owner of the part and with the
     * pipelines of the cycle. An unfinished transmission of an earlier owner is dropped as well: the new owner sends
     * the part.
     */
    void check(long nowNs) {
        for (StagedShard shard : shards.all()) {
            if (!shard.isHandedOver() && cycles.isKnown(shard.cycle())) {
                shard.parts().forEach(part -> check(shard, part, nowNs));
            }
        }
    }

    private void check(StagedShard shard, StagedPart part, long nowNs) {
        Sender sender = part.sender();
        if (sender == null) {
            return;
        }
        if (!part.isVouchedFor() && cycles.isVouchedFor(sender.session(), part.id(), part.fingerprint())) {
            part.vouchFor();
        }
        if (!part.isVouchedFor()) {
            foreign.dropped(sender, shard.cycle(), part.part(), nowNs);
            part.drop();
            cycles.dropped(part.id());
        } else if (part.isReceiving() && !cycles.isOwner(sender.session(), part.id())) {
            part.drop();
        }
    }

    /**
     * Compares staged data with the view, when due.
     *
     * @param hasChanged whether the view is new or parts have become whole
     */
    int reconcile(boolean hasChanged, long nowNs) {
        if (!hasChanged && nowNs - nextNs < 0) {
            return 0;
        }
        nextNs = nowNs + INTERVAL_NS;
        foreign.look(nowNs);
        ClusterView view = cycles.view();
        shards.dropIf(shard -> !cycles.isWanted(shard.id()));
        int work = 0;
        for (OpenCycle open : view.open()) {
            for (int shard = 0; shard < open.cycle().shards(); shard++) {
                if (cycles.isWanted(new ShardId(open.cycle().number(), shard))) {
                    work += reconcile(open, shard, nowNs);
                }
            }
        }
        return work;
    }

    private int reconcile(OpenCycle open, int shard, long nowNs) {
        int parts = open.cycle().parts();
        if (shards.isPutOff(open.cycle().number(), shard)) {
            return 0;
        }
        StagedShard staged = shards.findOrAdd(open.cycle().number(), shard);
        if (staged == null || staged.isHandedOver()) {
            return 0;
        }
        staged.dropPartsFrom(parts);
        if (staged.isWhole(parts)) {
            return handOver(staged, open.cycle().time());
        }
        int asked = 0;
        for (int part = 0; part < parts; part++) {
            StagedPart found = staged.findOrAdd(part, staged.isSliced() ? nowNs - MISSING_NS - 1 : nowNs);
            boolean isMissed = cycles.isMissed(found.id());
            if (!found.isWhole() && (isMissed || nowNs - found.touchedNs() > MISSING_NS)) {
                asked += ask(open, staged, found, nowNs);
            }
        }
        return asked;
    }

    private int handOver(StagedShard staged, CycleTime time) {
        if (staged.isRejected() && !staged.isLast()) {
            staged.flushed(0);
            staged.nextSlice();
            return 1;
        }
        staged.handOver(time);
        if (!flusher.test(staged)) {
            staged.keep();
            return 0;
        }
        counters.add(ProcessorCounter.FLUSHER_SHARDS, staged.isLast() ? 1 : 0);
        return 1;
    }

    private int ask(OpenCycle open, StagedShard staged, StagedPart part, long nowNs) {
        Sender owner = senders.apply(open.assignment().owners().get(part.part()));
        if (owner == null) {
            return 0; // requested once its queue node is connected
        }
        counters.increment(ProcessorCounter.STAGING_NEEDS);
        answers.send(owner, PartFrame.NEED, part.id(), staged.slice());
        part.touch(nowNs);
        cycles.requested(part.id());
        return 1;
    }
}
