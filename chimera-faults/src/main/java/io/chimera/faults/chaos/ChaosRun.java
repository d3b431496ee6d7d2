package io.chimera.faults.chaos;

import io.chimera.common.error.ChimeraException;
import io.chimera.faults.chaos.cluster.ChaosCluster;
import io.chimera.faults.chaos.cluster.JournalCopies;
import io.chimera.faults.chaos.cluster.MemoryWatch;
import io.chimera.faults.chaos.cluster.PrefixWatch;
import io.chimera.faults.chaos.cluster.PrefixWatch.Mark;
import io.chimera.faults.chaos.cluster.PrefixWatch.Prefix;
import io.chimera.faults.chaos.cluster.Role;
import io.chimera.faults.chaos.fault.Fault;
import io.chimera.faults.chaos.fault.FaultKind;
import io.chimera.faults.chaos.fault.FaultKind.Since;
import io.chimera.faults.chaos.fault.FaultOutcome;
import io.chimera.faults.chaos.fault.FaultPlan;
import io.chimera.faults.chaos.fault.GroupOutage;
import io.chimera.faults.chaos.fault.Injector;
import io.chimera.faults.chaos.fault.LostFolder;
import io.chimera.faults.chaos.intruder.AttackTarget;
import io.chimera.faults.chaos.intruder.Intruder;
import io.chimera.faults.chaos.load.ArchivedRows;
import io.chimera.faults.chaos.load.ClientLoad;
import io.chimera.faults.chaos.load.Generation;
import io.chimera.faults.chaos.load.RowOracle;
import io.chimera.faults.chaos.load.RowVerdict;
import io.chimera.faults.chaos.load.StoredRows;
import io.chimera.faults.chaos.machine.Network;
import io.chimera.faults.chaos.machine.SteppedClock;
import io.chimera.node.ChimeraHome;
import io.chimera.node.child.KairosReader;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A run inside its sandbox: starts the cluster, injects fault after fault while clients write, heals all faults, waits
 * until all points are committed, reads the store back and compares. One thread.
 */
final class ChaosRun {
    /** Maximum time for the recovery from a fault; beyond the maximum the cluster counts as stuck. */
    static final Duration RECOVERY_PATIENCE = Duration.ofMinutes(3);

    /** Maximum time for the copy of a lost journal: the start of a process and its connections on a busy machine. */
    private static final Duration COPY_PATIENCE = Duration.ofMinutes(10);

    private static final Duration WARM_UP_PATIENCE = Duration.ofMinutes(5);
    private static final Duration COMMIT_PATIENCE = Duration.ofMinutes(5);

    /**
     * Maximum time until rows are visible. KairosDB shows rows about 100 ms after accepting them; on Cassandra, some
     * seconds after its restart. Rows still missing are lost.
     */
    private static final Duration VISIBLE_PATIENCE = Duration.ofMinutes(5);

    /** Margin of cycle times; larger than the steps of the clocks. */
    private static final Duration CLOCK_MARGIN = Duration.ofMinutes(10);

    private static final long LOOK_MS = 200;
    private static final Duration WATCH_TIMEOUT = Duration.ofSeconds(1);

    private final ChaosOptions options;
    private final PrintWriter out;
    private final long beganMs = System.currentTimeMillis();
    private final long beganNs = System.nanoTime();
    private final Network network;
    private final ChaosCluster cluster;
    private final ClientLoad load;
    private final PrefixWatch watch;
    private final MemoryWatch memory;
    private final Intruder intruder;
    private final GroupOutage outage;
    private final JournalCopies copies;
    private final Injector injector;
    private final LostFolder lostFolder;
    private final List<String> uncopied = new ArrayList<>();
    private long replayed;

    /**
     * Creates a run; the cluster is not started yet.
     *
     * @param folder takes all files
     */
    ChaosRun(ChaosOptions options, ChimeraHome home, Path folder, PrintWriter out) throws InterruptedException {
        this.options = options;
        this.out = out;
        network = Network.open();
        cluster = new ChaosCluster(home, network, folder, options.layout());
        load = new ClientLoad(
                options.seed(),
                cluster.inputs(),
                cluster.credentials().sender(),
                options.layout().clientsPerNode(),
                options.layout().requestPause());
        watch = new PrefixWatch(cluster.client(WATCH_TIMEOUT), cluster.coordinators());
        memory = new MemoryWatch(cluster);
        intruder = new Intruder(
                options.seed(),
                cluster.credentials(),
                folder.resolve("intruder"),
                Network.intruder(),
                new Espionage(cluster, watch));
        outage = new GroupOutage(cluster, load, watch);
        copies = new JournalCopies(cluster);
        injector = new Injector(
                cluster, network, intruder, outage, options.layout().cycle());
        lostFolder = new LostFolder(cluster);
    }

    ChaosReport run() throws InterruptedException {
        say("Starting "
                + (options.layout().hasEnsemble()
                        ? "3 ZooKeeper servers, 2 coordinators"
                        : "2 coordinators, one with the embedded ZooKeeper")
                + ", " + cluster.hosts(Role.QUEUE).size() + " queue nodes in "
                + options.layout().groups()
                + " journal group(s), "
                + switch (options.layout().store()) {
                    case KAIROSDB -> "3 processors and KairosDB.";
                    case CASSANDRA -> "3 processors and KairosDB on Cassandra.";
                    case ARCHIVE -> "and 3 processors with archives.";
                }
                + " Lanes per node: " + options.layout().lanes() + ".");
        cluster.start();
        watch.start();
        load.start();
        if (watch.await(watch.mark(), WARM_UP_PATIENCE) < 0) {
            say("No cycle was committed within " + WARM_UP_PATIENCE.toSeconds() + " s, without any fault.");
        }
        memory.look();
        say("All nodes are ready. Injecting faults for " + options.minutes() + " minutes, seed " + options.seed()
                + ".");
        List<FaultOutcome> outcomes = strike();
        List<String> undeclared = attackEverything();
        say("The load stops.");
        List<Generation> sent = load.finish();
        long drainMs = awaitCommitted(sent);
        memory.look();
        say("Reading the store back.");
        RowVerdict verdict = options.layout().hasArchive() ? compareArchives(sent) : compare(sent, this::readKairos);
        watch.close();
        return new ChaosReport(
                options,
                verdict,
                replayed,
                outcomes,
                new ChaosReport.Outages(
                        outage.continued(),
                        outage.waited(),
                        Stream.concat(outage.findings().stream(), uncopied.stream())
                                .toList()),
                new ChaosReport.Intrusion(
                        intruder.tally(), undeclared, options.kinds().contains(FaultKind.INTRUDER)),
                watch.prefix().unaccounted(),
                load.wrongAnswers(),
                memory.uses(),
                drainMs);
    }

    // Faults

    private List<FaultOutcome> strike() throws InterruptedException {
        FaultPlan.Hosts hosts = new FaultPlan.Hosts(
                cluster.hosts(Role.COORDINATOR),
                cluster.groups(),
                cluster.hosts(Role.PROCESSOR),
                cluster.hostWithSmallDisk(),
                ChaosCluster.hostWithFailingVolume());
        FaultPlan plan = new FaultPlan(options.seed(), hosts, possible());
        List<FaultOutcome> outcomes = new ArrayList<>();
        long endNs = System.nanoTime()
                + (long) (options.minutes() * Duration.ofMinutes(1).toNanos());
        while (System.nanoTime() - endNs < 0) {
            Fault fault = plan.next();
            FaultOutcome outcome = strike(fault, plan.companion(fault));
            outcomes.add(outcome);
            memory.look();
            if (!outcome.isRecovered()) {
                say("The cluster did not recover; no more faults.");
                break;
            }
            Thread.sleep(outcome.fault().pauseMs());
        }
        return outcomes;
    }

    /**
     * Tries every attack at every port of the whole cluster, because some hosts were down during the faults.
     *
     * @return ports missing from the configuration
     */
    private List<String> attackEverything() throws InterruptedException {
        if (!options.kinds().contains(FaultKind.INTRUDER)) {
            return List.of();
        }
        List<AttackTarget> targets = cluster.targets();
        say("The intruder attacks all " + targets.size() + " ports.");
        intruder.attackAll(targets);
        return targets.stream()
                .filter(target -> target.kind() == AttackTarget.Kind.UNKNOWN)
                .map(AttackTarget::toString)
                .toList();
    }

    private List<FaultKind> possible() {
        boolean canStepClocks = SteppedClock.library().isPresent();
        if (!canStepClocks) {
            say("No clock steps: libfaketime is not installed (package faketime).");
        }
        return options.kinds().stream()
                .filter(kind -> canStepClocks || kind != FaultKind.CLOCK_STEP)
                .filter(kind -> kind.isOf(options.layout()))
                .toList();
    }

    private FaultOutcome strike(Fault fault, Optional<Fault> companion) throws InterruptedException {
        boolean fromFault = companion.isEmpty() && fault.kind().since() == Since.FAULT;
        Mark mark = watch.mark();
        long strokeNs = System.nanoTime();
        Injector.Undo undo = injector.inject(fault);
        Thread.sleep(companion.isPresent() ? fault.holdMs() / 2 : fault.holdMs());
        Injector.Undo undoCompanion = () -> {};
        if (companion.isPresent()) {
            undoCompanion = injector.inject(companion.get());
            Thread.sleep(fault.holdMs() - fault.holdMs() / 2);
        }
        if (!fromFault) {
            mark = watch.mark();
        }
        undo.undo();
        undoCompanion.undo();
        giveUpLostFolder(fault);
        if (companion.isPresent()) {
            giveUpLostFolder(companion.get());
        }
        long recoveryNs = watch.await(mark, RECOVERY_PATIENCE);
        long endNs = System.nanoTime();
        long stallNs = watch.longestStallNs(strokeNs, endNs);
        long waitNs = load.longestWaitNs(strokeNs, endNs, hit(fault, companion));
        List<String> ended = cluster.revive();
        FaultOutcome outcome = new FaultOutcome(fault, companion, recoveryNs, stallNs, waitNs, ended);
        tell(outcome);
        awaitReady();
        if (Stream.concat(Stream.of(fault), companion.stream()).anyMatch(each -> each.kind() == FaultKind.DISK_LOST)) {
            awaitCopies(fault);
        }
        return outcome;
    }

    /**
     * Returns the hosts of the faults. With several groups, a group has no more queue nodes than copies, so a fault of
     * a queue node hits the clients of its whole group.
     */
    private Set<String> hit(Fault fault, Optional<Fault> companion) {
        Set<String> hit = new HashSet<>(List.of(fault.victim(), fault.peer()));
        companion.ifPresent(second -> hit.addAll(List.of(second.victim(), second.peer())));
        if (options.layout().groups() > 1) {
            cluster.groups().forEach((group, nodes) -> {
                if (hit.contains(group) || !Collections.disjoint(hit, nodes)) {
                    hit.addAll(nodes);
                }
            });
        }
        return hit;
    }

    private void giveUpLostFolder(Fault fault) throws InterruptedException {
        if (fault.kind() != FaultKind.DISK_LOST) {
            return;
        }
        String victim = fault.victim();
        switch (lostFolder.giveUp(victim)) {
            case JOINED -> {}
            case GIVEN_UP ->
                say("The lost data folder of " + victim + " may have had the only copy of points: it is given up.");
            case TIMED_OUT -> say("With its empty data folder " + victim + " is not ready, and waits for no removal.");
        }
    }

    private void awaitCopies(Fault fault) throws InterruptedException {
        if (!copies.await(COPY_PATIENCE)) {
            uncopied.add(
                    "After the lost disk of fault " + fault.number() + " a journal still lacks records of its group.");
            say("The journals are not copied again after " + COPY_PATIENCE.toSeconds() + " s.");
        }
    }

    private void awaitReady() throws InterruptedException {
        try {
            cluster.awaitAllReady();
        } catch (ChimeraException e) {
            // the next fault or the final comparison will show the effect
            say("Not all nodes are ready again: " + e.getMessage());
        }
    }

    private void tell(FaultOutcome outcome) {
        String recovery = outcome.isRecovered()
                ? "recovered %.2f s after the %s"
                        .formatted(outcome.recoveryNs() / 1e9, outcome.since() == Since.FAULT ? "fault" : "heal")
                : "NOT RECOVERED after " + RECOVERY_PATIENCE.toSeconds() + " s";
        String ended = outcome.ended().isEmpty() ? "" : ", ENDED UNEXPECTEDLY: " + outcome.ended();
        say("%3d  %-40s %4.1f s, %s, longest stall %.2f s, longest wait for an acknowledgement %.2f s%s"
                .formatted(
                        outcome.fault().number(),
                        outcome.description(),
                        outcome.fault().holdMs() / 1e3,
                        recovery,
                        outcome.stallNs() / 1e9,
                        outcome.ackWaitNs() / 1e9,
                        ended));
    }

    // The end

    /** Waits until no cycle is open and all acknowledged points are committed; returns the time, -1 on a time-out. */
    private long awaitCommitted(List<Generation> sent) throws InterruptedException {
        long acknowledged =
                sent.stream().mapToLong(Generation::acknowledgedPoints).sum();
        long began = System.nanoTime();
        while (System.nanoTime() - began < COMMIT_PATIENCE.toNanos()) {
            Prefix prefix = watch.prefix();
            if (prefix.aggregated() >= acknowledged && prefix.low() == prefix.begun()) {
                return (System.nanoTime() - began) / 1_000_000;
            }
            Thread.sleep(LOOK_MS);
        }
        return -1;
    }

    private interface Rows {
        StoredRows read() throws InterruptedException;
    }

    /**
     * Compares repeatedly: rows may need a moment to become visible, and points in doubt may still be in flight after
     * all others are committed.
     */
    private RowVerdict compare(List<Generation> sent, Rows rows) throws InterruptedException {
        long deadline = System.nanoTime() + VISIBLE_PATIENCE.toNanos();
        RowVerdict verdict = RowOracle.compare(options.seed(), sent, rows.read());
        while (!verdict.isGood() && System.nanoTime() - deadline < 0) {
            Thread.sleep(LOOK_MS);
            verdict = RowOracle.compare(options.seed(), sent, rows.read());
        }
        return verdict;
    }

    private StoredRows readKairos() throws InterruptedException {
        long marginMs = CLOCK_MARGIN.toMillis();
        return StoredRows.read(
                new KairosReader(cluster.kairos()), beganMs - marginMs, System.currentTimeMillis() + marginMs);
    }

    /** Compares three times; the first failed comparison is the result. */
    private RowVerdict compareArchives(List<Generation> sent) throws InterruptedException {
        ArchivesAtTheEnd archives = new ArchivesAtTheEnd(cluster);
        RowVerdict live = compare(sent, () -> archives.askProcessors().merged());
        if (!live.isGood()) {
            return live;
        }
        long before = archives.askProcessors().inSeveral();
        replayed = archives.replay(beganMs - CLOCK_MARGIN.toMillis());
        say("Ran " + replayed + " cycles again from archived journals.");
        ArchivedRows after = archives.askProcessors();
        say("Rows in several archives: " + before + " before, " + after.inSeveral() + " now.");
        RowVerdict again = RowOracle.compare(options.seed(), sent, after.merged());
        if (!again.isGood()) {
            return again;
        }
        say("Killing the processors, reading their volumes.");
        return RowOracle.compare(options.seed(), sent, archives.askVolumes());
    }

    private void say(String line) {
        out.printf("[%6.1f s] %s%n", (System.nanoTime() - beganNs) / 1e9, line);
        out.flush();
    }
}
