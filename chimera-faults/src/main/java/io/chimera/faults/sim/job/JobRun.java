package io.chimera.faults.sim.job;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.chimera.common.agent.ManualClock;
import io.chimera.dataset.cluster.BadInputCollector;
import io.chimera.dataset.cluster.BoardException;
import io.chimera.dataset.cluster.JobBoard;
import io.chimera.dataset.cluster.JobId;
import io.chimera.dataset.cluster.JobOrder;
import io.chimera.dataset.cluster.JobOutcome;
import io.chimera.dataset.cluster.JobTotals;
import io.chimera.dataset.cluster.JobWish;
import io.chimera.dataset.cluster.ResultTransfer;
import io.chimera.dataset.cluster.RowCollector;
import io.chimera.dataset.cluster.RowCollector.Collected;
import io.chimera.dataset.cluster.WorkerSession;
import io.chimera.dataset.job.InputReport;
import io.chimera.dataset.job.JobProgress;
import io.chimera.dataset.job.OnBadSplit;
import io.chimera.dataset.plan.StrategyWish;
import io.chimera.faults.sim.world.Timetable;
import io.chimera.faults.sim.world.Violation;
import io.chimera.testkit.store.MemoryStore;
import io.chimera.testkit.store.MemoryStore.Outcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * Run of a job over a data set on several workers: faults for a while, then none, and the job must end with the rows of
 * an undisturbed run, bit for bit.
 */
public final class JobRun {
    private static final long S = 1_000_000_000L;
    private static final long FAULTS_NS = 60 * S;

    /** Time limit after the end of the faults: many times the time of an undisturbed job. */
    private static final long SETTLE_NS = 900 * S;

    /** A worker that finds no object once the job is planned, in some runs. */
    private static final int BLIND = 0;

    /** A worker that stays in runs with a blind one: where no other worker is there, the blind one may judge alone. */
    private static final int RELIABLE = 1;

    /** Definition of a removed job with the same name, and other data or an earlier version of the same data. */
    private static final String EARLIER = "min,max";

    /** Separate generator of replicas and their faults, so that the other draws of a seed stay unchanged. */
    private static final long REPLICAS = 0x4E_11CA5L;

    /** Maximum time between two faults of a replica, and of a fault. */
    private static final long REPLICA_NS = 15 * S;

    /** Wrong answers of a worker that leaves: a run has few hand-overs. */
    private static final int CONFUSED_PERCENT = 25;

    private static final List<Outcome> FAILURES =
            List.of(Outcome.FAILED, Outcome.WRITTEN_BUT_FAILED, Outcome.FORGOTTEN);

    /** The first collection finds the lost ranges; between the others only workers that start again can be away. */
    private static final int COLLECTIONS_MAX = 10;

    private final ManualClock clock = new ManualClock();
    private final SplittableRandom random;
    private final SplittableRandom replicaRandom;
    private final SimReplicas replicas;
    private final Timetable timetable;
    private final List<SimWorker> workers = new ArrayList<>();
    private final List<Path> folders = new ArrayList<>();
    private final Map<JobId, MemoryStore> stores = new HashMap<>();
    private final MemoryJobBoard.Shared records = new MemoryJobBoard.Shared();
    private final JobBoard board = new MemoryJobBoard(records, MemoryJobBoard.Faults.NONE);
    private final ResultTransfer transfer = new SimTransfer(
            worker -> workers.get(Integer.parseInt(worker.address().substring(1))), this::isUnlucky, this::isConfused);
    private JobOracle oracle = new JobOracle(board, StrategyWish.STREAM);
    private int faultPercent;
    private int sourcePercent;
    private boolean hasFaults = true;
    private int events;
    private int emptied;
    private boolean hasBlindWorker;
    private boolean isBlind;

    /**
     * Creates a run.
     *
     * @param seed decides all random choices
     */
    public JobRun(long seed) {
        random = new SplittableRandom(seed ^ 0x10B_5E7L);
        timetable = new Timetable(clock, random);
        replicaRandom = new SplittableRandom(seed ^ REPLICAS);
        replicas = new SimReplicas(replicaRandom, clock);
    }

    /** Returns how often each kind of fault of replicas took place, by its label. */
    public Map<String, Integer> replicaFaults() {
        return replicas.seen();
    }

    /**
     * Runs to the end.
     *
     * @return number of events
     * @throws Violation when the rows differ, or the job does not end
     */
    public long run() {
        JobWorld.Kind kind = JobWorld.Kind.draw(random);
        oracle = new JobOracle(board, kind.strategy());
        try (JobWorld world = new JobWorld(clock, kind)) {
            run(world, kind.onBadSplit());
            return events;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void run(JobWorld world, OnBadSplit onBadSplit) throws IOException {
        faultPercent = random.nextInt(4) * 2;
        sourcePercent = random.nextInt(4) == 0 ? 40 : faultPercent;
        boolean isTolerant = onBadSplit == OnBadSplit.SKIP;
        SimDataSource drawn = SimDataSource.draw(random);
        SimDataSource source = isTolerant ? drawn.withBadByte(random) : drawn;
        String definition = "count,min,max,sum" + (random.nextBoolean() ? ",p90" : "");
        SimDataSource other = random.nextBoolean() ? SimDataSource.draw(random) : source.earlierVersion();
        int count = 1 + random.nextInt(5);
        hasBlindWorker = isTolerant && count > 1 && random.nextBoolean();
        for (int i = 0; i < count; i++) {
            String name = "w" + i;
            BooleanSupplier hides = i == BLIND ? () -> isBlind : () -> false;
            folders.add(world.folder(name));
            workers.add(new SimWorker(
                    name,
                    timetable,
                    new SimWorker.Parts(
                            records,
                            boardFaults(),
                            order -> {
                                SimDataSource read = (order.definition().equals(EARLIER) ? other : source)
                                        .failing(() -> isUnlucky(sourcePercent))
                                        .hidden(hides);
                                return world.program(
                                        name, order.definition(), read, replicas.open(read), store(order.id()));
                            },
                            transfer,
                            clock)));
            workers.get(i).start(folders.get(i));
        }
        earlierJob();
        JobId job = new JobId("job", random.nextLong() | 1);
        JobWorld.Given expected = world.undisturbed(definition, source);
        board.submit(new JobOrder(job, definition, JobWish.RUN, 1));
        planFaults(job, source);
        planReplicaFaults(job);
        for (int i = random.nextInt(4); i > 0; i--) {
            timetable.in(random.nextLong(FAULTS_NS), () -> world.damageCopies(random));
        }
        until(clock.nanoTime() + FAULTS_NS, job);
        hasFaults = false;
        replicas.end();
        restart();
        JobOrder seen = order(job);
        board.update(seen, seen.with(JobWish.RUN));
        until(clock.nanoTime() + SETTLE_NS, job);
        check(job, expected, world);
    }

    /** Runs and removes a job of the same name in some seeds; its results are still in folders of dead workers. */
    private void earlierJob() throws BoardException {
        if (random.nextInt(3) == 0) {
            JobId earlier = new JobId("job", random.nextLong() | 1);
            board.submit(new JobOrder(earlier, EARLIER, JobWish.RUN, 1));
            until(clock.nanoTime() + random.nextLong(20 * S), earlier);
            workers.stream().filter(worker -> random.nextBoolean()).forEach(SimWorker::kill);
            until(clock.nanoTime() + 10 * S, earlier);
            board.remove(earlier);
            restart();
        }
    }

    private MemoryStore store(JobId job) {
        return stores.computeIfAbsent(job, id -> {
            MemoryStore store = new MemoryStore();
            store.outcomes(this::outcome);
            return store;
        });
    }

    private JobOrder order(JobId job) throws BoardException {
        return board.orders().stream()
                .filter(order -> order.id().equals(job))
                .findFirst()
                .orElseThrow();
    }

    // Faults

    private boolean isUnlucky(int percent) {
        return hasFaults && random.nextInt(100) < percent;
    }

    private boolean isUnlucky() {
        return isUnlucky(faultPercent);
    }

    private boolean isConfused(WorkerSession worker) {
        return isUnlucky(worker.isLeaving() ? CONFUSED_PERCENT : faultPercent);
    }

    private Outcome outcome() {
        if (!isUnlucky(faultPercent * 2)) {
            return Outcome.WRITTEN;
        }
        return FAILURES.get(random.nextInt(FAILURES.size()));
    }

    private MemoryJobBoard.Faults boardFaults() {
        return new MemoryJobBoard.Faults() {
            @Override
            public boolean isLost() {
                return isUnlucky(faultPercent);
            }

            @Override
            public boolean isAnswerLost() {
                return isUnlucky(faultPercent);
            }
        };
    }

    private void planFaults(JobId job, SimDataSource source) {
        for (int i = random.nextInt(6); i > 0; i--) {
            timetable.in(random.nextLong(FAULTS_NS), this::kill);
        }
        for (int i = random.nextInt(4); i > 0; i--) {
            timetable.in(random.nextLong(FAULTS_NS), this::expire);
        }
        for (int i = random.nextInt(4); i > 0; i--) {
            timetable.in(random.nextLong(FAULTS_NS), () -> leave(job));
        }
        for (int i = random.nextInt(3); i > 0; i--) {
            timetable.in(random.nextLong(FAULTS_NS), () -> wish(job, JobWish.STOP));
            timetable.in(random.nextLong(FAULTS_NS), () -> wish(job, JobWish.RUN));
        }
        if (random.nextBoolean()) {
            planned(job, () -> source.add("added.csv", random));
        }
        if (hasBlindWorker) {
            planned(job, () -> isBlind = true);
        }
    }

    private void planReplicaFaults(JobId job) {
        List<SimReplicas.Fault> kinds = List.of(SimReplicas.Fault.values());
        long atNs = replicaRandom.nextBoolean() ? 0 : replicaRandom.nextLong(REPLICA_NS);
        while (replicas.exist() && atNs < FAULTS_NS) {
            SimReplicas.Fault next = kinds.get(replicaRandom.nextInt(kinds.size()));
            timetable.in(atNs, () -> beginReplicaFault(job, next));
            atNs += S + replicaRandom.nextLong(REPLICA_NS);
            timetable.in(atNs, () -> endReplicaFault(job));
            atNs += 1 + replicaRandom.nextLong(REPLICA_NS);
        }
    }

    private void beginReplicaFault(JobId job, SimReplicas.Fault next) {
        if (hasFaults) {
            try {
                replicas.begin(next, board.plan(job).isPresent());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Ends a fault; a job that could not be planned with unequal replicas is run again. */
    private void endReplicaFault(JobId job) {
        replicas.end();
        try {
            if (outcome(job).filter(end -> end.kind() == JobOutcome.Kind.FAILED).isPresent()) {
                JobOrder seen = order(job);
                board.update(seen, seen.again());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void expire() {
        int which = random.nextInt(workers.size());
        if (!hasBlindWorker || which != RELIABLE) {
            workers.get(which).expire();
        }
    }

    /** Does something once the job is planned. */
    private void planned(JobId job, Runnable action) {
        timetable.in(S / 10, () -> {
            try {
                if (board.plan(job).isPresent()) {
                    action.run();
                } else {
                    planned(job, action);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private void wish(JobId job, JobWish wish) {
        try {
            JobOrder seen = order(job);
            board.update(seen, seen.with(wish));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void kill() {
        int which = random.nextInt(workers.size());
        if (!workers.get(which).isAlive() || (hasBlindWorker && which == RELIABLE)) {
            return;
        }
        workers.get(which).kill();
        if (random.nextInt(3) == 0) {
            empty(which);
        } else if (random.nextInt(3) == 0) {
            damage(folders.get(which));
        }
        timetable.in(random.nextLong(40 * S), () -> start(which));
    }

    /** Lets a worker leave for good; another node takes its place later. */
    private void leave(JobId job) {
        int which = random.nextInt(workers.size());
        if (!hasBlindWorker || which != RELIABLE) {
            long folder = workers.get(which).folder();
            workers.get(which).leave(() -> {
                checkHandOver(job, folder);
                empty(which);
                timetable.in(random.nextLong(40 * S), () -> start(which));
            });
        }
    }

    private void checkHandOver(JobId job, long folder) {
        try {
            oracle.checkHandOver(order(job), folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void empty(int which) {
        emptied++;
        folders.set(which, folders.get(which).resolveSibling("w" + which + "." + emptied));
    }

    /** Changes a byte of a result. */
    private void damage(Path folder) {
        try (Stream<Path> all = Files.walk(folder.resolve("jobs"))) {
            List<Path> results = all.filter(Files::isRegularFile).sorted().toList();
            if (!results.isEmpty()) {
                Path result = results.get(random.nextInt(results.size()));
                byte[] content = Files.readAllBytes(result);
                if (content.length > 0) {
                    content[random.nextInt(content.length)] ^= (byte) (1 << random.nextInt(8));
                    Files.write(result, content);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void start(int which) {
        if (!workers.get(which).isAlive()) {
            workers.get(which).start(folders.get(which));
        }
    }

    private void restart() {
        for (int i = 0; i < workers.size(); i++) {
            start(i);
        }
    }

    // Running

    private void until(long atNs, JobId job) throws BoardException {
        while (clock.nanoTime() < atNs && !hasEnded(job)) {
            long next = timetable.untilNextNs();
            clock.advanceNs(Math.max(0, Math.min(next, atNs - clock.nanoTime())));
            timetable.run();
            oracle.checkStrategy(job);
            events++;
        }
    }

    private boolean hasEnded(JobId job) throws BoardException {
        return !hasFaults
                && board.orders().stream().anyMatch(order -> order.id().equals(job))
                && outcome(job).isPresent();
    }

    private Optional<JobOutcome> outcome(JobId job) throws BoardException {
        int attempt = order(job).attempt();
        return board.outcome(job).filter(end -> end.attempt() >= attempt);
    }

    private void check(JobId job, JobWorld.Given expected, JobWorld world) throws IOException {
        Optional<JobOutcome> end = outcome(job);
        if (end.filter(failed -> failed.kind() == JobOutcome.Kind.FAILED).isPresent()) {
            // three faults met the same work: the operator runs the job again
            JobOrder seen = order(job);
            board.update(seen, seen.again());
            until(clock.nanoTime() + SETTLE_NS, job);
            end = outcome(job);
        }
        Optional<JobOutcome> last = end;
        Violation.unless(
                last.filter(done -> done.kind() == JobOutcome.Kind.DONE).isPresent(),
                "JobEnds",
                () -> "the job ended with " + last);
        Violation.unless(
                JobWorld.texts(store(job)).equals(expected.stored()),
                "JobRows",
                () -> JobWorld.texts(store(job)) + " instead of " + expected.stored());
        String listed = listed(job, world);
        Violation.unless(
                listed.equals(expected.listed()), "JobRows", () -> listed + " instead of " + expected.listed());
        checkInput(job, expected, world);
        oracle.checkMeasures(job);
    }

    /** Checks skipped splits, rejected events and counts. */
    private void checkInput(JobId job, JobWorld.Given expected, JobWorld world) throws IOException {
        Path folder = world.folder("input");
        int unread = new BadInputCollector(board, transfer, job).collect(folder, JobWorld.REJECTS_MAX);
        InputReport report = new InputReport(folder);
        String skipped = Files.readString(report.skippedSplits(), UTF_8);
        String rejected = Files.readString(report.rejectedEvents(), UTF_8);
        Violation.unless(
                places(skipped).equals(places(expected.skipped())),
                "JobInput",
                () -> skipped + " instead of " + expected.skipped());
        Violation.unless(
                unread > 0 || rejected.equals(expected.rejected()),
                "JobInput",
                () -> rejected + " instead of " + expected.rejected());
        JobTotals totals = outcome(job).orElseThrow().totals();
        JobProgress.Snapshot counts = expected.counts();
        Violation.unless(
                totals.splitsDone() == counts.splitsComputed()
                        && totals.splitsSkipped() == counts.splitsSkipped()
                        && totals.bytes() == counts.bytesComputed()
                        && totals.points() == counts.points()
                        && totals.rejected() == counts.rejected(),
                "JobInput",
                () -> totals + " instead of " + counts);
    }

    /** Returns skipped splits; without their reasons if a worker met another fault than the others. */
    private String places(String skipped) {
        return hasBlindWorker ? skipped.replaceAll(",\"reason\".*", "") : skipped;
    }

    /** Collects the rows without a store; a worker that has lost its folder makes the operator run the job again. */
    private String listed(JobId job, JobWorld world) throws IOException {
        Path rows = world.folder("rows");
        for (int again = 0; ; again++) {
            Collected collected = new RowCollector(board, transfer, job, random.nextLong() | 1).collect(rows);
            if (collected != Collected.MISSING) {
                return collected == Collected.WRITTEN ? Files.readString(rows, UTF_8) : "";
            }
            Violation.unless(again < COLLECTIONS_MAX, "JobEnds", () -> "rows without a store stay lost");
            JobOrder seen = order(job);
            board.update(seen, seen.again());
            until(clock.nanoTime() + SETTLE_NS, job);
        }
    }
}
