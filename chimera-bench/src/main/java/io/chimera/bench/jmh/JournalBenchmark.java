package io.chimera.bench.jmh;

import io.chimera.bench.load.PointRecords;
import io.chimera.bench.load.PointShape;
import io.chimera.common.agent.SystemClock;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.StreamRange;
import io.chimera.common.wire.BatchFeed;
import io.chimera.common.wire.BatchLayout;
import io.chimera.queue.journal.DiskLimits;
import io.chimera.queue.journal.Journal;
import io.chimera.queue.journal.JournalSettings;
import io.chimera.queue.journal.RollLimits;
import io.chimera.queue.journal.SyncPolicy;
import io.chimera.queue.journal.SyncSchedule;
import io.chimera.queue.journal.chronicle.ChronicleJournal;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Measures batches of 500-byte points into the journal, and the same bytes into a plain file. Each writer starts a new
 * file after 64 MiB and deletes data older than half a gigabyte, so that the page cache is as cold as in a running
 * node.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class JournalBenchmark {
    private static final long STREAM = 1;
    private static final long FILE_BYTES = 64L << 20;
    private static final long KEPT_BYTES = 512L << 20;

    /** Points per batch: one request with points of 1,000 series. */
    private static final int BATCH = 3_000;

    /** Batches of a cycle of 600,000 points, about 120 MB. */
    private static final int READ_BATCHES = 200;

    /** Bytes per write to the plain file. */
    private static final int WRITE_BYTES = 64 << 10;

    /** Location of the journal: {@code disk}, next to the source tree, or {@code tmpfs}. */
    @Param("disk")
    public String place;

    /** Points per call. A larger bulk than a batch holds goes into several batches of equal size. */
    @Param("" + BATCH)
    public int bulk;

    /** Sync policy: {@code NONE}, or {@code INTERVAL} with a sync every 100 ms on the thread of the appends. */
    @Param("NONE")
    public SyncPolicy sync;

    private final CRC32C crc = new CRC32C();
    private int batches;
    private int points;
    private int length;
    private UnsafeBuffer batch;
    private Path path;
    private ChronicleJournal journal;
    private long lastSeq;
    private long bytes;
    private long writtenFiles;
    private FileChannel file;
    private BatchFeed feed;

    /** Opens the journal and fills a batch. */
    @Setup(Level.Trial)
    public void open() throws IOException {
        points = batchPoints(bulk);
        batches = bulk / points;
        PointRecords records = PointRecords.of(PointShape.FOUR_FIELDS, points);
        length = BatchLayout.HEADER_LENGTH + records.length();
        batch = new UnsafeBuffer(ByteBuffer.allocateDirect(length));
        Path target =
                place.equals("tmpfs") ? Path.of("/dev/shm") : Path.of(System.getProperty("chimera.home", ""), "target");
        path = Files.createTempDirectory(Files.createDirectories(target), "journal-benchmark");
        journal = ChronicleJournal.open(
                new JournalSettings(
                        path.resolve("journal"),
                        new SyncSchedule(sync, 100),
                        new DiskLimits(8L << 30, 0),
                        new RollLimits(FILE_BYTES, 3_600_000)),
                "bench",
                new SystemClock());
        batch.putBytes(BatchLayout.HEADER_LENGTH, records.buffer(), 0, records.length());
    }

    /** Returns the points of each batch of a bulk. */
    public static int batchPoints(int bulk) {
        return bulk / ((bulk + BATCH - 1) / BATCH);
    }

    /** Deletes all files. */
    @TearDown(Level.Trial)
    public void close() throws IOException {
        journal.close();
        if (file != null) {
            file.close();
        }
        try (Stream<Path> files = Files.walk(path)) {
            for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }

    private void sealNext() {
        BatchLayout.seal(batch, 0, length, STREAM, lastSeq + 1, points, crc);
        lastSeq += points;
    }

    /** Numbers and seals a batch, as the journaler does. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long seal() {
        sealNext();
        return lastSeq;
    }

    /** Seals and appends a bulk; with a policy of syncs, gives the journal the occasion for a sync. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long append() {
        for (int i = 0; i < batches; i++) {
            appendNext();
        }
        if (sync != SyncPolicy.NONE) {
            journal.sync();
        }
        return lastSeq;
    }

    private void appendNext() {
        sealNext();
        if (journal.append(batch, 0, length) != Journal.Appended.OK) {
            throw new IllegalStateException("The journal refuses a batch: " + journal.trouble());
        }
        bytes += length;
        if (bytes >= KEPT_BYTES) {
            journal.truncate(Positions.of(STREAM, lastSeq - points));
            bytes = 0;
        }
    }

    /** Finds, reads and checks a batch of a cycle, as a replay does. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long read() {
        if (lastSeq == 0) {
            for (int i = 0; i < READ_BATCHES; i++) {
                append();
            }
        }
        BatchFeed.Step step = feed == null ? BatchFeed.Step.END : feed.next();
        if (step == BatchFeed.Step.END) {
            reopen();
            step = feed.next();
        }
        if (step != BatchFeed.Step.BATCH) {
            throw new IllegalStateException("A batch is missing.");
        }
        return lastSeq;
    }

    private void reopen() {
        if (feed != null) {
            feed.close();
        }
        feed = journal.feed(new StreamRange(STREAM, 0, lastSeq));
    }

    /** Writes the same bytes to a file, as the limit. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public int writeToFile() throws IOException {
        if (file == null || file.position() >= FILE_BYTES) {
            nextFile();
        }
        ByteBuffer source = batch.byteBuffer().duplicate().limit(length);
        while (source.position() < length) {
            source.limit(Math.min(length, source.position() + WRITE_BYTES));
            file.write(source);
        }
        return length;
    }

    private void nextFile() throws IOException {
        if (file != null) {
            file.close();
        }
        file = FileChannel.open(
                path.resolve("file-" + writtenFiles), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        writtenFiles++;
        Files.deleteIfExists(path.resolve("file-" + (writtenFiles - KEPT_BYTES / FILE_BYTES)));
    }
}
