package io.chimera.queue.journal.chronicle;

import io.chimera.common.agent.Clock;
import io.chimera.queue.journal.JournalSettings;
import io.chimera.queue.journal.folder.JournalDirectory;
import io.chimera.queue.journal.folder.JournalDisk;
import io.chimera.queue.journal.index.RollFile;
import io.chimera.queue.journal.index.RollFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;

/** The file being written, in the Chronicle queue of this start. The journaler's thread. */
final class CurrentFile implements AutoCloseable {
    private final JournalDirectory directory;
    private final JournalDisk disk;
    private final RollFiles files;
    private final Clock clock;
    private ChronicleWriter writer;
    private long begunNs;

    /** Creates the queue of this start, without a file. */
    CurrentFile(JournalDirectory directory, JournalDisk disk, RollFiles files, Clock clock) throws IOException {
        this.directory = directory;
        this.disk = disk;
        this.files = files;
        this.clock = clock;
        writer = new ChronicleWriter(directory.nextStart(), disk);
    }

    /** Whether a file is being written. */
    boolean exists() {
        return writer.hasFile();
    }

    /** Whether a file is the file being written. */
    boolean is(RollFile file) {
        return writer.hasFile() && file == files.last();
    }

    /** Whether the file has reached its size or age. */
    boolean isDone(JournalSettings settings) {
        return writer.end() >= settings.roll().bytes()
                || clock.nanoTime() - begunNs
                        >= TimeUnit.MILLISECONDS.toNanos(settings.roll().ms());
    }

    /** Folder of this start. */
    Path folder() {
        return writer.folder();
    }

    /** Additional disk bytes for an append of the given length; 0 when the blocks exist already. */
    long bytesNeeded(int length) {
        return writer.bytesNeeded(length);
    }

    /** Begins the next file. */
    void begin() throws IOException {
        files.begin(writer.roll(TimeUnit.NANOSECONDS.toSeconds(clock.epochNs())));
        begunNs = clock.nanoTime();
    }

    /** Leaves the file; the next append needs a new file. */
    void leave() {
        writer.leave();
    }

    /** Ensures that the disk has blocks for an append. */
    void allocate(int length) throws IOException {
        writer.allocate(length);
        files.last().bytes(writer.bytesAllocated());
    }

    /** Appends a batch; returns the place of the batch in the file. */
    long append(DirectBuffer buffer, int offset, int length) {
        return writer.append(buffer, offset, length);
    }

    /** Makes the file durable; false when the thread was interrupted. */
    boolean sync() throws IOException {
        return writer.sync();
    }

    /** Closes the file in Chronicle, too: the disk frees the blocks of a deleted file only then. */
    void replaceQueue() throws IOException {
        writer.close();
        writer = new ChronicleWriter(directory.nextStart(), disk);
    }

    @Override
    public void close() throws IOException {
        writer.close();
    }
}
