package io.chimera.queue.journal.append;

import io.chimera.common.agent.Clock;
import io.chimera.common.cluster.Cluster;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.LowMark;
import io.chimera.common.cluster.OpenCycle;
import io.chimera.common.cluster.PastCycle;
import io.chimera.common.composition.StateHorizon;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.queue.journal.Journal;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Truncates the journal up to the cluster's low-water mark, notes the contents of the cycles, and suspends retention
 * limits while a replay needs old records. The journaler's thread.
 */
public final class JournalTruncator {
    /** Poll interval for the low-water mark during truncation, because the disk needs some ms. */
    private static final long TRUNCATE_RETRY_NS = TimeUnit.MILLISECONDS.toNanos(20);

    /** Poll interval for files whose retention has expired. */
    private static final long LOOK_EVERY_NS = TimeUnit.SECONDS.toNanos(1);

    private static final long STATE_SLACK_MS = StateHorizon.SLACK.toMillis();

    private final Journal journal;
    private final Cluster cluster;
    private final LongSupplier stateHorizonMs;
    private final Clock clock;
    private final Counters<QueueCounter> counters;

    private long notedRevision = -1;
    private long truncatedCycle;
    private long truncateAgainNs;
    private long lookAgainNs;

    /**
     * Creates a truncator.
     *
     * @param cluster provides the low-water mark and the cycles
     * @param stateHorizonMs current state horizon of all compositions; 0 without state
     */
    public JournalTruncator(
            Journal journal,
            Cluster cluster,
            LongSupplier stateHorizonMs,
            Clock clock,
            Counters<QueueCounter> counters) {
        this.journal = journal;
        this.cluster = cluster;
        this.stateHorizonMs = stateHorizonMs;
        this.clock = clock;
        this.counters = counters;
        truncateAgainNs = clock.nanoTime();
        lookAgainNs = truncateAgainNs;
    }

    /** Notes new cycles, then truncates. */
    int doWork() {
        noteCycles();
        return truncate();
    }

    /** Notes the cycles of a new view. Notes exist therefore before the commit of a cycle. */
    private void noteCycles() {
        ClusterView view = cluster.view();
        if (view.revision() == notedRevision) {
            return;
        }
        notedRevision = view.revision();
        for (OpenCycle open : view.cycles().values()) {
            view.cutBefore(open.cycle().number())
                    .ifPresent(before -> journal.retained().note(PastCycle.of(open.cycle(), before)));
        }
    }

    private int truncate() {
        LowMark low = cluster.view().low();
        boolean isNew = low.cycle() > truncatedCycle;
        if (low.cycle() == 0 || clock.nanoTime() - (isNew ? truncateAgainNs : lookAgainNs) < 0) {
            return 0;
        }
        hold();
        long before = journal.bytes();
        journal.truncate(low.cut());
        counters.add(QueueCounter.JOURNAL_BYTES_TRUNCATED, Math.max(0, before - journal.bytes()));
        lookAgainNs = clock.nanoTime() + LOOK_EVERY_NS;
        if (!isNew) {
            return 0;
        }
        if (journal.bases().covers(low.cut())) {
            truncatedCycle = low.cycle();
        } else {
            truncateAgainNs = clock.nanoTime() + TRUNCATE_RETRY_NS;
        }
        return 1;
    }

    /**
     * Suspends retention limits while a replay is pending, or while the newest committed cycle is old. In the second
     * case the state of a composition reaches back from the committed cycle, not from the present.
     */
    private void hold() {
        ClusterView view = cluster.view();
        boolean isOld =
                stateHorizonMs.getAsLong() > 0 && clock.epochMs() - view.low().timeMs() > STATE_SLACK_MS;
        journal.retained().hold(view.replays().isPending() || isOld);
    }
}
