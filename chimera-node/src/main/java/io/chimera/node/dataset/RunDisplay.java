package io.chimera.node.dataset;

import io.chimera.common.agent.Clock;
import io.chimera.dataset.job.ChosenStrategy;
import io.chimera.dataset.job.JobProgress;
import io.chimera.dataset.meter.JobMeters;
import io.chimera.dataset.meter.MeteredSource;
import io.chimera.dataset.meter.RateHistory;
import io.chimera.dataset.meter.SmoothedRate;
import io.chimera.dataset.meter.WorkerMeter;
import io.chimera.dataset.plan.Prices;
import io.chimera.dataset.plan.Quantities;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Shows the progress of a running job: a bar on a terminal, a line now and then elsewhere, and nothing where the caller
 * wants silence. Keeps the course of the job for its report. One thread.
 */
final class RunDisplay {
    private static final int CELLS = 24;
    private static final double NS_PER_SECOND = 1e9;

    /** More workers or sources than this are shown as a sum. */
    private static final int SHOWN_MAX = 4;

    private final PrintWriter err;
    private final Mode mode;
    private final Clock clock;
    private final Prices prices;
    private final long startNs;
    private final RateHistory course;
    private final List<SmoothedRate> ofSources = new ArrayList<>();
    private final List<SmoothedRate> ofWorkers = new ArrayList<>();
    private long linedNs;
    private int width;
    private int choicesSeen;

    /** Way of showing the progress. */
    enum Mode {
        /** A bar, redrawn in place. */
        BAR(Duration.ofMillis(500)),
        /** Lines below each other. */
        LINES(Duration.ofSeconds(2)),
        /** Nothing. */
        SILENT(Duration.ofSeconds(2));

        private final long everyNs;

        Mode(Duration every) {
            everyNs = every.toNanos();
        }
    }

    /**
     * Starts with a job.
     *
     * @param err receives bar or lines
     * @param mode way of showing
     * @param clock time of the job
     * @param prices prices of the job
     */
    RunDisplay(PrintWriter err, Mode mode, Clock clock, Prices prices) {
        this.err = err;
        this.mode = mode;
        this.clock = clock;
        this.prices = prices;
        startNs = clock.nanoTime();
        linedNs = startNs;
        course = new RateHistory(startNs, Mode.BAR.everyNs);
    }

    /** Returns the time since the start in seconds. */
    double seconds() {
        return (clock.nanoTime() - startNs) / NS_PER_SECOND;
    }

    /** Returns the cost since the start. */
    double cost(JobMeters meters) {
        return prices.ofPart(seconds(), 1, (double) meters.sums().received());
    }

    /** Returns the course of the job. */
    List<RateHistory.Point> course() {
        return course.points();
    }

    /** Shows the present state, unless the last one was shown a moment ago. */
    void update(JobProgress.Snapshot now, JobMeters meters) {
        long nowNs = clock.nanoTime();
        course.add(nowNs, meters.sums());
        measure(nowNs, meters);
        if (mode == Mode.SILENT || nowNs - linedNs < mode.everyNs) {
            return;
        }
        linedNs = nowNs;
        String line = line(now, meters);
        if (mode == Mode.LINES) {
            err.println(line);
        } else {
            err.print("\r" + line + " ".repeat(Math.max(0, width - line.length())));
            width = line.length();
        }
        err.flush();
    }

    /** Prints the choices by measurements that were not printed before, each with its first reason. */
    void choices(List<ChosenStrategy> choices) {
        for (; choicesSeen < choices.size(); choicesSeen++) {
            ChosenStrategy choice = choices.get(choicesSeen);
            if (mode != Mode.SILENT && !choice.reasons().isEmpty()) {
                clear();
                err.println("Strategy " + choice.strategy().label() + ": "
                        + choice.reasons().get(0));
                err.flush();
            }
        }
    }

    /** Adds the last state, and clears the bar. */
    void finish(JobMeters meters) {
        course.add(clock.nanoTime(), meters.sums());
        clear();
    }

    private void clear() {
        if (width > 0) {
            err.print("\r" + " ".repeat(width) + "\r");
            err.flush();
            width = 0;
        }
    }

    private void measure(long nowNs, JobMeters meters) {
        List<MeteredSource.Totals> sources = meters.sources();
        for (int i = 0; i < sources.size(); i++) {
            rate(ofSources, i).update(nowNs, (double) sources.get(i).bytes());
        }
        List<WorkerMeter.Totals> workers = meters.workers();
        for (int i = 0; i < workers.size(); i++) {
            rate(ofWorkers, i).update(nowNs, (double) workers.get(i).bytes());
        }
    }

    /** Returns the rate of a source or worker; each begins without bytes, after the start of the job. */
    private SmoothedRate rate(List<SmoothedRate> rates, int number) {
        if (rates.size() <= number) {
            rates.add(new SmoothedRate(startNs, 0));
        }
        return rates.get(number);
    }

    private String line(JobProgress.Snapshot now, JobMeters meters) {
        return switch (now.phase()) {
            case PLANNING -> "Searching the splits.";
            case COPYING -> copying(now, meters);
            case COMPUTING -> computing(now, meters);
            case STORING ->
                bar((double) now.windowsStored() / Math.max(1, now.windows()))
                        + String.format(
                                Locale.ROOT,
                                " %d of %d windows, %d rows",
                                now.windowsStored(),
                                now.windows(),
                                now.rows());
            case DONE -> "Done.";
        };
    }

    private String copying(JobProgress.Snapshot now, JobMeters meters) {
        long copied = Math.min(now.bytes(), meters.copies().writtenBytes());
        double perSecond =
                ofSources.stream().mapToDouble(SmoothedRate::perSecond).sum();
        return bar((double) copied / Math.max(1, now.bytes())) + " " + Quantities.bytes(copied) + " copied, "
                + Quantities.rate(perSecond);
    }

    private String computing(JobProgress.Snapshot now, JobMeters meters) {
        long underWay = meters.workers().stream()
                .mapToLong(WorkerMeter.Totals::bytesOfSplit)
                .sum();
        long done = Math.min(now.bytes(), now.bytesComputed() + underWay);
        double perSecond =
                ofWorkers.stream().mapToDouble(SmoothedRate::perSecond).sum();
        String line = bar((double) done / Math.max(1, now.bytes()))
                + " " + Quantities.bytes(done) + " of " + Quantities.bytes(now.bytes()) + ", "
                + Quantities.rate(perSecond) + left(now.bytes() - done, perSecond);
        List<String> parts = new ArrayList<>();
        List<MeteredSource.Totals> sources = meters.sources();
        for (int i = 0; i < Math.min(SHOWN_MAX, sources.size()); i++) {
            parts.add(sources.get(i).place() + " "
                    + Quantities.rate(ofSources.get(i).perSecond()));
        }
        if (ofWorkers.size() > 1 && ofWorkers.size() <= SHOWN_MAX) {
            for (int i = 0; i < ofWorkers.size(); i++) {
                parts.add("worker " + (i + 1) + " "
                        + Quantities.rate(ofWorkers.get(i).perSecond()));
            }
        }
        return parts.isEmpty() ? line : line + " | " + String.join(", ", parts);
    }

    /** Returns time and cost left at the present rate. */
    private String left(long bytes, double perSecond) {
        if (perSecond <= 0) {
            return "";
        }
        double seconds = bytes / perSecond;
        String cost = prices.isFree()
                ? ""
                : ", " + Quantities.money(prices.ofPart(seconds, 1, (double) bytes), prices.currency());
        return ", left " + Quantities.duration(seconds) + cost;
    }

    private static String bar(double share) {
        double shown = Math.max(0, Math.min(1, share));
        int cells = (int) (shown * CELLS);
        return String.format(Locale.ROOT, "[%s%s] %3.0f %%", "#".repeat(cells), " ".repeat(CELLS - cells), 100 * shown);
    }
}
