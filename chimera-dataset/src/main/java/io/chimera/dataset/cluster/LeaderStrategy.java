package io.chimera.dataset.cluster;

import io.chimera.common.agent.Clock;
import io.chimera.dataset.job.JobProgram;
import io.chimera.dataset.meter.WorkMeasures;
import io.chimera.dataset.plan.Advice;
import io.chimera.dataset.plan.Adviser;
import io.chimera.dataset.plan.AutoStrategy;
import io.chimera.dataset.plan.DataSetExtent;
import io.chimera.dataset.plan.NodeCounts;
import io.chimera.dataset.plan.Prices;
import io.chimera.dataset.plan.Reason;
import io.chimera.dataset.plan.ReasonCode;
import io.chimera.dataset.plan.StorageSample;
import io.chimera.dataset.plan.Strategy;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chooses the strategy of a job's splits for one term of a leader: the strategy that the job names, or a choice by the
 * measurements in the workers' reports. No sample is made: the job begins with {@link Strategy#STREAM}. A new leader
 * continues the measurements, because the reports have those of the whole job; the deadline is a time of the calendar.
 * One thread.
 */
final class LeaderStrategy {
    private static final Logger LOG = LoggerFactory.getLogger(LeaderStrategy.class);
    private static final double NS_PER_SECOND = 1e9;

    private final JobId job;
    private final JobProgram program;
    private final JobLedger ledger;
    private final Clock clock;
    private Optional<AutoChoice> auto = Optional.empty();

    private Strategy running = Strategy.STREAM;

    /**
     * A choice by measurements.
     *
     * @param strategy the choice
     * @param work work that the choice depends on
     * @param startNs begin of the work on the splits: the begin of the term less the time of the work before the term
     */
    private record AutoChoice(AutoStrategy strategy, IntegratedWork work, long startNs) {
        private Strategy next(WorkMeasures now, List<WorkerSession> workers, long nowNs, Prices prices) {
            work.add(now, workers);
            return strategy.next(work.totals((nowNs - startNs) / NS_PER_SECOND, prices));
        }
    }

    LeaderStrategy(JobId job, JobProgram program, JobLedger ledger, Clock clock) {
        this.job = job;
        this.program = program;
        this.ledger = ledger;
        this.clock = clock;
    }

    /**
     * Returns the strategy of the splits that begin from now on.
     *
     * @param missing lengths of the splits without a result, in bytes
     * @param workers the live workers
     */
    Strategy next(List<Long> missing, List<WorkerSession> workers) {
        Optional<Strategy> fixed = program.rules().wish().fixed();
        if (fixed.isPresent()) {
            return fixed.get();
        }
        if (auto.isEmpty() && !workers.isEmpty() && !missing.isEmpty()) {
            auto = Optional.of(begin(missing, workers));
        }
        Strategy next = auto.map(choice -> choice.next(
                        ledger.measures(),
                        workers,
                        clock.nanoTime(),
                        program.rules().prices()))
                .orElse(Strategy.STREAM);
        if (next != running) {
            running = next;
            LOG.info("Job {} changes its strategy: strategy={} reason={}", job, next.label(), reason());
        }
        return next;
    }

    /** Continues the measurements of earlier leaders: what they cost, and the time that the work took. */
    private AutoChoice begin(List<Long> missing, List<WorkerSession> workers) {
        long missingBytes = missing.stream().mapToLong(Long::longValue).sum();
        int threads = workers.stream().mapToInt(WorkerSession::threads).sum();
        WorkMeasures earlier = ledger.measures();
        long workedNs = (earlier.computed().busyNs() + earlier.computed().waitingNs()) / threads;
        long readAhead = program.readAheadBytes();
        NodeCounts nodes = new NodeCounts(
                workers.size(),
                Math.max(1, threads / workers.size()),
                program.hasCopies() ? workers.size() : 0,
                false,
                readAhead,
                readAhead,
                false);
        AutoStrategy.Basis basis = new AutoStrategy.Basis(
                program.place(),
                new DataSetExtent(
                        earlier.computed().bytes() + missingBytes, Math.max(1, missingBytes / missing.size()), 0),
                nodes,
                StorageSample.UNKNOWN,
                program.rules().prices(),
                program.rules().limits().at(clock.epochMs() - TimeUnit.NANOSECONDS.toMillis(workedNs)),
                program.rules().keepCopies());
        return new AutoChoice(
                new AutoStrategy(basis, Optional.empty(), new Adviser()),
                new IntegratedWork(workers),
                clock.nanoTime() - workedNs);
    }

    /** Returns the last advice; empty before the first one. */
    Optional<Advice> advice() {
        return auto.flatMap(choice -> choice.strategy().advice());
    }

    private String reason() {
        return advice().map(LeaderStrategy::lines).orElse("");
    }

    private static String lines(Advice advice) {
        return advice.reasons(ReasonCode.CHANGED).stream().map(Reason::line).collect(Collectors.joining(" "));
    }
}
