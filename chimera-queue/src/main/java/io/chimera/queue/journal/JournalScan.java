package io.chimera.queue.journal;

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
 * Reads what the starts of a node have left: checks every batch and notes where it lies.
 *
 * <p>What follows the valid part of a file ({@link FileWalk}) is left aside; the files behind it are read on, and of each
 * stream only what follows without a gap is taken. So damage costs the streams that it hit and no other, it never keeps the
 * journal from opening, and what is missing comes from a peer.
 */
final class JournalScan {
    private static final Logger LOG = LoggerFactory.getLogger(JournalScan.class);

    private final StreamLogs logs;
    private final boolean isMarkKnown;
    private final ExcerptReader reader;
    private final List<RollFile> files = new ArrayList<>();
    private final List<FileReport> reports = new ArrayList<>();
    private SortedMap<Long, StreamTally> tallies = new TreeMap<>();
    private long batches;

    /**
     * A scan that has not begun.
     *
     * @param logs hold the bases by the low-water mark; take what is found
     * @param isMarkKnown false when the mark is lost: a stream then begins with the first batch that is found
     * @param reader is closed at the end
     */
    JournalScan(StreamLogs logs, boolean isMarkKnown, ExcerptReader reader) {
        this.logs = logs;
        this.isMarkKnown = isMarkKnown;
        this.reader = reader;
    }

    /** Reads the files of all starts, oldest first. */
    void read(List<Path> starts) throws IOException {
        try (reader) {
            for (Path start : starts) {
                for (Path path : JournalDirectory.files(start)) {
                    read(path);
                }
            }
        }
    }

    /** The files that were read, in that order. */
    List<RollFile> files() {
        return files;
    }

    /** What the files hold, in the same order. */
    List<FileReport> reports() {
        return reports;
    }

    /** Batches that were taken. */
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

    /** Tells the log what is wrong, a line per file; returns the number of files. */
    int reportDamage() {
        int damaged = 0;
        for (FileReport report : reports) {
            if (report.damage().isPresent()) {
                Damage damage = report.damage().get();
                LOG.error(
                        "Journal file {} is damaged: at byte {} there is {}. The {} batches before it are kept, what"
                                + " follows in this file is left aside and fetched from other queue nodes. See to the disk;"
                                + " 'chimera journal check' shows more, 'chimera journal repair' cuts it off.",
                        report.path(),
                        damage.offset(),
                        damage.what(),
                        report.batches());
                damaged++;
            } else if (report.batchesBehindGap() > 0) {
                LOG.error(
                        "Journal file {} is good, but {} of its {} batches follow a gap in their streams, which damage"
                                + " before them has left. They are left aside and fetched from other queue nodes.",
                        report.path(),
                        report.batchesBehindGap(),
                        report.batches());
                damaged++;
            }
        }
        return damaged;
    }
}
