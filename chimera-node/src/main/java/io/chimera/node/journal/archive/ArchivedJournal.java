package io.chimera.node.journal.archive;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.chimera.archive.streamfs.store.RecordView;
import io.chimera.archive.streamfs.store.StreamCursor;
import io.chimera.archive.streamfs.store.StreamReader;
import io.chimera.archive.streamfs.store.StreamStatus;
import io.chimera.archive.streamfs.store.StreamStore;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.queue.journal.offline.JournalRestore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Reads journal files from a stream of a volume, and restores the files of a time span. One thread. */
public final class ArchivedJournal {
    private final StreamStore store;
    private final StreamStatus stream;
    private final JournalRecord piece = new JournalRecord();
    private final List<String> damaged = new ArrayList<>();
    private String current = "";
    private long expected;
    private long fileBytes;
    private byte[] cycles = new byte[0];
    private long bytes;

    /**
     * Opens the journal files of a stream.
     *
     * @throws ChimeraException when the volume has no such stream of journal files
     */
    public ArchivedJournal(StreamStore store, String name) {
        this.store = store;
        stream = store.streams().stream()
                .filter(one -> one.settings().name().equals(name)
                        && one.settings().kind().equals(JournalRecord.KIND))
                .findFirst()
                .orElseThrow(() -> new ChimeraException(
                        Category.ERROR,
                        "There is no stream " + name + " of journal files. List the streams with chimera archive ls."));
    }

    /**
     * Restores every file that was written within a time span and is missing in the journal. Bounds are inclusive, in
     * ms since 1970.
     */
    public void restore(JournalRestore into, long afterMs, long beforeMs) {
        RecordView record = new RecordView();
        try (StreamReader reader = store.reader();
                StreamCursor cursor =
                        reader.cursor(stream.stream(), TimeUnit.MILLISECONDS.toNanos(Math.max(0, afterMs)))) {
            Step step = next(cursor, record);
            while (step != Step.END) {
                if (step == Step.PIECE) {
                    take(into, afterMs, beforeMs);
                }
                step = next(cursor, record);
            }
        }
    }

    private enum Step {
        PIECE,
        DAMAGED,
        END
    }

    private Step next(StreamCursor cursor, RecordView record) {
        try {
            if (!cursor.next(record)) {
                return Step.END;
            }
            piece.wrap(record.buffer());
            return Step.PIECE;
        } catch (ChimeraException e) {
            damaged.add(e.getMessage()); // the current file lacks a piece
            current = "";
            return Step.DAMAGED;
        }
    }

    private void take(JournalRestore into, long afterMs, long beforeMs) {
        String name = piece.name();
        if (piece.place() == 0) {
            boolean isWanted = piece.lastMs() >= afterMs && piece.firstMs() <= beforeMs && into.lacks(name);
            current = isWanted ? name : "";
            expected = 0;
            if (isWanted) {
                fileBytes = piece.fileBytes();
                cycles = new byte[(int) piece.cyclesBytes()];
                into.begin(name);
            }
        }
        if (!piece.isOf(current, fileBytes, cycles.length) || piece.place() != expected) {
            current = "";
            return;
        }
        write(into);
        expected += piece.pieceBytes();
        if (piece.isLast()) {
            into.end(new String(cycles, UTF_8));
            bytes += piece.fileBytes();
            current = "";
        }
    }

    private void write(JournalRestore into) {
        long place = piece.place();
        if (place < piece.fileBytes()) {
            into.write(place, piece.buffer(), piece.pieceAt(), piece.pieceBytes());
        } else {
            piece.buffer().getBytes(piece.pieceAt(), cycles, (int) (place - piece.fileBytes()), piece.pieceBytes());
        }
    }

    /** Returns the total size of the restored files in bytes. */
    public long bytes() {
        return bytes;
    }

    /** Returns descriptions of the unreadable records. */
    public List<String> damaged() {
        return damaged;
    }
}
