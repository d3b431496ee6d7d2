package io.chimera.queue.journal.chronicle;

import io.chimera.queue.journal.folder.JournalDirectory;
import io.chimera.queue.journal.index.RollFile;
import io.chimera.queue.journal.index.StreamLog;
import io.chimera.queue.journal.index.StreamLogs;
import io.chimera.queue.journal.read.Damage;
import io.chimera.queue.journal.read.ExcerptReader;
import io.chimera.queue.journal.read.FileReport;
import io.chimera.queue.journal.read.FileWalk;
import io.chimera.queue.journal.read.StreamTally;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Scans the files of earlier starts: checks every batch and indexes its place.
 *
 * <p>The scan skips the rest of a file after its valid part ({@link FileWalk}) and continues with the next file. The
 * scan accepts a batch only if the batch follows the stream without a gap. So damage affects only the streams of the
 * damaged part, never prevents the journal from opening, and peers send the missing batches.
 */
public final class JournalScan {
    private static final Logger LOG = LoggerFactory.getLogger(JournalScan.class);

    private final StreamLogs logs;
    private final boolean isMarkKnown;
    private final ExcerptReader reader;
    private final List<RollFile> files = new ArrayList<>();
    private final List<FileReport> reports = new ArrayList<>();
    private SortedMap<Long, StreamTally> tallies = new TreeMap<>();
    private long batches;

    /**
     * Creates a scan.
     *
     * @param logs streams with the bases of the low-water mark; receives the batches found
     * @param isMarkKnown false when the mark is lost: each stream then begins with its first batch
     * @param reader reader of the scan; closed at the end
     */
    public JournalScan(StreamLogs logs, boolean isMarkKnown, ExcerptReader reader) {
        this.logs = logs;
        this.isMarkKnown = isMarkKnown;
        this.reader = reader;
    }

    /** Reads the files of all starts, oldest first. */
    public void read(List<Path> starts) throws IOException {
        try (reader) {
            for (Path start : starts) {
                for (Path path : JournalDirectory.files(start)) {
                    read(path);
                }
            }
        }
    }

    /** The files in the order of reading. */
    List<RollFile> files() {
        return files;
    }

    /** The contents of the files, in the same order. */
    public List<FileReport> reports() {
        return reports;
    }

    /** Number of accepted batches. */
    long batches() {
        return batches;
    }

    private void read(Path path) throws IOException {
        RollFile file = new RollFile(files.size(), path);
        tallies = new TreeMap<>();
        FileWalk.End end = new FileWalk(reader).walk(path, (batch, offset) -> take(file, offset));
        long size = Files.size(path);
        FileReport report = new FileReport(path, size, end.offset(), end.batches(), tallies, end.damage());
        if (report.damage().isPresent() || report.batchesBehindGap() > 0) {
            file.markDamaged();
        }
        file.bytes(ChronicleWriter.bytesOnDisk(end.offset(), size));
        files.add(file);
        reports.add(report);
    }

    private boolean take(RollFile file, long offset) {
        StreamLog log = logs.at(reader.stream());
        StreamTally tally = tallies.computeIfAbsent(log.stream(), stream -> new StreamTally());
        tally.add(reader);
        long firstSeq = reader.firstSeq();
        long lastSeq = reader.lastSeq();
        if (!isMarkKnown && log.position() == 0) {
            log.raiseBase(firstSeq - 1);
        }
        if (lastSeq <= log.base()) {
            log.retain(firstSeq, lastSeq, file.ordinal(), offset);
            file.holds(log.stream(), lastSeq);
            return true;
        }
        if (log.holds(lastSeq)) {
            return true; // fetched a second time after damage
        }
        if (log.isFollowedBy(firstSeq)) {
            log.add(firstSeq, lastSeq, file.ordinal(), offset);
            file.holds(log.stream(), lastSeq);
            batches++;
        } else {
            tally.addBehindGap();
        }
        return true;
    }

    /** Logs all damage, with one line per file, and returns the number of files. */
    int reportDamage() {
        int damaged = 0;
        for (FileReport report : reports) {
            if (report.damage().isPresent()) {
                Damage damage = report.damage().get();
                LOG.error(
                        "Journal file {} is damaged: at byte {} there is {}. Kept the {} batches before it. The rest"
                                + " of the file is skipped and fetched from other queue nodes. Check the disk; see also"
                                + " 'chimera journal check' and 'chimera journal repair'.",
                        report.path(),
                        damage.offset(),
                        damage.what(),
                        report.batches());
                damaged++;
            } else if (report.batchesBehindGap() > 0) {
                LOG.error(
                        "Journal file {} is intact, but {} of its {} batches follow a gap in their streams from earlier"
                                + " damage. These batches are skipped and fetched from other queue nodes.",
                        report.path(),
                        report.batchesBehindGap(),
                        report.batches());
                damaged++;
            }
        }
        return damaged;
    }
}
