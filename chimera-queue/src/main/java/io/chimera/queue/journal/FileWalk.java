package io.chimera.queue.journal;

import io.chimera.queue.journal.ExcerptReader.Found;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Walks the batches of one file and decides where its valid part ends: with the first excerpt that is not what Chronicle
 * writes, or with a batch whose checksum or records are wrong. Opening, checking, repairing and dumping a journal all ask
 * here, so they never disagree. One thread.
 *
 * <p>Behind the last excerpt of a file stands Chronicle's end mark, or zeros: blocks are laid ready ahead of the writer. So
 * a file that ends there was cut, and anything but zeros there was written and is not readable any more.
 */
final class FileWalk {
    private final ExcerptReader reader;

    /** A walk that reads through the given reader and leaves it open on the file. */
    FileWalk(ExcerptReader reader) {
        this.reader = reader;
    }

    /** Is shown each whole batch. */
    @FunctionalInterface
    interface Visitor {
        /**
         * Takes a batch, which stands in the reader until this returns.
         *
         * @param offset of its excerpt in the file
         * @return whether to go on
         */
        boolean onBatch(ExcerptReader batch, long offset);
    }

    /**
     * Where the valid part ends.
     *
     * @param offset of the first byte behind it
     * @param batches in it
     * @param damage why it ends there, empty when there is no more
     */
    record End(long offset, long batches, Optional<Damage> damage) {}

    /** Shows every batch of the valid part. A file that cannot be read ends where reading failed. */
    End walk(Path path, Visitor visitor) {
        long offset = 0;
        long batches = 0;
        try {
            reader.open(path);
            Found found = reader.peek(offset);
            while (found == Found.BATCH || found == Found.METADATA) {
                if (reader.fetchWhole() != (found == Found.BATCH)) {
                    return damaged(
                            offset, batches, found == Found.BATCH ? "no whole batch" : "a batch with a wrong mark");
                }
                if (found == Found.BATCH) {
                    batches++;
                    if (!visitor.onBatch(reader, offset)) {
                        return new End(reader.next(), batches, Optional.empty());
                    }
                }
                offset = reader.next();
                found = reader.peek(offset);
            }
            return end(found, offset, batches);
        } catch (IOException e) {
            return damaged(offset, batches, "not readable (" + e + ")");
        }
    }

    private End end(Found found, long offset, long batches) throws IOException {
        return switch (found) {
            case CUT -> damaged(offset, batches, "the end of the file, which was longer");
            case UNFINISHED -> damaged(offset, batches, "a batch that was not written to its end");
            case NOTHING ->
                reader.isBlank()
                        ? new End(offset, batches, Optional.empty())
                        : damaged(offset, batches, "a hole, with something behind it");
            default -> new End(offset, batches, Optional.empty());
        };
    }

    private static End damaged(long offset, long batches, String what) {
        return new End(offset, batches, Optional.of(new Damage(offset, what)));
    }
}
