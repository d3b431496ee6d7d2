package io.chimera.queue.journal.read;

import io.chimera.queue.journal.read.ExcerptReader.Found;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Walks the batches of one file and finds the end of its valid part: the first excerpt of unknown form, or the first
 * batch with a wrong checksum or malformed records. Opening, check, repair and dump of a journal all use this class, so
 * the results always agree. One thread.
 *
 * <p>After the last excerpt of an intact file follows Chronicle's end mark, or zeros, because blocks are allocated
 * ahead of the writer. So a file that ends right after an excerpt was truncated, and any other bytes after the last
 * excerpt are unreadable written data.
 */
public final class FileWalk {
    private final ExcerptReader reader;

    /** Creates a walk. The walk leaves the reader open on the file. */
    public FileWalk(ExcerptReader reader) {
        this.reader = reader;
    }

    /** Receives each whole batch. */
    @FunctionalInterface
    public interface Visitor {
        /**
         * Processes a batch; the reader holds the batch during the call.
         *
         * @param offset offset of the excerpt in the file
         * @return whether to continue
         */
        boolean onBatch(ExcerptReader batch, long offset);
    }

    /**
     * End of the valid part.
     *
     * @param offset offset of the first byte after the valid part
     * @param batches number of batches in the valid part
     * @param damage reason for the end, empty when no more data follows
     */
    public record End(long offset, long batches, Optional<Damage> damage) {}

    /**
     * Shows every batch of the valid part to the visitor. For an unreadable file the valid part ends at the first read
     * error.
     */
    public End walk(Path path, Visitor visitor) {
        long offset = 0;
        long batches = 0;
        try {
            reader.open(path);
            Found found = reader.peek(offset);
            while (found == Found.BATCH || found == Found.METADATA) {
                if (reader.fetchWhole() != (found == Found.BATCH)) {
                    return damaged(
                            offset, batches, found == Found.BATCH ? "a corrupt batch" : "a batch with a bad header");
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
            return damaged(offset, batches, "an unreadable range (" + e + ")");
        }
    }

    private End end(Found found, long offset, long batches) throws IOException {
        return switch (found) {
            case CUT -> damaged(offset, batches, "the end of a truncated file");
            case UNFINISHED -> damaged(offset, batches, "an unfinished batch");
            case NOTHING ->
                reader.isBlank()
                        ? new End(offset, batches, Optional.empty())
                        : damaged(offset, batches, "a hole, followed by data");
            default -> new End(offset, batches, Optional.empty());
        };
    }

    private static End damaged(long offset, long batches, String what) {
        return new End(offset, batches, Optional.of(new Damage(offset, what)));
    }
}
