package io.chimera.coordinator.watch;

import io.chimera.common.agent.Clock;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.OpenCycle;
import io.chimera.common.cluster.ProcessorMember;
import io.chimera.coordinator.watch.ClusterEvent.Kind;
import io.chimera.coordinator.watch.Standstill.Cause;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.stream.IntStream;

/**
 * Finds the cause of a standstill: why no cycle begins, as reported by the conductor, or why an open cycle does not
 * end, as visible in the view. Reports a cause after {@link #LASTS_AFTER}, the next cause when it changes, and the end
 * of the standstill. A watch belongs to one term, or to one time without a connection. Used by the conductor's thread
 * only.
 */
public final class StandstillWatch {
    /**
     * Time before a cause is reported: longer than waits that end by themselves, such as a commit, an election or a
     * session expiry.
     */
    public static final Duration LASTS_AFTER = Duration.ofSeconds(10);

    /** Minimum age of an open cycle that counts as a standstill; a cycle takes about one period. */
    public static final Duration OPEN_AFTER_MIN = Duration.ofSeconds(30);

    /** Maximum age of an open cycle in periods. */
    private static final int OPEN_PERIODS = 3;

    /** Causes for which a blocked open cycle gives a better explanation. */
    private static final Set<Cause> OF_OPEN_CYCLE =
            EnumSet.of(Cause.CYCLE_OPEN, Cause.OLD_PIPELINES, Cause.NO_QUEUE_NODE, Cause.NO_PROCESSOR);

    private final Clock clock;
    private final long openAfterNs;
    private final LongFunction<String> processorNames;
    private final LongFunction<String> queueNames;
    private final Consumer<ClusterEvent> events;
    private final TreeMap<Long, Long> openSinceNs = new TreeMap<>();

    private Optional<Found> blocked = Optional.empty();
    private boolean isRefused;
    private long refusedSinceNs;
    private long refusedAtNs;
    private Optional<Found> current = Optional.empty();
    private long causeSinceNs;
    private long sinceMs;
    private long sinceNs;
    private Optional<Cause> warned = Optional.empty();
    private Optional<Standstill> lasting = Optional.empty();

    /** A cause without a time. */
    private record Found(Cause cause, long cycle, List<String> nodes, String text) {
        Standstill since(long ms) {
            return new Standstill(cause, cycle, ms, nodes, text);
        }
    }

    /**
     * Creates a watch without observations.
     *
     * @param clock of this machine
     * @param every longest cycle period
     * @param queueNames ids of queue nodes by session
     * @param processorNames ids of processors by session
     * @param events receives the reports
     */
    public StandstillWatch(
            Clock clock,
            Duration every,
            LongFunction<String> queueNames,
            LongFunction<String> processorNames,
            Consumer<ClusterEvent> events) {
        this.clock = clock;
        this.events = events;
        this.queueNames = queueNames;
        this.processorNames = processorNames;
        openAfterNs = Math.max(OPEN_AFTER_MIN.toNanos(), OPEN_PERIODS * every.toNanos());
    }

    /** Records why the next cycle cannot begin. */
    public void block(Cause cause, long cycle, List<String> nodes, String text) {
        blocked = Optional.of(new Found(cause, cycle, nodes, text));
    }

    /** Clears the reason: the next cycle can begin. */
    public void unblock() {
        blocked = Optional.empty();
    }

    /** Clears the reason if the cause matches. */
    public void unblock(Cause cause) {
        blocked = blocked.filter(found -> found.cause() != cause);
    }

    /** Records the outcome of a write. */
    public void wrote(boolean isAccepted, long nowNs) {
        if (!isAccepted && !isRefused) {
            refusedSinceNs = nowNs;
        }
        refusedAtNs = isAccepted ? refusedAtNs : nowNs;
        isRefused = !isAccepted;
    }

    /** Returns the lasting standstill; empty if none. */
    public Optional<Standstill> lasting() {
        return lasting;
    }

    /** Finds and returns the current cause; empty when cycles begin and end. */
    public Optional<Standstill> look(ClusterView view, long nowNs) {
        openSinceNs.keySet().removeIf(cycle -> view.open(cycle)
                .filter(open -> !open.isCommitted())
                .isEmpty());
        for (OpenCycle open : view.open()) {
            if (!open.isCommitted()) {
                openSinceNs.putIfAbsent(open.cycle().number(), nowNs);
            }
        }
        note(view, find(view, nowNs), nowNs);
        return current.filter(found -> found.cause() != Cause.TOO_FEW_COPIES || lasting.isPresent())
                .map(found -> found.since(sinceMs));
    }

    private Optional<Found> find(ClusterView view, long nowNs) {
        if (!view.connected()) {
            return Optional.of(new Found(
                    Cause.ZOOKEEPER_AWAY,
                    view.newest() + 1,
                    List.of(),
                    "ZooKeeper does not answer this coordinator. Start ZooKeeper, or correct coordinator.connect; the"
                            + " log names the servers"));
        }
        // one write without a known outcome, and no write afterwards, is no standstill
        boolean isRepeated = nowNs - refusedAtNs < LASTS_AFTER.toNanos();
        if (isRefused && isRepeated && nowNs - refusedSinceNs >= LASTS_AFTER.toNanos()) {
            return Optional.of(new Found(
                    Cause.WRITES_REFUSED,
                    view.newest() + 1,
                    List.of(),
                    "ZooKeeper refuses the writes of the leading coordinator. Check disk and log of the ZooKeeper"
                            + " servers"));
        }
        Optional<Found> open = openCycle(view, nowNs);
        boolean isOnlySymptom =
                blocked.filter(found -> OF_OPEN_CYCLE.contains(found.cause())).isPresent();
        return blocked.isEmpty() || isOnlySymptom ? open.or(() -> blocked) : blocked;
    }

    /** Returns why the oldest open cycle does not end. */
    private Optional<Found> openCycle(ClusterView view, long nowNs) {
        Optional<OpenCycle> oldest =
                view.open().stream().filter(open -> !open.isCommitted()).findFirst();
        if (oldest.isEmpty()) {
            return Optional.empty();
        }
        OpenCycle open = oldest.get();
        long number = open.cycle().number();
        if (view.processors().isEmpty()) {
            return Optional.of(new Found(
                    Cause.NO_PROCESSOR,
                    number,
                    List.of(),
                    "cycle " + number + " is open and there is no live processor. Start a processor"));
        }
        return storeOf(view, open).or(() -> missingPart(view, open)).or(() -> stillOpen(open, nowNs));
    }

    private Optional<Found> missingPart(ClusterView view, OpenCycle open) {
        long number = open.cycle().number();
        TreeSet<String> dead = new TreeSet<>();
        for (long owner : open.assignment().owners()) {
            if (view.queue(owner).isEmpty()) {
                dead.add(queueNames.apply(owner));
            }
        }
        return dead.isEmpty()
                ? Optional.empty()
                : Optional.of(new Found(
                        Cause.PART_MISSING,
                        number,
                        List.copyOf(dead),
                        "no live queue node's journal holds parts of cycle " + number + ". Start "
                                + String.join(", ", dead) + " with its data folder"));
    }

    private Optional<Found> storeOf(ClusterView view, OpenCycle open) {
        long number = open.cycle().number();
        TreeSet<String> refused = new TreeSet<>();
        TreeSet<String> stores = new TreeSet<>();
        for (long session : uncommitted(open)) {
            List<String> out =
                    view.processor(session).map(ProcessorMember::storesOut).orElse(List.of());
            if (!out.isEmpty()) {
                refused.add(processorNames.apply(session));
                stores.addAll(out);
            }
        }
        return refused.isEmpty()
                ? Optional.empty()
                : Optional.of(new Found(
                        Cause.STORE_REFUSES,
                        number,
                        List.copyOf(refused),
                        "cycle " + number + " cannot be committed because store " + String.join(", ", stores)
                                + " does not accept rows of " + String.join(", ", refused)
                                + ". Start or repair the store; /health/ready of these processors shows its answer"));
    }

    private Optional<Found> stillOpen(OpenCycle open, long nowNs) {
        long number = open.cycle().number();
        Optional<Found> full = blocked.filter(found -> found.cause() == Cause.CYCLE_OPEN);
        if (full.isEmpty() && nowNs - openSinceNs.getOrDefault(number, nowNs) < openAfterNs) {
            return Optional.empty();
        }
        List<Long> sessions = uncommitted(open);
        TreeSet<String> waited = new TreeSet<>();
        sessions.forEach(session -> waited.add(processorNames.apply(session)));
        return Optional.of(new Found(
                Cause.CYCLE_OPEN,
                number,
                List.copyOf(waited),
                full.map(found -> found.text() + ". ").orElse("") + "Cycle " + number + " began at "
                        + Instant.ofEpochMilli(open.cycle().time().clockMs()) + " and " + sessions.size() + " of its "
                        + open.cycle().shards() + " shards are not committed. See /health/ready and the log of "
                        + String.join(", ", waited)));
    }

    /** Returns the processor of each uncommitted shard. */
    private static List<Long> uncommitted(OpenCycle open) {
        return IntStream.range(0, open.cycle().shards())
                .filter(shard -> !open.isCommitted(shard))
                .mapToObj(shard -> open.assignment().processors().get(shard))
                .toList();
    }

    private void note(ClusterView view, Optional<Found> found, long nowNs) {
        if (found.isEmpty()) {
            end(view, nowNs);
            return;
        }
        Cause cause = found.get().cause();
        if (current.isEmpty()) {
            sinceNs = nowNs;
            sinceMs = clock.epochMs();
        }
        if (current.filter(now -> now.cause() == cause).isEmpty()) {
            causeSinceNs = nowNs;
        }
        current = found;
        if (nowNs - causeSinceNs < LASTS_AFTER.toNanos() && lasting.isEmpty()) {
            return;
        }
        Standstill standstill = found.get().since(sinceMs);
        if (!lasting.equals(Optional.of(standstill))) {
            lasting = Optional.of(standstill);
        }
        if (nowNs - causeSinceNs >= LASTS_AFTER.toNanos() && !warned.equals(Optional.of(cause))) {
            warned = Optional.of(cause);
            // The ZooKeeper session reports connection problems by itself.
            if (cause != Cause.ZOOKEEPER_AWAY) {
                report(
                        Kind.STANDSTILL,
                        standstill.cycle(),
                        "cause=" + cause.code() + " nodes=" + standstill.nodes() + " since="
                                + Instant.ofEpochMilli(sinceMs) + ". " + standstill.text());
            }
        }
    }

    private void report(Kind kind, long cycle, String facts) {
        events.accept(new ClusterEvent(kind, NodeName.NONE, List.of(cycle), 0, 0, facts));
    }

    private void end(ClusterView view, long nowNs) {
        if (warned.filter(cause -> cause != Cause.ZOOKEEPER_AWAY).isPresent()) {
            report(
                    Kind.STANDSTILL_OVER,
                    view.newest(),
                    "cause=" + warned.get().code() + " lasted_s=" + TimeUnit.NANOSECONDS.toSeconds(nowNs - sinceNs));
        }
        warned = Optional.empty();
        current = Optional.empty();
        lasting = Optional.empty();
    }
}
