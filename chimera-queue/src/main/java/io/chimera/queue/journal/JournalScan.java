package io.chimera.queue.journal;

import io.chimera.queue.journal.ExcerptReader.Found;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads what earlier starts of the node have left, when the journal is opened: checks every batch and notes where it lies.
 *
 * <p>The valid part of a file ends with the first excerpt that is not a whole batch. What follows in that file is left
 * aside; the files behind it are read on, and of each stream only what follows without a gap is taken. So damage costs the
 * streams that it hit and no other, it never keeps the journal from opening, and what is missing comes from a peer.
 */
final class JournalScan {
    private static final Logger LOG = LoggerFactory.getLogger(JournalScan.class);

    private final StreamLogs logs;
    private final boolean isMarkKnown;
    private final boolean syncsFiles;
    private final ExcerptReader reader;
    private final List<RollFile> files = new ArrayList<>();
    private long batches;
    private long batchesLeftOut;

    /**
     * A scan that has not begun.
     *
     * @param logs hold the bases by the low-water mark; take what is found
     * @param isMarkKnown false when the mark is lost: a stream then begins with the first batch that is found
     * @param syncsFiles whether what is found counts as durable only after a sync
     * @param reader is closed at the end
     */
    JournalScan(StreamLogs logs, boolean isMarkKnown, boolean syncsFiles, ExcerptReader reader) {
        this.logs = logs;
        this.isMarkKnown = isMarkKnown;
        this.syncsFiles = syncsFiles;
        this.reader = reader;
    }

    /** Reads the files of all starts, oldest first. */
    List<RollFile> read(List<Path> starts) throws IOException {
        try (reader) {
            for (Path start : starts) {
                List<Path> paths = JournalDirectory.files(start);
                for (Path path : paths) {
                    read(path, path.equals(paths.get(paths.size() - 1)));
                }
            }
        }
        return files;
    }

    long batches() {
        return batches;
    }

    private void read(Path path, boolean isLast) throws IOException {
        RollFile file = new RollFile(files.size(), path);
        files.add(file);
        long end = 0;
        try {
            if (syncsFiles) {
                sync(path);
            }
            reader.open(path);
            end = walk(file, isLast);
        } catch (IOException e) {
            file.markDamaged();
            LOG.error("Journal file {} cannot be read: {}. It is left aside.", path, e.toString());
        }
        file.bytes(ChronicleWriter.bytesOnDisk(end, Files.size(path)));
    }

    private static void sync(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
            channel.force(false);
        }
    }

    /** Returns the end of the valid part. */
    private long walk(RollFile file, boolean isLast) throws IOException {
        long offset = 0;
        long excerpt = 0;
        batchesLeftOut = 0;
        Found found = reader.peek(offset);
        while (found == Found.BATCH || found == Found.METADATA) {
            if (found == Found.BATCH) {
                if (!reader.fetch()) {
                    reportDamage(file, excerpt, offset, "no whole batch");
                    return offset;
                }
                take(file, offset);
                excerpt++;
            }
            offset = reader.next();
            found = reader.peek(offset);
        }
        if (found == Found.NOTHING && !isLast) {
            reportDamage(file, excerpt, offset, "no end mark, though a later file was begun");
        }
        if (batchesLeftOut > 0) {
            file.markDamaged();
            LOG.error(
                    "{} batches in journal file {} follow a gap in their streams and are left aside.",
                    batchesLeftOut,
                    file.path());
        }
        return offset;
    }

    private void take(RollFile file, long offset) {
        StreamLog log = logs.at(reader.stream());
        long firstSeq = reader.firstSeq();
        long lastSeq = reader.lastSeq();
        if (!isMarkKnown && log.position() == 0) {
            log.raiseBase(firstSeq - 1);
        }
        if (log.holds(lastSeq)) {
            return; // below the mark, or fetched a second time after damage
        }
        if (log.isFollowedBy(firstSeq)) {
            log.add(firstSeq, lastSeq, file.ordinal(), offset);
            file.holds(log.stream(), lastSeq);
            batches++;
        } else {
            batchesLeftOut++;
        }
    }

    private static void reportDamage(RollFile file, long excerpt, long offset, String what) {
        file.markDamaged();
        LOG.error(
                "Journal file {} is damaged: excerpt {} at byte {} is {}. The {} excerpts before it are kept, what follows"
                        + " in this file is left aside; what is missing is fetched from peers.",
                file.path(),
                excerpt,
                offset,
                what,
                excerpt);
    }
}
