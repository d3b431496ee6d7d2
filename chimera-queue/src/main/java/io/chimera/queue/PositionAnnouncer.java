package io.chimera.queue;

import io.chimera.common.agent.Clock;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.cluster.Cluster;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.ControlMark;
import io.chimera.common.cluster.CyclePeriods;
import io.chimera.common.cluster.CycleSpan;
import io.chimera.common.cluster.JournalState;
import io.chimera.common.cluster.QueueMember;
import io.chimera.queue.journal.Journal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.agrona.concurrent.Agent;

/**
 * Announces the journal positions of this node to the coordinator, because the conductor computes its cuts from them.
 * Also announces the unreachable processors, as a hint to the conductor to reassign their shards.
 *
 * <p>The announcer sends only changes, at most ten times a second. If only positions changed, the announcer sends ten
 * times per cycle, so a position is at most a tenth of a cycle old. When the conductor chooses the period, the time
 * between the two newest cycles counts as the period. Every announcement is a write with a sync in ZooKeeper. Only
 * coordinators watch announcements; all other processes read them again at a bounded rate.
 */
final class PositionAnnouncer implements Agent {
    private static final long INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final long ANNOUNCEMENTS_PER_CYCLE = 10;

    /**
     * Maximum time between position announcements. A long cycle may end early when it reaches its maximum number of
     * points.
     */
    private static final long POSITIONS_NS_MAX = TimeUnit.SECONDS.toNanos(1);

    /**
     * Maximum time between announcements. The conductor compares its clock with the clocks of all queue nodes,
     * including idle nodes.
     */
    private static final long CLOCK_EVERY_NS = TimeUnit.SECONDS.toNanos(5);

    /**
     * Maximum number of announced cycle spans. Each absence of the node ends a span; beyond the limit the oldest spans
     * are not announced.
     */
    private static final int SPANS_MAX = 64;

    private final QueueIdentity self;
    private final CyclePeriods cycleEvery;
    private final Clock clock;
    private final Cluster cluster;
    private final Journal journal;
    private final Supplier<List<Long>> unreachable;
    private final Supplier<List<ConfigurationDigest>> digests;
    private final Supplier<JournalState> state;

    private long newestCycle;
    private long newestTimeMs;
    private long positionsEveryNs;
    private QueueMember last;
    private long lastAtNs;
    private long nextAtNs;
    private volatile Endpoint address;
    private volatile boolean isLeaving;

    /**
     * Creates an announcer without an address. Announcements begin after {@link #listening}.
     *
     * @param cycleEvery bounds of the time from one cycle to the next
     * @param unreachable supplies the unreachable processors, called on this agent's thread
     * @param digests supplies the digests of the loaded configurations, newest first
     * @param state supplies the facts for the node's registration, called on this agent's thread
     */
    PositionAnnouncer(
            QueueIdentity self,
            CyclePeriods cycleEvery,
            QueueEnvironment surroundings,
            Journal journal,
            Supplier<List<Long>> unreachable,
            Supplier<List<ConfigurationDigest>> digests,
            Supplier<JournalState> state) {
        this.self = self;
        this.cycleEvery = cycleEvery;
        positionsEveryNs = positionsEveryNs(cycleEvery.least());
        this.unreachable = unreachable;
        this.digests = digests;
        this.state = state;
        clock = surroundings.clock();
        cluster = surroundings.cluster();
        this.journal = journal;
        nextAtNs = clock.nanoTime();
    }

    @Override
    public String roleName() {
        return "announcer";
    }

    @Override
    public int doWork() {
        long nowNs = clock.nanoTime();
        if (address == null || nowNs - nextAtNs < 0) {
            return 0;
        }
        nextAtNs = nowNs + INTERVAL_NS;
        follow(cluster.view());
        QueueMember next = new QueueMember(
                self.id(),
                self.group(),
                self.session(),
                address.toString(),
                self.http(),
                self.stream(),
                digests.get(),
                journal.bases(),
                journal.durables(),
                isLeaving,
                unreachable.get(),
                last == null ? 0 : last.clockMs(),
                newestOf(journal.retained().spans()),
                ControlMark.NONE,
                state.get());
        long sinceLastNs = nowNs - lastAtNs;
        boolean isDue = last == null
                || sinceLastNs >= CLOCK_EVERY_NS
                || (isOnlyFurther(next) ? sinceLastNs >= positionsEveryNs : !next.equals(last));
        if (!isDue) {
            return 0;
        }
        last = next.clockedAt(clock.epochMs());
        lastAtNs = nowNs;
        cluster.announce(last);
        return 1;
    }

    /** Adapts the rate of position announcements to the time between the two newest cycles. */
    private void follow(ClusterView view) {
        long newest = view.newest();
        if (newest == newestCycle) {
            return;
        }
        long timeMs = view.open(newest).map(open -> open.cycle().timeMs()).orElseGet(() -> view.low()
                .timeMs());
        if (newest == newestCycle + 1) {
            positionsEveryNs =
                    positionsEveryNs(cycleEvery.limit(Duration.ofMillis(Math.max(0, timeMs - newestTimeMs))));
        }
        newestCycle = newest;
        newestTimeMs = timeMs;
    }

    private static long positionsEveryNs(Duration period) {
        return Math.min(POSITIONS_NS_MAX, Math.max(INTERVAL_NS, period.toNanos() / ANNOUNCEMENTS_PER_CYCLE));
    }

    private boolean isOnlyFurther(QueueMember next) {
        return !next.equals(last) && next.at(last.positions()).equals(last);
    }

    private static List<CycleSpan> newestOf(List<CycleSpan> spans) {
        return spans.subList(Math.max(0, spans.size() - SPANS_MAX), spans.size());
    }

    /** Sets the address for peers and starts the announcements. Any thread. */
    void listening(Endpoint local) {
        address = new Endpoint(self.announcedHost(), local.port());
    }

    /** Requests no further parts. Any thread. */
    void leave() {
        isLeaving = true;
    }

    /** Reason why the node has no part in the work; empty when the node is ready. Any thread. */
    Optional<String> notReady() {
        ClusterView view = cluster.view();
        Optional<QueueMember> member = view.queue(self.session());
        if (!view.connected()) {
            return Optional.of("no connection to the coordinator");
        }
        return member.isEmpty()
                ? Optional.of("joining")
                : member.filter(QueueMember::leaving).map(leaving -> "leaving");
    }
}
