package io.chimera.node.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.agent.ManualClock;
import io.chimera.dataset.copy.CopyTotals;
import io.chimera.dataset.format.ByteRange;
import io.chimera.dataset.format.ObjectBytes;
import io.chimera.dataset.job.ChosenStrategy;
import io.chimera.dataset.job.JobPhase;
import io.chimera.dataset.job.JobProgress;
import io.chimera.dataset.meter.JobMeters;
import io.chimera.dataset.meter.WorkerMeter;
import io.chimera.dataset.plan.Prices;
import io.chimera.dataset.plan.Strategy;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RunDisplayTest {
    private static final Prices PRICES = new Prices(3.6, 0, 0, "EUR");

    private final ManualClock clock = new ManualClock();
    private final StringWriter text = new StringWriter();
    private final JobMeters meters = new JobMeters(clock);
    private JobProgress.Snapshot state = computing(0);

    private static JobProgress.Snapshot computing(long bytesComputed) {
        return new JobProgress.Snapshot(JobPhase.COMPUTING, 10, 0, 10_000_000, bytesComputed, 0, 0, 0, 0, 0, 0, 0);
    }

    private RunDisplay display(RunDisplay.Mode mode) {
        return new RunDisplay(new PrintWriter(text), mode, clock, PRICES);
    }

    private void update(RunDisplay display) {
        display.update(state, meters);
    }

    /** A worker reads a whole split of 1 MB in a second. */
    private void computeSplit(WorkerMeter worker) throws IOException {
        ByteRange split = new ByteRange(0, 1_000_000);
        worker.begin(new Zeros(), split).read(0, ByteBuffer.allocate(1_000_000));
        clock.advanceMs(1_000);
        worker.end(split, 1);
        state = computing(state.bytesComputed() + 1_000_000);
    }

    private static final class Zeros implements ObjectBytes {
        @Override
        public String path() {
            return "zeros";
        }

        @Override
        public long length() {
            return 1_000_000;
        }

        @Override
        public int read(long offset, ByteBuffer into) {
            int count = into.remaining();
            into.position(into.limit());
            return count;
        }
    }

    /** 4 of 10 MB after 4 s: 1 MB/s, 6 s left, at 3.6 an hour 0.006. */
    @Test
    void linesTellRateShareTimeAndCostLeft() throws IOException {
        RunDisplay display = display(RunDisplay.Mode.LINES);
        WorkerMeter worker = meters.newWorker();
        for (int i = 0; i < 4; i++) {
            computeSplit(worker);
            update(display);
        }

        String[] lines = text.toString().split("\\R", -1);
        assertThat(lines).hasSize(3);
        assertThat(lines[1]).contains("40 %", "4.00 MB of 10.0 MB", "1.00 MB/s", "left 6.00 s", "0.0060 EUR");
        assertThat(text.toString()).doesNotContain("\r");
        assertThat(display.cost(meters)).isEqualTo(4 * 0.001);
    }

    @Test
    void eachWorkerHasItsRate() throws IOException {
        RunDisplay display = display(RunDisplay.Mode.LINES);
        computeSplit(meters.newWorker());
        computeSplit(meters.newWorker());
        clock.advanceMs(2_000);
        update(display);

        assertThat(text.toString()).contains("worker 1 250 kB/s", "worker 2 250 kB/s");
    }

    @Test
    void aTerminalHasOneLineThatIsClearedAtTheEnd() throws IOException {
        RunDisplay display = display(RunDisplay.Mode.BAR);
        computeSplit(meters.newWorker());
        update(display);
        display.finish(meters);

        assertThat(text.toString()).startsWith("\r[##").endsWith("\r").doesNotContain("\n");
    }

    @Test
    void aChoiceByMeasurementsIsPrintedOnceWithItsFirstReason() {
        RunDisplay display = display(RunDisplay.Mode.LINES);
        List<ChosenStrategy> choices = List.of(
                new ChosenStrategy(0, Strategy.OVERLAP, List.of("Choice: overlap.", "more")),
                new ChosenStrategy(9, Strategy.STREAM, List.of()));
        display.choices(choices);
        display.choices(choices);

        assertThat(text.toString().strip()).isEqualTo("Strategy overlap: Choice: overlap.");
    }

    @Test
    void linesTellTheShareThatIsCopied() {
        RunDisplay display = display(RunDisplay.Mode.LINES);
        state = new JobProgress.Snapshot(JobPhase.COPYING, 10, 0, 10_000_000, 0, 0, 0, 0, 0, 0, 0, 0);
        meters.copies(() -> new CopyTotals(0, 4_000_000, 1, 0, 0, ""));
        clock.advanceMs(2_000);
        update(display);

        assertThat(text.toString()).contains("40 %", "4.00 MB copied");
    }

    @Test
    void silenceIsSilent() throws IOException {
        RunDisplay display = display(RunDisplay.Mode.SILENT);
        computeSplit(meters.newWorker());
        clock.advanceMs(10_000);
        update(display);
        display.finish(meters);

        assertThat(text.toString()).isEmpty();
        assertThat(display.course()).isNotEmpty();
    }
}
