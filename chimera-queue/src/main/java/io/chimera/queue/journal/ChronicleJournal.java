package io.chimera.queue.journal;

import io.chimera.common.agent.Clock;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.common.wire.BatchFeed;
import io.chimera.common.wire.BatchLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.ManyToManyConcurrentArrayQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The journal over Chronicle Queue's memory-mapped files (Chimera 2017, III-C3): one excerpt per batch, the batch's bytes as
 * they came. {@link JournalDirectory} draws the folder, {@link ChronicleWriter} says how a full disk is kept from losing
 * anything.
 */
public final class ChronicleJournal implements Journal {
    private static final Logger LOG = LoggerFactory.getLogger(ChronicleJournal.class);

    /** Readers that are kept for the next feed: 16 x 512 KiB. */
    private static final int READERS_KEPT = 16;

    /** A full disk is asked again after so long, instead of with every poll. */
    private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private final JournalSettings settings;
    private final Clock clock;
    private final JournalDirectory directory;
    private final LowWaterFile lowWater;
    private final StreamLogs logs = new StreamLogs();
    private final ManyToManyConcurrentArrayQueue<ExcerptReader> readers =
            new ManyToManyConcurrentArrayQueue<>(READERS_KEPT);

    private ChronicleWriter writer;
    private SortedMap<Long, Long> mark;
    private int nextOrdinal;
    private volatile RollFile[] files;
    private volatile long bytes;
    private volatile String trouble = "";
    private boolean isBroken;
    private boolean isDirty;
    private long fileBegunNs;
    private long syncedNs;
    private long refusedNs;

    private ChronicleJournal(JournalSettings settings, Clock clock, JournalDirectory directory) throws IOException {
        this.settings = settings;
        this.clock = clock;
        this.directory = directory;
        long beganNs = clock.nanoTime();
        lowWater = new LowWaterFile(settings.directory());
        Optional<SortedMap<Long, Long>> known = lowWater.read();
        mark = known.orElseGet(TreeMap::new);
        lowWater.makeReady();
        logs.raise(mark, mark);
        writer = new ChronicleWriter(directory.nextStart());
        JournalScan scan = new JournalScan(logs, known.isPresent(), settings.sync() != SyncPolicy.NONE, borrowReader());
        files = scan.read(directory.starts()).toArray(RollFile[]::new);
        nextOrdinal = files.length;
        logs.becomeDurable();
        countBytes();
        syncedNs = clock.nanoTime();
        LOG.info(
                "Opened journal {}: {} batches of {} streams in {} files, {} MiB, checked in {} ms.",
                settings.directory(),
                scan.batches(),
                durables().size(),
                files.length,
                bytes >> 20,
                TimeUnit.NANOSECONDS.toMillis(syncedNs - beganNs));
    }

    /**
     * Opens the journal, or begins one. Damage is reported in the log and never keeps it from opening.
     *
     * @throws ChimeraException when the folder is in use or cannot be read
     */
    public static ChronicleJournal open(JournalSettings settings, Clock clock) {
        JournalDirectory directory = null;
        try {
            directory = new JournalDirectory(settings.directory());
            return new ChronicleJournal(settings, clock, directory);
        } catch (RuntimeException e) {
            CloseHelper.quietClose(directory);
            throw e;
        } catch (IOException e) {
            CloseHelper.quietClose(directory);
            throw new ChimeraException(
                    Category.FATAL,
                    "The journal " + settings.directory() + " cannot be opened: " + e
                            + ". See that the folder can be read and written by this user.",
                    e);
        }
    }

    @Override
    public Appended append(DirectBuffer buffer, int offset, int length) {
        long stream = BatchLayout.stream(buffer, offset);
        long firstSeq = BatchLayout.firstSeq(buffer, offset);
        long lastSeq = firstSeq + BatchLayout.count(buffer, offset) - 1;
        StreamLog log = logs.find(stream);
        if (log == null ? firstSeq != 1 : !log.isFollowedBy(firstSeq) || log.holds(lastSeq)) {
            return log != null && log.holds(lastSeq) ? Appended.DUPLICATE : Appended.GAP;
        }
        if (!makeRoom(length)) {
            return Appended.FULL;
        }
        long place;
        try {
            place = writer.append(buffer, offset, length);
        } catch (InternalError | RuntimeException e) {
            fail("cannot be written: " + e, e);
            return Appended.FULL;
        }
        RollFile file = files[files.length - 1];
        file.holds(stream, lastSeq);
        if (log == null) {
            log = logs.at(stream);
        }
        log.add(firstSeq, lastSeq, file.ordinal(), place);
        if (settings.sync() == SyncPolicy.NONE) {
            log.becomeDurable();
        } else {
            isDirty = true;
        }
        return Appended.OK;
    }

    /** Sees to it that the disk has blocks for a batch and all that Chronicle writes with it. */
    private boolean makeRoom(int length) {
        if (isBroken || (!trouble.isEmpty() && clock.nanoTime() - refusedNs < RETRY_NS)) {
            return false;
        }
        if (writer.hasFile() && !isFileDone() && writer.bytesNeeded(length) == 0) {
            return true;
        }
        try {
            return allocate(length);
        } catch (ClosedByInterruptException e) {
            return false; // the thread is about to end; should it not, the file is opened again
        } catch (IOException e) {
            refuse("the disk of " + settings.directory() + " refuses: " + e.getMessage()
                    + ". Free some space there; nothing is lost, senders are made to wait");
            return false;
        }
    }

    private boolean isFileDone() {
        return writer.end() >= settings.fileBytes()
                || clock.nanoTime() - fileBegunNs >= TimeUnit.MILLISECONDS.toNanos(settings.fileMs());
    }

    private boolean allocate(int length) throws IOException {
        if (writer.hasFile() && isFileDone()) {
            if (!syncFile()) {
                return false;
            }
            writer.leave();
        }
        if (bytes + writer.bytesNeeded(length) > settings.bytesMax()) {
            refuse(
                    "the journal " + settings.directory() + " has reached journal.max_bytes (" + settings.bytesMax()
                            + "). It shrinks when cycles are committed: look at the processors and the store, or raise the limit");
            return false;
        }
        if (settings.reserveBytes() > 0
                && directory.bytesFree() - writer.bytesNeeded(length) < settings.reserveBytes()) {
            refuse("the disk of " + settings.directory() + " has less than journal.reserve (" + settings.reserveBytes()
                    + " bytes) free. Free some space there; nothing is lost, senders are made to wait");
            return false;
        }
        if (!writer.hasFile()) {
            beginFile();
        }
        writer.allocate(length);
        files[files.length - 1].bytes(writer.bytesAllocated());
        countBytes();
        if (!trouble.isEmpty()) {
            trouble = "";
            LOG.info("The journal {} takes data points again.", settings.directory());
        }
        return true;
    }

    private void beginFile() throws IOException {
        Path path = writer.roll(TimeUnit.NANOSECONDS.toSeconds(clock.epochNs()));
        RollFile[] present = files;
        RollFile[] more = Arrays.copyOf(present, present.length + 1);
        more[present.length] = new RollFile(nextOrdinal, path);
        nextOrdinal++;
        files = more;
        fileBegunNs = clock.nanoTime();
    }

    private void refuse(String reason) {
        refusedNs = clock.nanoTime();
        if (!reason.equals(trouble)) {
            LOG.error("The journal takes no data points: {}.", reason);
            trouble = reason;
        }
    }

    /** What was written to the file last may be lost: only a new start, which checks what is there, makes sense of it. */
    private void fail(String reason, Throwable cause) {
        isBroken = true;
        trouble = "the journal " + settings.directory() + " " + reason + ". Look after the disk, then restart the node";
        LOG.error("The journal takes no data points: {}.", trouble, cause);
    }

    @Override
    public void sync() {
        if (!isDirty || isBroken) {
            return;
        }
        long nowNs = clock.nanoTime();
        if (settings.sync() == SyncPolicy.INTERVAL
                && nowNs - syncedNs < TimeUnit.MILLISECONDS.toNanos(settings.syncEveryMs())) {
            return;
        }
        if (syncFile()) {
            syncedNs = nowNs;
            isDirty = false;
            logs.becomeDurable();
        }
    }

    private boolean syncFile() {
        try {
            return settings.sync() == SyncPolicy.NONE || writer.sync();
        } catch (IOException e) {
            // After a failed sync the kernel may call pages clean that never reached the disk: a second sync proves
            // nothing.
            fail("cannot be synced: " + e, e);
            return false;
        }
    }

    @Override
    public long position(long stream) {
        StreamLog log = logs.find(stream);
        return log == null ? 0 : log.position();
    }

    @Override
    public long durable(long stream) {
        StreamLog log = logs.find(stream);
        return log == null ? 0 : log.durable();
    }

    @Override
    public SortedMap<Long, Long> durables() {
        return logs.each(StreamLog::durable);
    }

    @Override
    public SortedMap<Long, Long> bases() {
        return logs.each(StreamLog::base);
    }

    @Override
    public BatchFeed feed(long stream, long after, long upTo) {
        return new JournalFeed(this, borrowReader(), stream, after, upTo);
    }

    private ExcerptReader borrowReader() {
        ExcerptReader kept = readers.poll();
        return kept != null ? kept : new ExcerptReader(ByteBuffer.allocateDirect(ExcerptReader.bufferLength()));
    }

    /** Takes a reader back that a feed does not need any more. Any thread. */
    void giveBack(ExcerptReader reader) {
        CloseHelper.quietClose(reader);
        readers.offer(new ExcerptReader(reader.bytes()));
    }

    /** What is held of a stream; null when nothing ever was. Any thread. */
    StreamLog log(long stream) {
        return logs.find(stream);
    }

    /** A file by its ordinal; null when it was let go of. Any thread. */
    RollFile file(int ordinal) {
        RollFile[] present = files;
        for (int i = present.length - 1; i >= 0 && present[i].ordinal() >= ordinal; i--) {
            if (present[i].ordinal() == ordinal) {
                return present[i];
            }
        }
        return null;
    }

    @Override
    public void truncate(SortedMap<Long, Long> cut) {
        SortedMap<Long, Long> next = logs.mark(mark, cut);
        if (next.equals(mark)) {
            return;
        }
        try {
            lowWater.write(next);
        } catch (IOException e) {
            LOG.error(
                    "The journal {} cannot write its low-water mark, so nothing is let go of: {}. It is tried again.",
                    settings.directory(),
                    e.toString());
            return;
        }
        logs.raise(mark, next);
        mark = next;
        letGo();
        lowWater.makeReady();
    }

    private void letGo() {
        List<RollFile> kept = new ArrayList<>();
        for (RollFile file : files) {
            if (isNeeded(file) || !isGone(file)) {
                kept.add(file);
            }
        }
        if (kept.size() < files.length) {
            files = kept.toArray(RollFile[]::new);
            refusedNs = clock.nanoTime() - RETRY_NS;
            countBytes();
        }
    }

    private boolean isGone(RollFile file) {
        try {
            if (writer.hasFile() && file == files[files.length - 1]) {
                replaceWriter();
            }
            directory.letGo(file);
            Path start = file.path().getParent();
            if (!start.equals(writer.folder())) {
                JournalDirectory.deleteIfLeft(start);
            }
            return true;
        } catch (IOException e) {
            LOG.error("Journal file {} is not needed any more and cannot be deleted: {}.", file, e.toString());
            return false;
        }
    }

    /** Lets Chronicle, too, go of the file that is being written: only then are its blocks free. */
    private void replaceWriter() throws IOException {
        writer.close();
        writer = new ChronicleWriter(directory.nextStart());
    }

    /** The file that is being written goes too when the disk or the journal is full: there may be nothing else to give. */
    private boolean isNeeded(RollFile file) {
        boolean isWritten = writer.hasFile() && file == files[files.length - 1];
        return !file.isBelow(mark) || (isWritten && trouble.isEmpty());
    }

    private void countBytes() {
        long sum = 0;
        for (RollFile file : files) {
            sum += file.bytes();
        }
        bytes = sum;
    }

    @Override
    public long bytes() {
        return bytes;
    }

    /** Why the journal takes nothing now, as a sentence without its end; empty when it does. Any thread. */
    public String trouble() {
        return trouble;
    }

    @Override
    public void close() {
        if (!isBroken && syncFile()) {
            logs.becomeDurable();
        }
        CloseHelper.closeAll(writer, directory);
    }
}
