package io.chimera.faults.chaos.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.chimera.common.error.ChimeraException;
import io.chimera.node.watch.NodeClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Watches the committed prefix of the cluster, as reported by its coordinators. The most advanced report of any
 * coordinator counts, so a coordinator may be dead, frozen or late. Each coordinator is queried by a separate thread;
 * other methods any thread.
 */
public final class PrefixWatch implements AutoCloseable {
    private static final long LOOK_MS = 40;

    private final NodeClient client;
    private final List<String> coordinators;
    private final List<Thread> threads = new ArrayList<>();

    /** Times of progress in nanoseconds, oldest first; two per second, so some thousand per hour. */
    private final List<Long> moves = new ArrayList<>();

    private final List<Mark> marks = new ArrayList<>();
    private volatile boolean stopping;
    private long looks;
    private long low;
    private long begun;
    private long aggregated;
    private long unaccounted;

    /** A moment for measuring the time until the commit of a cycle that began later. */
    public static final class Mark {
        private final long fromNs;
        private final long begun;
        private long reachedNs;

        private Mark(long fromNs, long begun) {
            this.fromNs = fromNs;
            this.begun = begun;
        }
    }

    /**
     * Progress at a moment.
     *
     * @param low last cycle that is committed with all cycles before
     * @param begun last cycle that has begun
     * @param aggregated points in the committed cycles
     * @param unaccounted points of committed cycles without a commit that accounts for them; must be 0
     */
    public record Prefix(long low, long begun, long aggregated, long unaccounted) {}

    /**
     * Creates a watch.
     *
     * @param client client of the coordinators
     * @param coordinators host:port of their HTTP ports
     */
    public PrefixWatch(NodeClient client, List<String> coordinators) {
        this.client = client;
        this.coordinators = List.copyOf(coordinators);
    }

    /** Starts the threads. */
    public void start() {
        for (String coordinator : coordinators) {
            Thread thread = new Thread(() -> watch(coordinator), "watch-" + coordinator);
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
    }

    private void watch(String coordinator) {
        try {
            while (!stopping) {
                look(coordinator);
                Thread.sleep(LOOK_MS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void look(String coordinator) throws InterruptedException {
        try {
            JsonNode status = client.status(coordinator, "coordinator");
            long open = status.path("last_cycle").asLong();
            for (JsonNode cycle : status.path("open")) {
                open = Math.max(open, cycle.path("cycle").asLong());
            }
            JsonNode totals = status.path("totals");
            saw(
                    System.nanoTime(),
                    new Prefix(
                            status.path("last_cycle").asLong(),
                            open,
                            totals.path("aggregated").asLong(),
                            status.path("unaccounted").asLong()));
        } catch (ChimeraException e) {
            // The coordinator is dead or disconnected; another coordinator, or a later query, gives the answer.
        }
    }

    synchronized void saw(long nowNs, Prefix seen) {
        looks++;
        begun = Math.max(begun, seen.begun());
        if (seen.low() > low) {
            low = seen.low();
            aggregated = seen.aggregated();
            unaccounted = seen.unaccounted();
            moves.add(nowNs);
            marks.removeIf(mark -> low > mark.begun && reach(mark, nowNs));
        }
        notifyAll();
    }

    private static boolean reach(Mark mark, long nowNs) {
        mark.reachedNs = nowNs;
        return true;
    }

    /** Returns the present progress. */
    public synchronized Prefix prefix() {
        return new Prefix(low, begun, aggregated, unaccounted);
    }

    /** Queries the begun cycles again, and sets a mark after them. Waits at most a second. */
    public synchronized Mark mark() throws InterruptedException {
        long before = looks;
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
        // the first answer may have been in flight already
        while (looks < before + 2 && System.nanoTime() - deadline < 0) {
            wait(LOOK_MS);
        }
        return setMark(System.nanoTime());
    }

    synchronized Mark setMark(long nowNs) {
        Mark mark = new Mark(nowNs, begun);
        marks.add(mark);
        return mark;
    }

    /**
     * Waits until the commit of a cycle that began after the mark.
     *
     * @return time from the mark to the commit in nanoseconds; -1 on a time-out
     */
    public synchronized long await(Mark mark, Duration patience) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        while (mark.reachedNs == 0 && System.nanoTime() - deadline < 0) {
            wait(LOOK_MS);
        }
        return mark.reachedNs == 0 ? -1 : mark.reachedNs - mark.fromNs;
    }

    /** Returns the longest time without progress within a period. */
    public synchronized long longestStallNs(long fromNs, long toNs) {
        long longest = 0;
        long last = fromNs;
        for (long move : moves) {
            if (move - fromNs > 0 && move - toNs < 0) {
                longest = Math.max(longest, move - last);
                last = move;
            }
        }
        return Math.max(longest, toNs - last);
    }

    @Override
    public void close() {
        stopping = true;
    }
}
