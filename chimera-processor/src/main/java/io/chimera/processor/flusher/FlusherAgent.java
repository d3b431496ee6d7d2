package io.chimera.processor.flusher;

import io.chimera.common.agent.Clock;
import io.chimera.common.cluster.Cluster;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.ProcessorCounter;
import io.chimera.processor.flusher.PendingCommits.Standing;
import io.chimera.processor.pipeline.CompletedShard;
import io.chimera.processor.pipeline.NamedStore;
import io.chimera.processor.pipeline.RefusalLimits;
import io.chimera.processor.pipeline.TopGroups;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.agrona.concurrent.Agent;

/**
 * Writes whole shards to the stores and commits a shard once the stores have all its rows (Chimera 2017, III-D3 and
 * Algorithm 2): acknowledged, or also read back, as each pipeline demands. Every store has its own lane, so an outage
 * of a store delays only its own rows and the commits that need them. A shard reassigned to another session is
 * abandoned. Runs on its own thread because a store may block; a simulation runs all agents on a single thread.
 */
public final class FlusherAgent implements Agent {
    /**
     * Maximum number of shards in the flush. Each buffers 10,000 rows per store, or 50,000 with read-back: 8 x 15 MB.
     */
    private static final int ACTIVE_MAX = 8;

    /**
     * Minimum time between announcements of the stores, so an unstable store costs at most one announcement per second.
     */
    private static final long REPORT_STORES_EVERY_NS = TimeUnit.SECONDS.toNanos(1);

    private final long session;
    private final Clock clock;
    private final Cluster cluster;
    private final Supplier<CompletedShard> whole;
    private final Predicate<CompletedShard> flushed;
    private final Counters<ProcessorCounter> counters;
    private final HeaviestGroups heaviest = new HeaviestGroups();
    private final FlushTools tools;
    private final Map<String, StoreLane> lanes = new LinkedHashMap<>();
    private final PendingCommits commits;
    private final List<ShardFlush> active = new ArrayList<>();
    private final ArrayDeque<CompletedShard> done = new ArrayDeque<>();
    private Consumer<List<String>> storesOutListener = names -> {};
    private List<String> reportedOut = List.of();
    private long storesReportedNs;
    private volatile int pending;
    private volatile int verifying;

    /**
     * Creates a flusher without shards.
     *
     * @param links connections to the rest of the node
     * @param stores all stores that pipelines may name
     * @param limits of refused rows, by store
     * @param letters takes rows that cannot be stored
     */
    public FlusherAgent(
            FlusherPorts links,
            Collection<NamedStore> stores,
            Function<String, RefusalLimits> limits,
            RowLetters letters) {
        session = links.session();
        clock = links.clock();
        cluster = links.cluster();
        whole = links.whole();
        flushed = links.flushed();
        counters = links.counters();
        tools = new FlushTools(clock, cluster, letters, counters, links.errors(), heaviest);
        commits = new PendingCommits(session, cluster, counters);
        stores.forEach(store -> lanes.put(store.name(), lane(store, limits.apply(store.name()))));
    }

    private StoreLane lane(NamedStore store, RefusalLimits limits) {
        StoreHealth health = new StoreHealth(store.name(), session, clock, counters);
        return new StoreLane(store, limits, health, clock, counters);
    }

    @Override
    public String roleName() {
        return "flusher";
    }

    @Override
    public int doWork() {
        ClusterView view = cluster.view();
        int work = take() + giveUp(view) + flush() + commits.align(view, clock.nanoTime(), done::add);
        while (!done.isEmpty() && flushed.test(done.peek())) {
            done.poll();
            work++;
        }
        pending = commits.count() + active.size();
        reportStoresOut();
        return work;
    }

    /**
     * Sets the listener for the names of the stores in an outage, called after each change. To be called before the
     * first {@link #doWork}.
     *
     * @param listener called by the flusher's thread
     */
    public void onStoresOut(Consumer<List<String>> listener) {
        storesOutListener = listener;
        storesReportedNs = clock.nanoTime() - REPORT_STORES_EVERY_NS;
    }

    private void reportStoresOut() {
        long nowNs = clock.nanoTime();
        if (nowNs - storesReportedNs < REPORT_STORES_EVERY_NS || (reportedOut.isEmpty() && !isAnyOut())) {
            return;
        }
        List<String> out = lanes.values().stream()
                .filter(lane -> lane.outage() != null)
                .map(StoreLane::name)
                .sorted()
                .toList();
        if (!out.equals(reportedOut)) {
            storesReportedNs = nowNs;
            reportedOut = out;
            storesOutListener.accept(out);
        }
    }

    private boolean isAnyOut() {
        for (StoreLane lane : lanes.values()) {
            if (lane.outage() != null) {
                return true;
            }
        }
        return false;
    }

    private int take() {
        if (active.size() == ACTIVE_MAX) {
            return 0;
        }
        CompletedShard next = whole.get();
        if (next == null) {
            return 0;
        }
        active.add(new ShardFlush(next, lanes::get, tools));
        return 1;
    }

    private int giveUp(ClusterView view) {
        int before = active.size();
        active.removeIf(flush -> {
            Standing standing = commits.standing(view, flush.shard());
            if (standing == Standing.OURS) {
                return false;
            }
            commits.count(standing);
            flush.giveUp();
            done.add(flush.shard());
            return true;
        });
        return before - active.size();
    }

    private int flush() {
        int work = 0;
        for (StoreLane lane : lanes.values()) {
            work += step(lane) || lane.probe() ? 1 : 0;
        }
        lanes.values().forEach(this::hold);
        int acknowledged = 0;
        for (Iterator<ShardFlush> flushes = active.iterator(); flushes.hasNext(); ) {
            ShardFlush flush = flushes.next();
            if (flush.becomesFlushed() && flush.shard().isLast()) {
                counters.increment(ProcessorCounter.FLUSHER_SHARDS_FLUSHED);
            }
            if (flush.isDone()) {
                end(flush);
                flushes.remove();
                work++;
            } else if (flush.isFlushed()) {
                acknowledged++;
            }
        }
        verifying = acknowledged;
        return work;
    }

    /**
     * Offers the lane to the oldest shard first, then to younger shards if the oldest has to wait. During an outage the
     * shards take turns.
     */
    private boolean step(StoreLane lane) {
        int first = active.isEmpty() ? 0 : lane.turn(active.size());
        for (int i = 0; i < active.size(); i++) {
            if (active.get((first + i) % active.size()).step(lane)) {
                return true;
            }
        }
        return false;
    }

    private void hold(StoreLane lane) {
        StoreLane.Held held = null;
        for (int i = 0; i < active.size() && held == null; i++) {
            held = active.get(i).held(lane);
        }
        lane.hold(held);
    }

    private void end(ShardFlush flush) {
        CompletedShard shard = flush.shard();
        if (!shard.isLast()) {
            counters.increment(ProcessorCounter.FLUSHER_SLICES);
            shard.flushed(flush.rowsWritten());
            done.add(shard);
            return;
        }
        if (flush.isVerified()) {
            counters.increment(ProcessorCounter.FLUSHER_SHARDS_VERIFIED);
        }
        commits.add(shard, shard.rowsBefore() + flush.rowsWritten());
    }

    /** Returns the number of shards in the flush or waiting for their commit. Any thread. */
    public int pending() {
        return pending;
    }

    /** Returns the number of shards acknowledged by the stores, with rows still to be read back. Any thread. */
    public int verifying() {
        return verifying;
    }

    /** Returns the heaviest groups of the newest cycle. Any thread. */
    public TopGroups heaviest() {
        return heaviest.found();
    }

    /** Returns the reasons why stores do not take rows; empty when all do. Any thread. */
    public Optional<String> outage() {
        return lanes.values().stream()
                .map(StoreLane::outage)
                .filter(Objects::nonNull)
                .reduce((one, other) -> one + "; " + other);
    }

    /** Returns the number of stores in an outage. Any thread. */
    public int storesOut() {
        return (int)
                lanes.values().stream().filter(lane -> lane.outage() != null).count();
    }

    /** Returns the milliseconds since the start of the oldest present outage; 0 for none. Any thread. */
    public long outageMs() {
        long sinceMs =
                lanes.values().stream().mapToLong(StoreLane::outSinceMs).min().orElse(Long.MAX_VALUE);
        return sinceMs == Long.MAX_VALUE ? 0 : Math.max(0, clock.epochMs() - sinceMs);
    }
}
