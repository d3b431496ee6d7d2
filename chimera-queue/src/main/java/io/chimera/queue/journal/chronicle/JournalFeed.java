package io.chimera.queue.journal.chronicle;

import io.chimera.common.cluster.StreamRange;
import io.chimera.common.wire.BatchFeed;
import io.chimera.queue.journal.folder.JournalDirectory;
import io.chimera.queue.journal.index.RollFile;
import io.chimera.queue.journal.index.StreamLog;
import io.chimera.queue.journal.read.ExcerptReader;
import io.chimera.queue.journal.read.ExcerptReader.Found;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import org.agrona.DirectBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows one stream through the files of the journal, without locks. The position of the stream, published by the
 * journaler's thread once per batch, shows whether more batches are available.
 */
final class JournalFeed implements BatchFeed {
    private static final Logger LOG = LoggerFactory.getLogger(JournalFeed.class);

    private final ChronicleJournal journal;
    private final long stream;
    private final long upTo;
    private final boolean readsRetained;
    private final StreamLog.Place place = new StreamLog.Place();
    private final StreamLog.Place found = new StreamLog.Place();

    private ExcerptReader reader;
    private StreamLog log;
    private long wanted;

    JournalFeed(ChronicleJournal journal, ExcerptReader reader, StreamRange range, boolean readsRetained) {
        this.journal = journal;
        this.reader = reader;
        stream = range.stream();
        upTo = range.upTo();
        this.readsRetained = readsRetained;
        wanted = range.after() + 1;
    }

    @Override
    public Step next() {
        if (wanted > upTo) {
            return Step.END;
        }
        if (log == null) {
            log = journal.log(stream);
        }
        if (log == null || wanted > log.position()) {
            return Step.WAIT;
        }
        if (wanted <= log.base() && !(readsRetained && log.canRead(wanted))) {
            return Step.GAP;
        }
        try {
            return read();
        } catch (ClosedByInterruptException e) {
            place.move(-1, 0); // the thread is ending; otherwise the next read opens the file again
            return Step.WAIT;
        } catch (IOException e) {
            // Either the base has risen and the file was deleted during the read, or the disk fails.
            return wanted <= log.base() ? Step.GAP : gap(e.toString());
        }
    }

    private Step read() throws IOException {
        boolean isThere = reader.isOpen() || seek();
        while (isThere) {
            Found excerpt = reader.peek(place.offset());
            if (excerpt == Found.BATCH && reader.isOf(stream, wanted)) {
                return take();
            }
            isThere = (excerpt == Found.BATCH || excerpt == Found.METADATA) ? skip() : seek();
        }
        return gap("no batch at the indexed place");
    }

    private Step take() throws IOException {
        if (!reader.fetch()) {
            return gap("the batch is corrupt");
        }
        if (reader.firstSeq() > wanted) {
            return gap("the batch before record " + reader.firstSeq() + " is missing");
        }
        place.move(place.file(), reader.next());
        wanted = reader.lastSeq() + 1;
        return Step.BATCH;
    }

    /** Skips unwanted excerpts, as far as the index allows. */
    private boolean skip() throws IOException {
        boolean isKnown = log.locate(wanted, found);
        if (isKnown && found.file() > place.file()) {
            return seek();
        }
        boolean isAhead = isKnown && found.file() == place.file() && found.offset() > place.offset();
        place.move(place.file(), isAhead ? found.offset() : reader.next());
        return true;
    }

    /**
     * Moves to the place of the wanted record in the index; false when the index offers no later file than the current
     * one.
     */
    private boolean seek() throws IOException {
        if (!log.locate(wanted, found) || (reader.isOpen() && found.file() <= place.file())) {
            return false;
        }
        RollFile file = journal.file(found.file());
        if (file == null) {
            return false;
        }
        reader.open(file.path());
        place.move(found.file(), found.offset());
        return true;
    }

    private Step gap(String reason) {
        if (wanted > log.base()) {
            journal.damageFound();
            LOG.error(
                    "Cannot read record {} of stream {} from the journal: {} (file {}, byte {}). A peer must send it.",
                    wanted,
                    JournalDirectory.hex(stream),
                    reason,
                    journal.file(place.file()),
                    place.offset());
        }
        return Step.GAP;
    }

    @Override
    public DirectBuffer buffer() {
        return reader.buffer();
    }

    @Override
    public int offset() {
        return ExcerptReader.BATCH_OFFSET;
    }

    @Override
    public void close() {
        if (reader != null) {
            journal.giveBack(reader);
            reader = null;
        }
    }
}
