package io.chimera.node.archive.client;

import io.chimera.archive.query.ArchiveStream;
import io.chimera.archive.query.QueryProgress;
import io.chimera.archive.query.Question;
import io.chimera.archive.server.volume.Volume;
import io.chimera.archive.server.volume.VolumeReport;
import io.chimera.node.Terminal;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** Shows the progress of a query, on a terminal only. Cleared on close. One thread. */
public final class ProgressBar implements AutoCloseable {
    private static final int CELLS = 30;
    private static final long SHOW_EVERY_NS = 100_000_000L;

    private final PrintWriter err;
    private final boolean isShown = Terminal.isStandardError();
    private final long intervals;
    private long shownNs = System.nanoTime();
    private int width;

    /** Creates a progress bar. The total is the number of intervals in the queried streams. */
    public ProgressBar(Volume volume, Question question, PrintWriter err) {
        this.err = err;
        Set<Integer> asked = volume.streams().stream()
                .filter(stream -> question.stream().isEmpty() || stream.name().equals(question.stream()))
                .map(ArchiveStream::number)
                .collect(Collectors.toSet());
        intervals = volume.store().streams().stream()
                .filter(stream -> asked.contains(stream.stream()))
                .mapToLong(VolumeReport::held)
                .sum();
    }

    public void show(QueryProgress progress) {
        if (!isShown || System.nanoTime() - shownNs < SHOW_EVERY_NS) {
            return;
        }
        shownNs = System.nanoTime();
        String line = line(progress, intervals);
        width = Math.max(width, line.length());
        err.print("\r" + line);
        err.flush();
    }

    static String line(QueryProgress progress, long intervals) {
        long done = progress.intervals() + progress.skipped() + progress.gone();
        double share = intervals == 0 ? 1 : Math.min(1, (double) done / intervals);
        int cells = (int) (share * CELLS);
        return String.format(
                Locale.ROOT,
                "[%s%s] %3.0f %%  intervals read %d, skipped %d  found %d",
                "#".repeat(cells),
                " ".repeat(CELLS - cells),
                share * 100,
                progress.intervals(),
                progress.skipped(),
                progress.found());
    }

    /** Clears the line. */
    public void clear() {
        if (width > 0) {
            err.print("\r" + " ".repeat(width) + "\r");
            err.flush();
            width = 0;
        }
    }

    @Override
    public void close() {
        clear();
    }
}
