package io.chimera.archive.distributed;

import io.chimera.api.model.Row;
import io.chimera.archive.distributed.NodeChoice.Target;
import io.chimera.archive.distributed.RowTable.Found;
import io.chimera.archive.query.FoundPoints;
import io.chimera.archive.query.NodeReport;
import io.chimera.archive.query.NodeReport.Absent;
import io.chimera.archive.query.PointFilter;
import io.chimera.archive.query.QueryProgress;
import io.chimera.archive.query.Question;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * Data points of several nodes as one answer, by time. Of a row that several of them have, as one did the cycle of another again, it has
 * the one that was written last. All versions of a row have one time, and streams are in the order of writing, so rows are put together
 * window by window of time: all of a window is read ahead of its first row. A window is as long as memory allows, which shows when it is
 * read. A node that cannot be asked, or not to the end, does not hold up the others: it is named. One thread, but for {@link #cancel}.
 */
public final class ClusterPoints implements FoundPoints {
    /** Some 100,000 rows. */
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

    /** Where the window ends that was read last, included. */
    private long lastNs;

    /** How far the end of the next one may lie from its beginning. */
    private long windowNs = Long.MAX_VALUE;

    /** Nobody is asked ahead of the first row. */
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
        lastNs = Math.max(0, question.afterNs()) - 1; // rows have no earlier times
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

    /** One that does not fit is read again, shorter; the one behind it may be twice as long. */
    private void readWindow() {
        long firstNs = lastNs + 1;
        long untilNs = firstNs + Math.min(windowNs, question.beforeNs() - firstNs);
        rows = Collections.emptyIterator(); // what was given is not held beside what comes
        RowTable table = read(firstNs, untilNs);
        while (table.isFull()) {
            untilNs = shorter(firstNs, untilNs, table);
            table = read(firstNs, untilNs);
        }
        lastNs = untilNs;
        windowNs = Math.min(Long.MAX_VALUE / 4, untilNs - firstNs) * 2 + 1;
        rows = table.inOrder();
    }

    /** Up to the middle of the rows that fitted, which are not all that there are. */
    private long shorter(long firstNs, long untilNs, RowTable table) {
        long middleMs = table.middleMs().orElseThrow();
        long endNs = middleMs * NS_PER_MS;
        if (endNs >= untilNs) {
            endNs -= 1; // its own rows come with the next window
        }
        if (endNs < firstNs) {
            throw new ChimeraException(
                    Category.WARN,
                    "The rows of one moment, " + Instant.ofEpochMilli(middleMs) + ", take more than " + bytesMax
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

    /** As many as there are: which of them are in the answer is not known to one node alone. */
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

    /** Rows of another time would be in the answer more than once. */
    private static void requireWithin(Question asked, long timeMs) {
        if (timeMs < Math.floorDiv(asked.afterNs(), NS_PER_MS) || timeMs > Math.floorDiv(asked.beforeNs(), NS_PER_MS)) {
            throw new ChimeraException(
                    Category.ERROR,
                    "it answers with a row of " + Instant.ofEpochMilli(timeMs)
                            + ", for which it was not asked; is it of another release?");
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
