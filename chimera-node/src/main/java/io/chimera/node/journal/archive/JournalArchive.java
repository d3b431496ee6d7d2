package io.chimera.node.journal.archive;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.chimera.archive.server.volume.StoreDriver;
import io.chimera.archive.server.volume.StoreDriver.GaveUpException;
import io.chimera.archive.server.volume.Volume;
import io.chimera.archive.streamfs.store.StreamSettings;
import io.chimera.archive.streamfs.store.StreamStore;
import io.chimera.common.agent.Clock;
import io.chimera.common.config.VolumeConfig;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.queue.journal.retention.PastFile;
import io.chimera.queue.journal.retention.PastFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Archives journal files in a stream of a volume, in pieces ({@link JournalRecord}). One thread; {@link #close} from
 * another thread waits for the file under way. An interrupt ends the file under way.
 */
public final class JournalArchive implements PastFiles {
    /** Size of a piece: two pieces with headers fill a block of 1 MiB. */
    private static final int PIECE_BYTES = 500 << 10;

    private static final int HEADER_BYTES_MAX = 256;

    /** Time limit for the durability of a file; a slower file is not archived and is tried again. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Volume volume;
    private final StreamStore store;
    private final int stream;
    private final ByteBuffer bytes = ByteBuffer.allocateDirect(HEADER_BYTES_MAX + PIECE_BYTES);
    private final UnsafeBuffer buffer = new UnsafeBuffer(bytes);
    private final StoreDriver driver;

    private JournalArchive(Volume volume, VolumeConfig config, Clock clock) {
        this.volume = volume;
        store = volume.store();
        driver = new StoreDriver(store::doWork, PATIENCE, "", clock);
        stream = store.open(new StreamSettings(
                config.stream(), JournalRecord.KIND, config.guarantee().bytes()));
    }

    /**
     * Opens the volume. Creates the volume if none of its files exists.
     *
     * @param folder base of relative paths
     * @throws ChimeraException when the volume cannot be opened or created, or the guarantee does not fit
     */
    public static JournalArchive open(VolumeConfig config, Path folder, Clock clock) {
        Volume volume = Volume.openOrCreate(config, folder, clock);
        try {
            return new JournalArchive(volume, config, clock);
        } catch (RuntimeException e) {
            volume.close();
            throw e;
        }
    }

    @Override
    public synchronized void keep(PastFile file) throws IOException {
        driver.begin("Journal file " + file.name() + " is");
        try {
            append(file);
        } catch (GaveUpException e) {
            throw new ChimeraException(Category.WARN, e.getMessage(), e);
        }
    }

    private void append(PastFile file) throws IOException, GaveUpException {
        byte[] cycles = file.cycles().getBytes(UTF_8);
        if (cycles.length > JournalRecord.CYCLES_BYTES_MAX) {
            throw new ChimeraException(
                    Category.ERROR,
                    "Journal file " + file.name() + " has cycle information of " + cycles.length
                            + " bytes; the limit is " + JournalRecord.CYCLES_BYTES_MAX + ". Use longer cycles.");
        }
        try (FileChannel channel = FileChannel.open(file.path(), StandardOpenOption.READ)) {
            for (long place = 0; place < file.bytes(); ) {
                int begin = JournalRecord.write(buffer, file, place, cycles.length);
                bytes.clear().position(begin).limit(begin + (int) Math.min(PIECE_BYTES, file.bytes() - place));
                int length = bytes.remaining();
                fill(channel, place);
                append(begin + length, file);
                place += length;
            }
        }
        for (int at = 0; at < cycles.length; ) {
            int begin = JournalRecord.write(buffer, file, file.bytes() + at, cycles.length);
            int length = Math.min(PIECE_BYTES, cycles.length - at);
            buffer.putBytes(begin, cycles, at, length);
            append(begin + length, file);
            at += length;
        }
        store.sync();
        while (store.durable(stream) < store.appended(stream)) {
            driver.turn();
        }
    }

    /** Reads a piece. Pre-allocated blocks at the end of the file may be missing; they are zeros. */
    private void fill(FileChannel channel, long place) throws IOException {
        long at = place;
        while (bytes.hasRemaining()) {
            int read = channel.read(bytes, at);
            if (read < 0) {
                while (bytes.hasRemaining()) {
                    bytes.put((byte) 0);
                }
                return;
            }
            at += read;
        }
    }

    private void append(int length, PastFile file) throws GaveUpException {
        long timeNs = TimeUnit.MILLISECONDS.toNanos(file.lastMs());
        while (store.append(stream, timeNs, buffer, 0, length) == null) {
            driver.turn();
        }
        store.doWork();
    }

    @Override
    public synchronized void close() {
        volume.close();
    }
}
