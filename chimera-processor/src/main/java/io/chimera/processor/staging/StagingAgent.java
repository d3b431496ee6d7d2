package io.chimera.processor.staging;

import io.chimera.api.HotPath;
import io.chimera.common.agent.Clock;
import io.chimera.common.cluster.membership.ConfigurationRegistry;
import io.chimera.common.cluster.membership.ConfigurationRegistry.LoadedConfiguration;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.ProcessorCounter;
import io.chimera.common.ring.BatchRing;
import io.chimera.common.ring.Slot;
import io.chimera.common.wire.PartFrame;
import io.chimera.common.wire.PastFrame;
import io.chimera.processor.pipeline.LetterFiles;
import io.chimera.processor.pipeline.Pipeline;
import io.chimera.processor.pipeline.Sender;
import io.chimera.processor.staging.warehouse.ChunkPool;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import org.agrona.concurrent.Agent;

/**
 * Folds frames from the extractor's slots into the warehouses of (cycle, shard, part), answers END frames, and hands
 * whole shards to the flusher (Chimera 2017, III-D2 and Algorithm 2). One agent, one thread, which owns all state of
 * staging.
 *
 * <p>The rules of a part: only frames of the queue node that owns the part count. The first frame of a transmission
 * drops the staged data and starts over. A frame that does not continue the transmission is ignored. An END with totals
 * different from the received data drops the data and requests the part again (NEED). A whole part stays whole, and a
 * further END of its owner is answered with OK. Data received before the view shows the cycle is checked once the view
 * does.
 */
public final class StagingAgent implements Agent {
    /** Maximum number of frames per round, before answers and the view are processed. */
    private static final int FRAMES_PER_ROUND = 16;

    private final BatchRing ring;
    private final Clock clock;
    private final KnownCycles cycles;
    private final StagedShards shards;
    private final Warehouses warehouses;
    private final Answers answers;
    private final PartReceiver receiver;
    private final StagingReconciler reconciler;
    private final PastCycleLoader past;
    private final Counters<ProcessorCounter> counters;
    private final BatchRing.SlotHandler onSlot = this::onSlot;

    private final Consumer<List<Pipeline>> retired;

    /** Retired pipelines with shards that may not have returned yet. */
    private final List<List<Pipeline>> retiring = new ArrayList<>();

    private LoadedConfiguration<List<Pipeline>> running;
    private boolean hasEnded;

    /**
     * Creates staging without shards.
     *
     * @param links connections to the rest of the node
     * @param pool memory of the warehouses; closed with staging
     * @param held the held pipelines, each set in the order of the names
     * @param letters dead-letter files of the node
     */
    public StagingAgent(
            StagingPorts links, ChunkPool pool, ConfigurationRegistry<List<Pipeline>> held, LetterFiles letters) {
        ring = links.ring();
        clock = links.clock();
        counters = links.counters();
        retired = links.retired();
        warehouses = new Warehouses(pool);
        shards = new StagedShards();
        cycles = new KnownCycles(links.cluster(), links.session(), held);
        answers = new Answers(links.session());
        ForeignFrames foreign = new ForeignFrames(cycles, counters, clock.nanoTime());
        StagingState state = new StagingState(cycles, shards, warehouses, answers, foreign);
        receiver = new PartReceiver(links, state, new PoisonGuard(letters, links));
        reconciler = new StagingReconciler(links, state, receiver);
        past = new PastCycleLoader(links, shards, warehouses);
        use(cycles.running());
    }

    private void use(LoadedConfiguration<List<Pipeline>> next) {
        running = next;
        shards.use(next, warehouses.use(next.pipelines()));
        receiver.use(next);
    }

    @Override
    public String roleName() {
        return "staging";
    }

    @Override
    public int doWork() {
        // before the view, so that the view is newer than the flusher's view of the returned shards
        int work = reconciler.takeBack();
        boolean isNewView = cycles.refresh();
        if (!cycles.running().digest().equals(running.digest())) {
            use(cycles.running());
        }
        if (isNewView) {
            reconciler.check(clock.nanoTime());
        }
        retire();
        hasEnded = false;
        work += ring.poll(onSlot, FRAMES_PER_ROUND);
        work += reconciler.reconcile(isNewView || hasEnded, clock.nanoTime());
        work += answers.sendWaiting();
        return work + past.doWork();
    }

    /** Reports retired pipeline sets that no in-flight shard uses. */
    private void retire() {
        List<List<Pipeline>> more = cycles.takeRetired();
        if (more.isEmpty() && retiring.isEmpty()) {
            return;
        }
        retiring.addAll(more);
        for (Iterator<List<Pipeline>> all = retiring.iterator(); all.hasNext(); ) {
            List<Pipeline> old = all.next();
            if (!shards.isAnyOf(old)) {
                retired.accept(old);
                all.remove();
            }
        }
    }

    @HotPath
    private boolean onSlot(Slot slot) {
        Sender sender = (Sender) slot.attachment();
        if (PartFrame.type(slot.buffer(), 0) >= PastFrame.PAST) {
            past.onFrame(sender, slot.buffer(), slot.length());
            sender.connection().consumed(slot.length());
            return true;
        }
        if (!receiver.onFrame(sender, slot.buffer(), slot.length())) {
            counters.increment(ProcessorCounter.STAGING_WAITS);
            return false;
        }
        hasEnded |= PartFrame.type(slot.buffer(), 0) == PartFrame.END;
        sender.connection().consumed(slot.length());
        return true;
    }

    /** Returns the number of staged cycles. Any thread. */
    public int stagedCycles() {
        return shards.cycles();
    }

    /** Returns the bytes in use of the warehouses' limit. Any thread. */
    public long warehouseBytes() {
        return warehouses.bytesUsed();
    }

    @Override
    public void onClose() {
        past.clear();
        shards.clear();
        warehouses.close();
    }
}
