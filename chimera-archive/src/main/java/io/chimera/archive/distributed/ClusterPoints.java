package io.chimera.archive.distributed;

import io.chimera.api.model.Row;
import io.chimera.archive.distributed.NodeChoice.Target;
import io.chimera.archive.distributed.RowTable.Found;
import io.chimera.archive.query.QueryProgress;
import io.chimera.archive.query.Question;
import io.chimera.archive.query.answer.FoundPoints;
import io.chimera.archive.query.answer.NodeReport;
import io.chimera.archive.query.answer.NodeReport.Absent;
import io.chimera.archive.query.filter.PointFilter;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * Merges the data points of several nodes into one answer, ordered by time. If several nodes hold a row, because one
 * node repeated the cycle of another, the last write wins. All versions of a row have the same time, but streams are in
 * write order, so rows are merged in time windows: a window is read completely before its first row is returned. The
 * length of a window adapts to the memory limit while the rows are read. A node that is unreachable, or whose answer
 * breaks off, does not block the others: the report names the node. Single-threaded, except {@link #cancel}.
 */
public final class ClusterPoints implements FoundPoints {
    /** Memory limit of a window, about 100,000 rows. */
    private static final long BYTES_MAX = 64 << 20;

    private static final long NS_PER_MS = 1_000_000;

    private final NodeChoice choice;
    private final Question question;
    private final Peers peers;
    private final List<String> warnings;
    private final long bytesMax;
    private final NodeAnswers<FoundPoints> answers;
    private final List<Target> targets;
    private final List<Absent> absent;
    private QueryProgress progress = QueryProgress.NONE;
    private Iterator<Found> rows = Collections.emptyIterator();
    private Found current;
    private long found;

    /** End of the last window, included. */
    private long lastNs;

    /** Maximum length of the next window. */
    private long windowNs = Long.MAX_VALUE;

    /** Creates the answer; no node is queried before the first row. */
    public ClusterPoints(NodeChoice choice, Question question, Peers peers) {
        this(choice, question, peers, BYTES_MAX);
    }

    ClusterPoints(NodeChoice choice, Question question, Peers peers, long bytesMax) {
        this.choice = choice;
        this.question = question;
        this.peers = peers;
        this.bytesMax = bytesMax;
        warnings = PointFilter.compile(question.filter()).warnings();
        answers = new NodeAnswers<>(peers);
        targets = new ArrayList<>(choice.targets());
        absent = new ArrayList<>(choice.absent());
        lastNs = Math.max(0, question.afterNs()) - 1; // rows have no negative times
    }

    @Override
    public List<String> warnings() {
        return warnings;
    }

    @Override
    public boolean next() {
        if (found == question.limit()) {
            return false;
        }
        while (!rows.hasNext() && !answers.isCancelled() && lastNs < question.beforeNs() && !targets.isEmpty()) {
            readWindow();
        }
        if (!rows.hasNext() || answers.isCancelled()) {
            return false;
        }
        current = rows.next();
        found++;
        return true;
    }

    /**
     * Reads the next window. A window above the memory limit is read again with a shorter length; the following window
     * may be twice as long.
     */
    private void readWindow() {
        long firstNs = lastNs + 1;
        long untilNs = firstNs + Math.min(windowNs, question.beforeNs() - firstNs);
        rows = Collections.emptyIterator(); // free the previous window before the next is read
        RowTable table = read(firstNs, untilNs);
        while (table.isFull()) {
            untilNs = shorter(firstNs, untilNs, table);
            table = read(firstNs, untilNs);
        }
        lastNs = untilNs;
        windowNs = Math.min(Long.MAX_VALUE / 4, untilNs - firstNs) * 2 + 1;
        rows = table.inOrder();
    }

    /** Shortens the window to the median time of the rows read so far, which are not all rows of the window. */
    private long shorter(long firstNs, long untilNs, RowTable table) {
        long middleMs = table.middleMs().orElseThrow();
        long endNs = middleMs * NS_PER_MS;
        if (endNs >= untilNs) {
            endNs -= 1; // the rows at the median time move to the next window
        }
        if (endNs < firstNs) {
            throw new ChimeraException(
                    Category.WARN,
                    "The rows of time " + Instant.ofEpochMilli(middleMs) + " take more than " + bytesMax
                            + " bytes of memory; ask for fewer series.");
        }
        return endNs;
    }

    private RowTable read(long firstNs, long untilNs) {
        RowTable table = new RowTable(bytesMax);
        List<Target> asked = targets.stream()
                .filter(target -> target.afterNs() <= untilNs && target.beforeNs() >= firstNs)
                .toList();
        List<FoundPoints> all =
                answers.ask(asked, target -> peers.points(target.member(), within(target, firstNs, untilNs)));
        for (int i = 0; i < asked.size() && !table.isFull(); i++) {
            read(asked.get(i), all.get(i), within(asked.get(i), firstNs, untilNs), table);
        }
        answers.close();
        return table;
    }

    /**
     * Builds the question for a window without a limit: a single node cannot decide which of its rows belong to the
     * answer.
     */
    private Question within(Target target, long firstNs, long untilNs) {
        return new Question(
                question.filter(),
                question.stream(),
                Math.max(firstNs, target.afterNs()),
                Math.min(untilNs, target.beforeNs()),
                Long.MAX_VALUE);
    }

    private void read(Target target, FoundPoints points, Question asked, RowTable table) {
        String node = target.member().id();
        try {
            while (!table.isFull() && points.next()) {
                Row row = points.row();
                requireWithin(asked, row.timeMs());
                table.add(new Found(row, points.stream(), node, points.writtenNs(), points.isMet()));
            }
        } catch (ChimeraException e) {
            absent.add(new Absent(node, asked.afterNs(), target.beforeNs(), e.getMessage()));
            targets.remove(target);
        }
        progress = progress.plus(points.progress());
    }

    /** Rejects rows outside the window, because they would be returned twice. */
    private static void requireWithin(Question asked, long timeMs) {
        if (timeMs < Math.floorDiv(asked.afterNs(), NS_PER_MS) || timeMs > Math.floorDiv(asked.beforeNs(), NS_PER_MS)) {
            throw new ChimeraException(
                    Category.ERROR,
                    "the answer contains a row of " + Instant.ofEpochMilli(timeMs)
                            + ", outside the requested time; both nodes must run the same release");
        }
    }

    @Override
    public Row row() {
        return current.row();
    }

    @Override
    public long writtenNs() {
        return current.writtenNs();
    }

    @Override
    public boolean isMet() {
        return true;
    }

    @Override
    public String stream() {
        return current.node() + "/" + current.stream();
    }

    @Override
    public QueryProgress progress() {
        return progress.withFound(found);
    }

    @Override
    public Optional<NodeReport> nodes() {
        return Optional.of(choice.report(absent));
    }

    @Override
    public void cancel() {
        answers.cancel();
    }

    @Override
    public boolean isCancelled() {
        return answers.isCancelled();
    }

    @Override
    public void close() {
        answers.close();
    }
}
