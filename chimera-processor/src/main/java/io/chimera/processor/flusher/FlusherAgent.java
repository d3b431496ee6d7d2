package io.chimera.processor.flusher;

import io.chimera.api.model.Row;
import io.chimera.common.agent.Clock;
import io.chimera.common.cluster.Cluster;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.ProcessorCounter;
import io.chimera.processor.NamedStore;
import io.chimera.processor.Pipeline;
import io.chimera.processor.WholeShard;
import io.chimera.processor.flusher.PendingCommits.Standing;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;

/**
 * Writes whole shards to the stores, one after the other, and commits each as soon as the stores have all its rows (Chimera
 * 2017, III-D3 and Algorithm 2). A shard that another session has got meanwhile is given up. Runs on a thread of its own,
 * for a store may block it; in a simulation on the one thread there is.
 */
public final class FlusherAgent implements Agent {
    /** How long to leave a shard alone whose rows cannot be made because a plugin throws. */
    private static final long DEFECT_BACKOFF_NS = TimeUnit.SECONDS.toNanos(5);

    private final Clock clock;
    private final Cluster cluster;
    private final Supplier<WholeShard> whole;
    private final Predicate<WholeShard> flushed;
    private final Counters<ProcessorCounter> counters;
    private final ErrorHandler errors;
    private final List<Pipeline> pipelines;
    private final RowDeadLetters deadLetters;
    private final Map<String, StoreHealth> health = new LinkedHashMap<>();
    private final PendingCommits commits;
    private final ArrayDeque<WholeShard> done = new ArrayDeque<>();

    private final Surroundings surroundings = new Surroundings();

    private ShardFlush current;
    private boolean isDefective;
    private long retryAtNs;
    private volatile int pending;

    /**
     * A flusher with nothing to do.
     *
     * @param links what it is wired to
     * @param pipelines in the order of their names
     * @param deadLetters takes rows that a store refuses
     */
    public FlusherAgent(FlusherLinks links, List<Pipeline> pipelines, RowDeadLetters deadLetters) {
        clock = links.clock();
        cluster = links.cluster();
        whole = links.whole();
        flushed = links.flushed();
        counters = links.counters();
        errors = links.errors();
        this.pipelines = pipelines;
        this.deadLetters = deadLetters;
        commits = new PendingCommits(links.session(), cluster, counters);
        for (Pipeline pipeline : pipelines) {
            for (NamedStore store : pipeline.stores()) {
                health.computeIfAbsent(store.name(), name -> new StoreHealth(name, counters));
            }
        }
    }

    @Override
    public String roleName() {
        return "flusher";
    }

    @Override
    public int doWork() {
        ClusterView view = cluster.view();
        int work = flush(view) + commits.align(view, clock.nanoTime(), done::add);
        while (!done.isEmpty() && flushed.test(done.peek())) {
            done.poll();
            work++;
        }
        pending = commits.count() + (current == null ? 0 : 1);
        return work;
    }

    private int flush(ClusterView view) {
        if (current == null) {
            WholeShard next = whole.get();
            if (next == null) {
                return 0;
            }
            current = new ShardFlush(next, pipelines, surroundings);
        }
        Standing standing = commits.standing(view, current.shard());
        if (standing != Standing.OURS) {
            commits.count(standing);
            done.add(current.shard());
            current = null;
            return 1;
        }
        boolean hasWorked = step();
        if (current.isDone()) {
            commits.add(current.shard(), current.rowsWritten());
            current = null;
        }
        return hasWorked ? 1 : 0;
    }

    private boolean step() {
        if (isDefective && clock.nanoTime() - retryAtNs < 0) {
            return false;
        }
        try {
            isDefective = false;
            return current.step();
        } catch (
                RuntimeException
                        e) { // a plugin's: from the beginning again, for the walk over the groups is broken off
            errors.onError(new ChimeraException(
                    ChimeraException.Category.ERROR,
                    "An aggregator failed at the results of shard "
                            + current.shard().shard() + " of cycle "
                            + current.shard().cycle() + ": " + e + ". They are tried again; correct the plugin.",
                    e));
            isDefective = true;
            retryAtNs = clock.nanoTime() + DEFECT_BACKOFF_NS;
            current = new ShardFlush(current.shard(), pipelines, surroundings);
            return true;
        }
    }

    private final class Surroundings implements ShardFlush.Surroundings {
        @Override
        public RowMaker maker(Pipeline pipeline, WholeShard shard) {
            return new RowMaker(pipeline, shard.groups(pipeline.ordinal()), shard.timeMs(), counters);
        }

        @Override
        public StoreWrite write(NamedStore store, Pipeline pipeline, List<Row> rows) {
            return new StoreWrite(store, health.get(store.name()), pipeline.name(), rows, deadLetters, clock, counters);
        }
    }

    /** Shards that are being flushed or wait for their commit. Any thread. */
    public int pending() {
        return pending;
    }

    /** Why a store does not take rows; empty when all do. Any thread. */
    public Optional<String> outage() {
        return health.values().stream()
                .map(StoreHealth::outage)
                .filter(Objects::nonNull)
                .findFirst();
    }
}
