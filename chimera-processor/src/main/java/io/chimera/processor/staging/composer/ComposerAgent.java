package io.chimera.processor.staging.composer;

import io.chimera.common.agent.Clock;
import io.chimera.common.cluster.Cluster;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.CycleTime;
import io.chimera.common.cluster.OpenCycle;
import io.chimera.common.cluster.ShardId;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.ProcessorCounter;
import io.chimera.processor.pipeline.BlockPool;
import io.chimera.processor.pipeline.CompletedShard;
import io.chimera.processor.pipeline.LetterFiles;
import io.chimera.processor.pipeline.Pipeline;
import io.chimera.processor.pipeline.ProcessorComposition;
import io.chimera.processor.pipeline.Rebuilding;
import io.chimera.processor.staging.composer.PastCycleRequests.Answer;
import io.chimera.processor.staging.warehouse.ChunkPool;
import io.chimera.processor.staging.warehouse.KeptEntries;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.Agent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the composition of a pipeline over whole shards on their way from staging to the flusher, cycle after cycle. The
 * points of a partition arrive in the order of the cycles, and within a cycle in the order of its parts, on every
 * processor. A shard waits while a partition has no state as of the previous cycle: for pending shards of the previous
 * cycle on this processor, or for a rebuild of the state ({@link Rebuild}). Flushed shards return through the composer,
 * because the composer owns and releases its output. One agent, one thread; only the composer's own work waits for the
 * composer.
 */
public final class ComposerAgent implements Agent {
    private static final Logger LOG = LoggerFactory.getLogger(ComposerAgent.class);

    /** Delay before a retry after the output of a composition did not fit. */
    private static final long RETRY_NS = TimeUnit.SECONDS.toNanos(1);

    /**
     * Attempts for a shard without room, {@link #RETRY_NS} or more apart. Shards in flight have reached the stores by
     * then.
     */
    private static final int FULL_TIMES_MAX = 5;

    private final ComposerPorts links;
    private final long session;
    private final Clock clock;
    private final Cluster cluster;
    private final Counters<ProcessorCounter> counters;
    private final PastCycleRequests desk;
    private final Pipeline pipeline;
    private final ProcessorComposition after;
    private final CompositionRun run;
    private final List<Waiting> waiting = new ArrayList<>();
    private final Deque<ComposableShard> composed = new ArrayDeque<>();

    /** Composed shards that have not returned from the flusher. */
    private final List<ComposableShard> away = new ArrayList<>();

    private final Deque<CompletedShard> homeward = new ArrayDeque<>();
    private final AtomicLong roomAfter = new AtomicLong(Long.MAX_VALUE);
    private Rebuild rebuild;

    /** Last shard without room; {@link #fullTimes} counts its consecutive failures. */
    private ComposableShard full;

    private int fullTimes;
    private long retryAtNs;
    private volatile Rebuilding rebuilding;

    /**
     * Creates a composer without shards.
     *
     * @param links connections to the rest of the node
     * @param pipeline has a composition
     * @param pool memory of this composer
     * @param letters dead-letter files of the node
     */
    public ComposerAgent(ComposerPorts links, Pipeline pipeline, ChunkPool pool, LetterFiles letters) {
        this.links = links;
        this.pipeline = pipeline;
        after = pipeline.after();
        session = links.session();
        clock = links.clock();
        cluster = links.cluster();
        counters = links.counters();
        desk = links.desk();
        run = new CompositionRun(links, pipeline, pool, letters);
        retryAtNs = clock.nanoTime();
    }

    @Override
    public String roleName() {
        return "composer-" + pipeline.name();
    }

    @Override
    public int doWork() {
        int work = takeBack() + takeIn();
        ClusterView view = cluster.view();
        work += giveBack() + giveUp(view) + readAnswers(view) + compose(view);
        while (!composed.isEmpty() && links.composed().test(composed.peek())) {
            composed.poll();
            work++;
        }
        while (!homeward.isEmpty() && links.home().test(homeward.peek())) {
            homeward.poll();
            work++;
        }
        return work;
    }

    private int takeBack() {
        int taken = 0;
        for (CompletedShard shard = links.flushed().get();
                shard != null;
                shard = links.flushed().get()) {
            ComposableShard back = (ComposableShard) shard;
            int ordinal = back.ordinalOf(after);
            back.composed(ordinal).clear();
            back.composed(ordinal, null);
            away.remove(back);
            homeward.add(back);
            taken++;
        }
        return taken;
    }

    private int takeIn() {
        CompletedShard next = links.whole().get();
        if (next == null) {
            return 0;
        }
        ComposableShard shard = (ComposableShard) next;
        Optional<OpenCycle> open = cluster.view().open(shard.cycle());
        if (open.isEmpty()) {
            homeward.add(shard);
        } else if (shard.isRejected() || !takesPart(open.get().cycle())) {
            shard.composed(shard.ordinalOf(after), run.nothing());
            composed.add(shard);
            away.add(shard);
        } else {
            waiting.add(Waiting.of(shard, open.get().cycle(), after));
            waiting.sort(Comparator.comparingLong((Waiting each) -> each.cycle().number())
                    .thenComparingInt(each -> each.shard().shard()));
        }
        return 1;
    }

    /**
     * Returns whether the records of the pipeline are sent for this cycle. Without records, a composition with state
     * would still give rows, and the rows would be wrong.
     */
    private boolean takesPart(Cycle cycle) {
        return cycle.replay().map(replay -> replay.includes(pipeline.name())).orElse(true);
    }

    /** Makes the composer give back waiting shards of cycles after the given cycle. Any thread. */
    public void giveBackAfter(long cycle) {
        roomAfter.set(cycle);
    }

    private int giveBack() {
        if (roomAfter.get() == Long.MAX_VALUE) {
            return 0;
        }
        long cycle = roomAfter.getAndSet(Long.MAX_VALUE);
        int before = waiting.size();
        waiting.removeIf(each -> {
            boolean isAfter = each.cycle().number() > cycle;
            if (isAfter) {
                homeward.add(each.shard());
            }
            return isAfter;
        });
        return before - waiting.size();
    }

    /** Gives back waiting shards that another session got or committed. */
    private int giveUp(ClusterView view) {
        int before = waiting.size();
        waiting.removeIf(each -> {
            boolean isOurs = isOurs(view, each.shard().id(), each.shard().digest());
            if (!isOurs) {
                homeward.add(each.shard());
            }
            return !isOurs;
        });
        if (rebuild != null && (rebuild.isFailed() || !waiting.contains(rebuild.target()))) {
            rebuild = null;
            rebuilding = null;
        }
        return before - waiting.size();
    }

    private boolean isOurs(ClusterView view, ShardId id, ConfigurationDigest digest) {
        OpenCycle open = view.open(id.cycle()).orElse(null);
        return open != null
                && !open.isCommitted(id.shard())
                && open.assignment().isFor(digest)
                && open.assignment().processors().get(id.shard()) == session;
    }

    private int readAnswers(ClusterView view) {
        int read = 0;
        for (Answer answer = desk.answer(); answer != null; answer = desk.answer()) {
            if (rebuild != null && rebuild.isFor(answer)) {
                rebuild.on(answer, view, clock.nanoTime());
            }
            desk.release(answer);
            read++;
        }
        return read;
    }

    private int compose(ClusterView view) {
        long nowNs = clock.nanoTime();
        if (waiting.isEmpty() || nowNs - retryAtNs < 0) {
            return 0;
        }
        int work = rebuild == null ? 0 : goOn(view, nowNs);
        for (Iterator<Waiting> all = waiting.iterator(); all.hasNext(); ) {
            Waiting next = all.next();
            if (run.missing(next).isEmpty()) {
                if (run.compose(next)) {
                    full = null;
                    all.remove();
                    composed.add(next.shard());
                    away.add(next.shard());
                } else {
                    retryAtNs = nowNs + RETRY_NS;
                    if (run.isFull()) {
                        full(next);
                    }
                }
                return work + 1;
            }
        }
        return rebuild == null ? work + begin(view, nowNs) : work;
    }

    private int goOn(ClusterView view, long nowNs) {
        int work = rebuild.step(view, nowNs);
        rebuilding = rebuild.seen(pipeline.name(), nowNs);
        if (rebuild.isDone() && !rebuild.isFailed()) {
            end(rebuild);
            rebuild = null;
            rebuilding = null;
            return work + 1;
        }
        return work;
    }

    private void end(Rebuild done) {
        run.rebuilt(done.target(), done.partitions(), done.last());
        counters.increment(ProcessorCounter.COMPOSER_REBUILDS);
        if (done.isShort()) {
            counters.increment(ProcessorCounter.COMPOSER_REBUILDS_SHORT);
            LOG.warn(
                    "Rebuilt incomplete state: no journal has all cycles of the last {} s before cycle {};"
                            + " partitions={}, pipeline={}."
                            + " Raise queue.journal.retain_bytes, unless the horizon reaches back before the start"
                            + " of the cluster.",
                    TimeUnit.MILLISECONDS.toSeconds(after.horizonMs()),
                    done.target().content(),
                    done.partitions().cardinality(),
                    pipeline.name());
        }
    }

    /**
     * Begins a rebuild of the missing state of the oldest waiting shard, unless pending shards will bring the state.
     */
    private int begin(ClusterView view, long nowNs) {
        for (Waiting next : waiting) {
            BitSet missing = run.missing(next);
            missing.andNot(expected(view, next, missing));
            if (!missing.isEmpty()) {
                rebuild = new Rebuild(
                        next,
                        missing,
                        new Rebuild.Requester(
                                after.horizonMs(), next.shard().digest().fingerprint(), session),
                        desk,
                        applier(next),
                        nowNs);
                return 1;
            }
        }
        return 0;
    }

    /** Returns the partitions whose state follows from a pending shard of the previous cycle on this processor. */
    private BitSet expected(ClusterView view, Waiting next, BitSet missing) {
        BitSet expected = new BitSet();
        OpenCycle before = next.isReplay() ? null : view.cycles().get(next.content() - 1);
        if (before == null) {
            return expected;
        }
        for (int i = missing.nextSetBit(0); i >= 0; i = missing.nextSetBit(i + 1)) {
            ShardId id = new ShardId(before.cycle().number(), i % before.cycle().shards());
            boolean isAway = away.stream().anyMatch(each -> each.id().equals(id));
            expected.set(i, !isAway && isOurs(view, id, next.shard().digest()));
        }
        return expected;
    }

    private Rebuild.Applier applier(Waiting target) {
        return new Rebuild.Applier() {
            @Override
            public void reset(BitSet partitions) {
                run.reset(target, partitions);
            }

            @Override
            public boolean apply(CycleTime time, List<KeptEntries> parts, BitSet partitions) {
                counters.increment(ProcessorCounter.COMPOSER_PAST_CYCLES);
                return run.apply(target, time, parts, partitions);
            }

            @Override
            public void full(Waiting shard) {
                makeRoomFor(shard);
            }

            @Override
            public int nextRequest() {
                return links.requests().getAsInt();
            }
        };
    }

    private void full(Waiting shard) {
        counters.increment(ProcessorCounter.COMPOSER_FULL);
        LOG.error(
                "Output of a composition does not fit: pipeline={}, shard={}, cycle={}. {} or processor.max_groups is"
                        + " reached. The shard is retried. If this message repeats, raise the limit or add processors.",
                pipeline.name(),
                shard.shard().shard(),
                shard.cycle().number(),
                run.limit());
        makeRoomFor(shard);
    }

    /**
     * Makes room for a shard: the newest waiting shard is given back, because staging requests it again; otherwise
     * staging drops a newer cycle. A shard without room for {@link #FULL_TIMES_MAX} attempts is given back to be
     * divided.
     */
    private void makeRoomFor(Waiting shard) {
        fullTimes = full == shard.shard() ? fullTimes + 1 : 1;
        full = shard.shard();
        if (fullTimes >= FULL_TIMES_MAX) {
            full = null;
            waiting.remove(shard);
            shard.shard().tooLarge();
            homeward.add(shard.shard());
            return;
        }
        Waiting newest = waiting.get(waiting.size() - 1);
        if (shard.isBefore(newest)) {
            waiting.remove(newest);
            homeward.add(newest.shard());
        } else {
            desk.makeRoomFor(shard.cycle().number());
        }
    }

    /** Returns the rebuild in progress, for display; null if absent. Any thread. */
    public Rebuilding rebuilding() {
        return rebuilding;
    }

    /** Returns the thread pools of the blocks, for display. Any thread. */
    public List<BlockPool> pools() {
        return run.pools();
    }

    @Override
    public void onClose() {
        run.close();
    }
}
