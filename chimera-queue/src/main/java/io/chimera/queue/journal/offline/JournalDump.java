package io.chimera.queue.journal.offline;

import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.queue.journal.folder.JournalDirectory;
import io.chimera.queue.journal.read.Damage;
import io.chimera.queue.journal.read.ExcerptReader;
import io.chimera.queue.journal.read.FileWalk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;

/** Shows the whole batches of a journal file by file, including batches that a node would skip. Changes no file. */
public final class JournalDump {
    private JournalDump() {}

    /** Receives each batch. */
    @FunctionalInterface
    public interface Visitor {
        /**
         * Processes a batch.
         *
         * @param file file of the batch
         * @param place offset of the excerpt in the file
         * @param buffer buffer with the batch, valid during the call
         * @param offset offset of the batch in the buffer
         * @return whether to continue
         */
        boolean onBatch(Path file, long place, DirectBuffer buffer, int offset);
    }

    /**
     * A damaged file, read only up to the damage.
     *
     * @param path path of the file
     * @param damage end of the read part, and its reason
     */
    public record Cut(Path path, Damage damage) {}

    /**
     * Reads a journal, or the journals of all lanes of a node in order, oldest file first.
     *
     * @param named folder of the journal, or data folder of the node
     * @return the files with unread parts
     * @throws ChimeraException when there is no journal, or the journal has another layout
     */
    public static List<Cut> read(Path named, Visitor visitor) {
        List<Cut> cuts = new ArrayList<>();
        try (ExcerptReader reader = ExcerptReader.make()) {
            Wish wish = new Wish(visitor);
            for (Path folder : JournalDirectory.findAll(named)) {
                read(folder, reader, wish, cuts);
            }
            return cuts;
        } catch (IOException e) {
            throw new ChimeraException(Category.ERROR, "The journal in " + named + " cannot be read: " + e + ".", e);
        }
    }

    private static void read(Path folder, ExcerptReader reader, Wish wish, List<Cut> cuts) throws IOException {
        for (Path start : JournalDirectory.starts(folder)) {
            for (Path file : JournalDirectory.files(start)) {
                if (wish.goesOn) {
                    new FileWalk(reader)
                            .walk(file, (batch, place) -> wish.show(file, place, batch))
                            .damage()
                            .ifPresent(damage -> cuts.add(new Cut(file, damage)));
                }
            }
        }
    }

    /** Remembers whether the visitor wants more batches. */
    private static final class Wish {
        private final Visitor visitor;
        private boolean goesOn = true;

        Wish(Visitor visitor) {
            this.visitor = visitor;
        }

        boolean show(Path file, long place, ExcerptReader batch) {
            goesOn = visitor.onBatch(file, place, batch.buffer(), ExcerptReader.BATCH_OFFSET);
            return goesOn;
        }
    }
}
