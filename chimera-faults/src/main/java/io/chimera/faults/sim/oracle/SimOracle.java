package io.chimera.faults.sim.oracle;

import io.chimera.api.model.Row;
import io.chimera.common.agent.Clock;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.LowMark;
import io.chimera.common.cluster.OpenCycle;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.ShardCommit;
import io.chimera.common.cluster.control.ControlState;
import io.chimera.common.cluster.membership.ReplicationPolicy;
import io.chimera.common.wire.BatchLayout;
import io.chimera.faults.sim.world.SimCluster;
import io.chimera.faults.sim.world.SimExchange;
import io.chimera.faults.sim.world.SimLayout;
import io.chimera.faults.sim.world.SimPipelines;
import io.chimera.faults.sim.world.SimPoint;
import io.chimera.faults.sim.world.SimStores;
import io.chimera.faults.sim.world.StorePlace;
import io.chimera.faults.sim.world.Violation;
import io.chimera.queue.journal.MemoryJournal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.agrona.DirectBuffer;

/**
 * Knows the sent points and the given guarantees, inspects the state after every change, and reports violated
 * invariants. docs/guarantees.md lists the invariants by name.
 */
public final class SimOracle {
    /** Maximum error of clocks: small steps add up, but a jump of a day is far beyond. */
    private static final long CLOCK_ERROR_MS_MAX = TimeUnit.HOURS.toMillis(1);

    private final SimStores stores;
    private final SimLayout layout;
    private final SortedMap<String, MemoryJournal> disks;
    private final JournalOracle journals;
    private final GroupOracle groups;
    private final boolean isVerified;
    private final List<SimPoint> points = new ArrayList<>();
    private final Streams streams;
    private final Clock time;
    private final long windowMs;
    private final List<Begun> begun = new ArrayList<>();
    private ExpectedRows expected;
    private final TreeMap<Long, Long> times = new TreeMap<>();
    private final Set<StorePlace> acknowledgedRows = new HashSet<>();
    private final List<SimExchange> accepted = new ArrayList<>();

    /** Last record of each stream in a cycle. */
    private Positions taken = Positions.NONE;

    private final Map<Long, OpenCycle> seen = new HashMap<>();
    private ClusterView truth = ClusterView.NONE;
    private final Map<String, List<Row>> inHand = new HashMap<>();
    private Violation violation;
    private long lastCycle;
    private ConfigurationDigest lastDigest = ConfigurationDigest.NONE;
    private int changeovers;
    private long lastTimeMs;
    private boolean isZooKeeperLost;

    /** Newest cycle of a recovered tree. Committed cycles up to this cycle that waited for the mark are open again. */
    private long recoveredUpTo;

    /** A begun cycle with its content. */
    private record Begun(Cycle cycle, boolean isOther, List<Streams.Entry> content) {}

    private final OwnerHistory owners = new OwnerHistory();
    private final AccountOracle accounts = new AccountOracle();

    /**
     * Creates an oracle before the first point.
     *
     * @param time true time, independent of the machines' clocks
     * @param stores destinations of the rows
     * @param layout names of the points, and destinations of their rows
     * @param disks journals by queue node; changes
     * @param groups configured journal groups
     * @param copies number of journals required for a success answer
     * @param isVerified whether a shard may be committed only when its rows can be read back
     * @param windowMs of the block with state
     */
    public SimOracle(
            Clock time,
            SimStores stores,
            SimLayout layout,
            SortedMap<String, MemoryJournal> disks,
            GroupOracle groups,
            ReplicationPolicy copies,
            boolean isVerified,
            long windowMs) {
        this.time = time;
        this.windowMs = windowMs;
        expected = new ExpectedRows(layout, windowMs);
        this.groups = groups;
        streams = new Streams(points, layout.group(), groups);
        this.stores = stores;
        this.layout = layout;
        this.disks = disks;
        journals = new JournalOracle(disks, copies);
        this.isVerified = isVerified;
        stores.first().beforeWrite(rows -> writing(SimLayout.FIRST, rows));
        stores.second().beforeWrite(rows -> writing(SimLayout.SECOND, rows));
        stores.second().afterWrite(() -> acknowledgedRows(SimLayout.SECOND));
        stores.watch(found -> violation = violation == null ? found : violation);
    }

    /** Creates a point with the next identity, to be sent. */
    public SimPoint newPoint(int metric, int series) {
        points.add(SimPoint.of(points.size(), metric, series, layout));
        return points.get(points.size() - 1);
    }

    /** Returns the first violation found inside a node's work; null when there was none. */
    public Violation violation() {
        return violation;
    }

    /**
     * Records a violation for later. An exception inside a node's work could be mistaken for an error of its disk or
     * store.
     */
    private void check(Runnable check) {
        try {
            check.run();
        } catch (Violation e) {
            violation = violation == null ? e : violation;
        }
    }

    // The journals

    /** Returns a watcher of the journal of a queue node. */
    public MemoryJournal.Watcher watcher(String member) {
        return new MemoryJournal.Watcher() {
            @Override
            public void appended(DirectBuffer batch) {
                check(() -> {
                    groups.journaled(member, BatchLayout.stream(batch, 0));
                    streams.appended(batch);
                });
            }

            @Override
            public void shrunk() {
                SimOracle.this.shrunk();
            }
        };
    }

    /**
     * NoLoss and Replayable: checks that all promised records and all records of open cycles are still in a journal.
     */
    public void shrunk() {
        check(() -> journals.check(truth, List.of()));
    }

    /** Returns whether all promised records and all records of open cycles are also in journals of other members. */
    public boolean canLose(Collection<String> members) {
        try {
            journals.check(
                    truth,
                    members.stream()
                            .flatMap(member -> Stream.ofNullable(disks.get(member)))
                            .toList());
            return true;
        } catch (Violation e) {
            return false;
        }
    }

    /**
     * Returns whether the journals of other members of the same groups also have all past cycles needed for rebuilding
     * state. Without them state begins later, and rows differ from the rows of a run without faults.
     */
    public boolean canLosePast(Collection<String> members) {
        long sinceMs = truth.low().timeMs() - windowMs;
        return begun.stream()
                .map(Begun::cycle)
                .filter(cycle -> cycle.timeMs() > sinceMs)
                .allMatch(cycle -> members.stream()
                        .map(groups::ofMember)
                        .allMatch(group -> cycle.parts(group).count() == 0
                                || groups.isPastHeld(cycle.number(), group, disks, members)));
    }

    /** Records the loss of a disk; its earlier durable content still counts for promises. */
    public void lostDisk(MemoryJournal disk) {
        journals.lostDisk(disk.durables());
    }

    /** Records the removal of a live process with its disk. */
    public void removedAlive(String member, MemoryJournal disk) {
        journals.removedAlive(member, disk);
    }

    // Promises

    /**
     * NoLoss: checks that K journals have all points durably when success is answered.
     *
     * @param member id of the answering member
     * @param view its view: K follows from the size of its group in the view
     */
    public void accepted(SimExchange exchange, String member, ClusterView view) {
        accepted.add(exchange);
        check(() -> checkPromise(exchange, member, view));
    }

    private void checkPromise(SimExchange exchange, String member, ClusterView view) {
        for (SimPoint point : exchange.points()) {
            Streams.Place place = streams.placeOf(point);
            Violation.unless(
                    place != null,
                    "NoLoss",
                    () -> String.format("Success was answered for point %d, which no journal has.", point.id()));
            journals.promise(place.stream(), place.seq());
            int registered = groups.known(List.of(view), truth, place.stream());
            journals.checkCopies(
                    "NoLoss", "success was answered", place.stream(), place.seq(), registered, Optional.of(member));
        }
    }

    // The store

    private void writing(String store, List<Row> rows) {
        inHand.put(store, List.copyOf(rows));
        check(() -> rows.forEach(row -> expected.check(store, row)));
    }

    /** Records the success answer of a store for its current write. */
    public void acknowledgedRows(String store) {
        inHand.get(store).forEach(row -> acknowledgedRows.add(StorePlace.of(store, row)));
    }

    // State in ZooKeeper

    /**
     * Checks a new state.
     *
     * @param conductors views of the coordinators
     */
    public void look(ClusterView now, long epoch, List<ClusterView> conductors) {
        if (isZooKeeperLost || now.revision() == truth.revision()) {
            return;
        }
        truth = now;
        Violation.unless(
                now.cycles().tailMap(recoveredUpTo + 1).size() <= SimCluster.WINDOW || isHeld(now),
                "Window",
                () -> String.format("%d cycles are open.", now.cycles().size()));
        now.cycles().tailMap(lastCycle + 1).values().forEach(open -> begun(open, epoch, conductors));
        Violation.unless(
                now.open().stream()
                                .map(open -> open.assignment().digest())
                                .distinct()
                                .count()
                        <= 1,
                "OnePipelines",
                () -> "Cycles of two configurations are open.");
        now.open().forEach(owners::add);
        now.open().forEach(groups::assigned);
        now.cycles().values().forEach(this::committed);
        verified(now.low());
    }

    private void begun(OpenCycle open, long epoch, List<ClusterView> conductors) {
        Cycle cycle = open.cycle();
        Violation.unless(
                cycle.number() == lastCycle + 1 && cycle.timeMs() > lastTimeMs,
                "CutsMonotone",
                () -> String.format(
                        "Cycle %d of %d ms follows %d of %d ms.",
                        cycle.number(), cycle.timeMs(), lastCycle, lastTimeMs));
        Violation.unless(
                cycle.epoch() == epoch,
                "Fenced",
                () -> String.format("Cycle %d of epoch %d began in %d.", cycle.number(), cycle.epoch(), epoch));
        long errorMs = cycle.time().clockMs() - time.epochMs();
        Violation.unless(
                errorMs <= CLOCK_ERROR_MS_MAX,
                "ClockBounded",
                () -> String.format("Cycle %d judges lateness by a clock %d ms ahead.", cycle.number(), errorMs));
        lastCycle = cycle.number();
        ConfigurationDigest digest = open.assignment().digest();
        changeovers += lastDigest.isEmpty() || lastDigest.equals(digest) ? 0 : 1;
        lastDigest = digest;
        lastTimeMs = cycle.timeMs();
        times.put(lastCycle, lastTimeMs);
        Positions before = truth.cutBefore(cycle.number()).orElseThrow();
        groups.begun(cycle, before);
        List<Streams.Entry> content = new ArrayList<>();
        cycle.cut().forEach((stream, upTo) -> {
            long after = before.at(stream);
            long last = taken.at(stream);
            Violation.unless(
                    after == last && upTo >= after,
                    "CutsMonotone",
                    () -> String.format(
                            "Cycle %d takes (%d, %d] of stream %x, but %d records are already taken.",
                            cycle.number(), after, upTo, stream, last));
            if (upTo > after) {
                taken = taken.max(Positions.of(stream, upTo));
                content.addAll(streams.entries(stream, after, upTo));
                int registered = groups.known(conductors, truth, stream);
                journals.checkCopies(
                        "Replayable", "cycle " + cycle.number() + " began", stream, upTo, registered, Optional.empty());
            }
        });
        begun.add(new Begun(cycle, open.assignment().digest().equals(SimPipelines.OTHER), List.copyOf(content)));
        expected.add(cycle, begun.get(begun.size() - 1).isOther(), content);
    }

    /** Suspends the checks of ZooKeeper's state until the recovery. */
    public void lostZooKeeper() {
        isZooKeeperLost = true;
    }

    /**
     * NoDouble and NoLoss: checks that a recovered cycle is unchanged. A cycle missing after the recovery has no row in
     * the store; its points belong to later cycles.
     */
    public void recoveredZooKeeper(ControlState state) {
        isZooKeeperLost = false;
        accounts.recovered(state.low());
        long newest = state.newest();
        recoveredUpTo = newest;
        Violation.unless(
                newest <= lastCycle,
                "CutsMonotone",
                () -> String.format("Cycle %d is recovered, but %d is the last begun cycle.", newest, lastCycle));
        for (OpenCycle open : state.cycles().values()) {
            Violation.unless(
                    begun.stream().anyMatch(other -> other.cycle().equals(open.cycle())),
                    "RowExact",
                    () -> String.format("Cycle %s is recovered but never began.", open.cycle()));
        }
        if (newest < lastCycle) {
            begun.removeIf(other -> other.cycle().number() > newest);
            times.tailMap(newest, false).clear();
            seen.keySet().removeIf(number -> number > newest);
            expected = new ExpectedRows(layout, windowMs);
            begun.forEach(other -> expected.add(other.cycle(), other.isOther(), other.content()));
            taken = begun.stream().map(other -> other.cycle().cut()).reduce(Positions.NONE, Positions::max);
            lastCycle = newest;
            lastTimeMs = times.isEmpty() ? 0 : times.lastEntry().getValue();
        }
    }

    private void committed(OpenCycle open) {
        OpenCycle before = seen.put(open.cycle().number(), open);
        Violation.unless(
                before == null
                        || open.assignment().digest().equals(before.assignment().digest()),
                "OnePipelines",
                () -> String.format(
                        "Cycle %d changed its configuration.", open.cycle().number()));
        open.commits().forEach((shard, commit) -> {
            if (before == null || !before.isCommitted(shard)) {
                committed(open, commit);
            }
        });
        if (!open.isCommitted()) {
            accounts.reopen(open.cycle().number()); // the cycle is processed again
        } else if (before == null
                || !before.isCommitted()
                || before.assignment().version() != open.assignment().version()) {
            accounted(open);
        }
    }

    /**
     * Returns whether cycles wait for the mark because an earlier cycle has wrong accounts or is processed again for
     * that reason.
     */
    private boolean isHeld(ClusterView now) {
        long open = now.cycles().values().stream()
                .filter(cycle -> !cycle.isCommitted())
                .count();
        long held =
                now.cycles().keySet().stream().filter(accounts::isMiscounted).count();
        return held > 0 && open <= SimCluster.WINDOW + held;
    }

    /** Returns the accounts of the cycles. */
    public AccountOracle accounts() {
        return accounts;
    }

    /** Returns the owners of all parts so far. */
    public OwnerHistory owners() {
        return owners;
    }

    private void committed(OpenCycle open, ShardCommit commit) {
        long assigned = open.assignment().processors().get(commit.shard());
        Violation.unless(
                assigned == commit.session(),
                "Fenced",
                () -> String.format(
                        "Session %d committed shard %d of cycle %d, which is assigned to %d.",
                        commit.session(), commit.shard(), commit.cycle(), assigned));
        for (StorePlace place : expected.places(commit.id())) {
            Violation.unless(
                    stores.isPoison(place)
                            ? stores.isInLetters(place)
                            : isVerified ? stores.row(place) != null : acknowledgedRows.contains(place),
                    "CommitStored",
                    () -> String.format(
                            "Shard %d of cycle %d is committed but the store does not have %s.",
                            commit.shard(), commit.cycle(), place));
        }
    }

    private void accounted(OpenCycle open) {
        Cycle cycle = open.cycle();
        Positions before = truth.cutBefore(cycle.number()).orElseThrow();
        LowMark.Totals totals = LowMark.Totals.ZERO.plus(open, cycle.cut().recordsSince(before));
        accounts.check(cycle.number(), totals, expected);
    }

    private void verified(LowMark low) {
        for (long number : List.copyOf(seen.keySet())) {
            if (number <= low.cycle()) {
                Violation.unless(
                        seen.remove(number).isCommitted(),
                        "Prefix",
                        () -> String.format(
                                "The low-water mark is %d but cycle %d was not committed.", low.cycle(), number));
            }
        }
        journals.verify(low.cut());
        accounts.verify(low);
    }

    // The end

    /** Returns whether all promised points are stored, no cycle is open, and no write is in flight. */
    public boolean isSettled() {
        return truth.cycles().isEmpty()
                && !truth.replays().isPending()
                && stores.first().late() == 0
                && journals.isVerified();
    }

    /** Describes the unsettled state. */
    public String unsettled() {
        return "Acknowledged but not stored: " + journals.unverified() + "; open: "
                + truth.cycles().values() + "; members: " + truth.queues() + truth.processors();
    }

    /**
     * NoLoss and NoDouble for the whole run: checks that the store has each point of the cycles exactly once, and
     * nothing else.
     */
    public void checkEnd() {
        expected.checkAll(stores);
        long sum = taken.recordsSince(Positions.NONE);
        Violation.unless(
                truth.low().totals().points() == sum,
                "Accounted",
                () -> String.format(
                        "The cycles took %d points but the totals are %s.",
                        sum, truth.low().totals()));
        for (SimExchange exchange : accepted) {
            for (SimPoint point : exchange.points()) {
                Streams.Place place = streams.placeOf(point);
                Violation.unless(
                        place.seq() <= taken.at(place.stream()),
                        "NoLoss",
                        () -> String.format(
                                "Success was answered for point %d but no cycle took the point.", point.id()));
            }
        }
    }

    /** Returns the number of points in requests answered with success. */
    public int acknowledged() {
        return accepted.stream().mapToInt(exchange -> exchange.points().size()).sum();
    }

    /** Returns the number of changeovers to other pipelines. */
    public int changeovers() {
        return changeovers;
    }

    /** Returns the number of begun cycles. */
    public long cycles() {
        return lastCycle;
    }

    /** Returns the number of sent points. */
    public int points() {
        return points.size();
    }
}
