package io.chimera.queue.journal;

import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;

/** Shows the whole batches of a journal file by file, also those that a node would leave aside. Changes nothing. */
public final class JournalDump {
    private JournalDump() {}

    /** Is shown each batch. */
    @FunctionalInterface
    public interface Visitor {
        /**
         * Takes a batch.
         *
         * @param file that holds it
         * @param place of its excerpt in the file
         * @param buffer holds the batch until this returns
         * @param offset of the batch in the buffer
         * @return whether to go on
         */
        boolean onBatch(Path file, long place, DirectBuffer buffer, int offset);
    }

    /**
     * A damaged file, which was read up to there.
     *
     * @param path of the file
     * @param damage where reading ended, and why
     */
    public record Cut(Path path, Damage damage) {}

    /**
     * Reads a journal, oldest file first.
     *
     * @param named its folder, or the data folder of its node
     * @return the files that were not read to their end
     * @throws ChimeraException when there is none, or it is of another layout
     */
    public static List<Cut> read(Path named, Visitor visitor) {
        List<Cut> cuts = new ArrayList<>();
        try (ExcerptReader reader = ExcerptReader.make()) {
            Wish wish = new Wish(visitor);
            for (Path start : JournalDirectory.starts(JournalDirectory.find(named))) {
                for (Path file : JournalDirectory.files(start)) {
                    if (wish.goesOn) {
                        new FileWalk(reader)
                                .walk(file, (batch, place) -> wish.show(file, place, batch))
                                .damage()
                                .ifPresent(damage -> cuts.add(new Cut(file, damage)));
                    }
                }
            }
            return cuts;
        } catch (IOException e) {
            throw new ChimeraException(Category.ERROR, "The journal in " + named + " cannot be read: " + e + ".", e);
        }
    }

    /** Whether the visitor wants more. */
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
