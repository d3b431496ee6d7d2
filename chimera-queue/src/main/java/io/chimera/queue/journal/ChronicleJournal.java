package io.chimera.queue.journal;

import io.chimera.common.agent.Clock;
import io.chimera.common.agent.SerialExecutor;
import io.chimera.common.cluster.ControlCopy;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.common.wire.BatchFeed;
import io.chimera.common.wire.BatchLayout;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import net.openhft.chronicle.core.io.BackgroundResourceReleaser;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Journal on the memory-mapped files of Chronicle Queue (Chimera 2017, III-C3): one excerpt per batch, with the bytes
 * of the batch unchanged. {@link JournalDirectory} describes the folder. {@link ChronicleWriter} explains how the
 * journal survives a full disk without loss.
 */
public final class ChronicleJournal implements Journal {
    private static final Logger LOG = LoggerFactory.getLogger(ChronicleJournal.class);

    private final JournalSettings settings;
    private final Clock clock;
    private final JournalDisk disk;
    private final JournalDirectory directory;
    private final SerialExecutor chores;
    private final MarkWriter marks;
    private final FileRemover remover;
    private final FileArchiver archiver;
    private final StreamLogs logs = new StreamLogs();
    private final ExcerptReaders readers = new ExcerptReaders();
    private final Retention retention;
    private final CycleFile cycles;
    private final ControlFile control;
    private final ChronicleRetained retained;
    private final JournalRefusal refusal;
    private final SyncPace pace;

    private final AtomicInteger damages = new AtomicInteger();

    private ChronicleWriter writer;
    private SortedMap<Long, Long> mark;
    private RollFiles files;
    private boolean isDirty;
    private boolean isProbeReported;
    private long fileBegunNs;

    private ChronicleJournal(
            JournalSettings settings,
            Clock clock,
            SerialExecutor chores,
            JournalDisk disk,
            JournalDirectory directory,
            FileArchiver archiver)
            throws IOException {
        this.settings = settings;
        this.clock = clock;
        this.disk = disk;
        this.chores = chores;
        this.directory = directory;
        this.archiver = archiver;
        refusal = new JournalRefusal(clock);
        retention = new Retention(settings, clock);
        long beganNs = clock.nanoTime();
        remover = new FileRemover(directory, chores, clock);
        LowWaterFile lowWater = new LowWaterFile(settings.directory());
        Optional<SortedMap<Long, Long>> known = lowWater.read();
        mark = known.orElseGet(TreeMap::new);
        lowWater.makeReady();
        marks = new MarkWriter(lowWater, mark, chores, clock);
        logs.raise(mark, mark);
        directory.deleteEmptyStarts();
        writer = new ChronicleWriter(directory.nextStart(), disk);
        if (settings.sync() != SyncPolicy.NONE) {
            new UnsyncedFiles(disk).settle(directory);
        }
        JournalScan scan = new JournalScan(logs, known.isPresent(), readers.borrow());
        scan.read(directory.starts());
        damages.set(scan.reportDamage());
        files = new RollFiles(scan.files());
        retention.found(files.below(mark));
        logs.becomeDurable();
        files.measure(mark);
        cycles = CycleFile.open(settings.directory());
        control = new ControlFile(settings.directory(), chores, clock);
        retained = new ChronicleRetained(this, cycles);
        retained.forgetLost(mark);
        long openedNs = clock.nanoTime();
        pace = new SyncPace(TimeUnit.MILLISECONDS.toNanos(settings.syncEveryMs()), openedNs);
        LOG.info(
                "Opened journal {}: {} batches of {} streams in {} files, {} MiB, checked in {} ms.",
                settings.directory(),
                scan.batches(),
                durables().size(),
                files.count(),
                bytes() >> 20,
                TimeUnit.NANOSECONDS.toMillis(openedNs - beganNs));
    }

    /**
     * Loads the class of Chronicle that registers a shutdown hook when it is loaded. The JVM refuses hooks during a
     * shutdown: if the first batch loaded the class, that batch would fail on a node that is stopping. Call before any
     * other step of a node's start.
     */
    public static void prepare() {
        BackgroundResourceReleaser.isOnBackgroundResourceReleaserThread();
    }

    /**
     * Opens or creates the journal. Logs damaged files; damage never prevents the opening.
     *
     * @param node id of the queue node, stored in the folder
     * @param chores runs the disk operations of {@link #truncate}; closed with the journal
     * @throws ChimeraException when the folder is in use, belongs to another node, has another layout, or cannot be
     *     read
     */
    public static ChronicleJournal open(JournalSettings settings, String node, Clock clock, SerialExecutor chores) {
        return open(settings, node, clock, chores, JournalDisk.SYSTEM, PastFiles.NONE, SerialExecutor.inline());
    }

    /**
     * Opens or creates the journal with an archive for expired files.
     *
     * @param past archive for the files; closed with the journal
     * @param archiving runs the calls of the archive; closed with the journal
     */
    public static ChronicleJournal open(
            JournalSettings settings,
            String node,
            Clock clock,
            SerialExecutor chores,
            PastFiles past,
            SerialExecutor archiving) {
        return open(settings, node, clock, chores, JournalDisk.SYSTEM, past, archiving);
    }

    /** Opens or creates a journal whose {@link #truncate} completes before the return. */
    public static ChronicleJournal open(JournalSettings settings, String node, Clock clock) {
        return open(settings, node, clock, SerialExecutor.inline());
    }

    static ChronicleJournal open(JournalSettings settings, String node, Clock clock, JournalDisk disk) {
        return open(settings, node, clock, SerialExecutor.inline(), disk, PastFiles.NONE, SerialExecutor.inline());
    }

    private static ChronicleJournal open(
            JournalSettings settings,
            String node,
            Clock clock,
            SerialExecutor chores,
            JournalDisk disk,
            PastFiles past,
            SerialExecutor archiving) {
        prepare();
        FileArchiver archiver = new FileArchiver(past, archiving, settings);
        JournalDirectory directory = null;
        try {
            directory = new JournalDirectory(settings.directory());
            JournalLabel.claim(settings.directory(), node);
            return new ChronicleJournal(settings, clock, chores, disk, directory, archiver);
        } catch (RuntimeException e) {
            CloseHelper.quietCloseAll(directory, archiver);
            throw e;
        } catch (IOException e) {
            CloseHelper.quietCloseAll(directory, archiver);
            throw new ChimeraException(
                    Category.FATAL,
                    "The journal " + settings.directory() + " cannot be opened: " + e
                            + ". Check that this user may read and write the folder, that the disk has free space, and"
                            + " that the disk is healthy.",
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
            throw refusal.becomeFinal(files.last(), "cannot be written: " + e, e);
        }
        RollFile file = files.last();
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

    /** Ensures that the disk has blocks for a batch and for Chronicle's own structures. */
    private boolean makeRoom(int length) {
        if (refusal.stands()) {
            return false;
        }
        if (writer.hasFile() && !isFileDone() && writer.bytesNeeded(length) == 0) {
            return true;
        }
        try {
            return allocate(length);
        } catch (ClosedByInterruptException e) {
            return false; // the thread is ending; otherwise the next append opens the file again
        } catch (IOException e) {
            if (giveUpRetained()) {
                return makeRoom(length);
            }
            refusal.begin("the disk of " + settings.directory() + " refuses: " + e.getMessage()
                    + ". Free some space or check the disk; no point is lost, senders must retry");
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
        String lack = lack(length);
        while (!lack.isEmpty() && giveUpRetained()) {
            lack = lack(length);
        }
        if (!lack.isEmpty()) {
            refusal.begin(lack);
            return false;
        }
        if (!writer.hasFile()) {
            beginFile();
        }
        writer.allocate(length);
        files.last().bytes(writer.bytesAllocated());
        files.measure(mark);
        refusal.end();
        return true;
    }

    /** Reason for the lack of room for a batch; empty when the batch fits. */
    private String lack(int length) throws IOException {
        if (bytes() + writer.bytesNeeded(length) > settings.bytesMax()) {
            return "the journal " + settings.directory() + " has reached journal.max_bytes (" + settings.bytesMax()
                    + "). It shrinks when cycles commit: check the processors and the store, or raise the limit";
        }
        if (isBelowReserve(length)) {
            return "the disk of " + settings.directory() + " has less than journal.reserve (" + settings.reserveBytes()
                    + " bytes) free. Free some space; no point is lost, senders must retry";
        }
        return "";
    }

    /** A failed probe does not count as a full disk; the allocation of the file decides instead. */
    private boolean isBelowReserve(int length) {
        if (settings.reserveBytes() == 0) {
            return false;
        }
        try {
            return directory.bytesFree() - writer.bytesNeeded(length) < settings.reserveBytes();
        } catch (IOException e) {
            if (!isProbeReported) {
                isProbeReported = true;
                LOG.warn(
                        "Free space of the journal's disk is unknown, journal.reserve is ignored. path={} error={}",
                        settings.directory(),
                        e.getMessage());
            }
            return false;
        }
    }

    private void beginFile() throws IOException {
        files.begin(writer.roll(TimeUnit.NANOSECONDS.toSeconds(clock.epochNs())));
        fileBegunNs = clock.nanoTime();
    }

    @Override
    public boolean sync() {
        if (!isDirty || refusal.isFinal()) {
            return false;
        }
        long nowNs = clock.nanoTime();
        if (settings.sync() == SyncPolicy.INTERVAL && !pace.isDue(nowNs)) {
            return false;
        }
        if (!syncFile()) {
            return false;
        }
        pace.synced(nowNs, clock.nanoTime());
        isDirty = false;
        logs.becomeDurable();
        return true;
    }

    private boolean syncFile() {
        try {
            return settings.sync() == SyncPolicy.NONE || writer.sync();
        } catch (IOException e) {
            // The kernel may now mark pages as clean although the pages never reached the disk: a second sync would
            // prove nothing.
            throw refusal.becomeFinal(files.last(), "cannot be synced: " + e, e);
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
        return feed(stream, after, upTo, false);
    }

    BatchFeed feed(long stream, long after, long upTo, boolean readsRetained) {
        return new JournalFeed(this, readers.borrow(), stream, after, upTo, readsRetained);
    }

    /** Takes a reader back from a closed feed. Any thread. */
    void giveBack(ExcerptReader reader) {
        readers.giveBack(reader);
    }

    /** Index of a stream; null when the journal never held the stream. Any thread. */
    StreamLog log(long stream) {
        return logs.find(stream);
    }

    /** File with an ordinal; null after its deletion. Any thread. */
    RollFile file(int ordinal) {
        return files.find(ordinal);
    }

    @Override
    public void truncate(SortedMap<Long, Long> cut) {
        SortedMap<Long, Long> next = logs.mark(mark, cut, files::holdsAny);
        if (marks.wants(next)) {
            marks.write(next, cycles.syncing());
        }
        raise(marks.takeWritten());
        letGo();
        retained.forgetLost(mark);
        files.measure(mark);
    }

    /**
     * Raises the bases to a newly written mark, if any. A stream with records appended since the write began stays in
     * the mark.
     */
    private void raise(SortedMap<Long, Long> written) {
        if (written != null) {
            SortedMap<Long, Long> next = logs.mark(mark, written, files::holdsAny);
            logs.raise(mark, next);
            mark = next;
        }
    }

    private void letGo() {
        boolean lacksRoom = !refusal.reason().isEmpty();
        // Without room, the current file is deleted as well: there may be no other file to delete.
        List<RollFile> done = files.below(mark).stream()
                .filter(file -> lacksRoom || !isWritten(file))
                .toList();
        if (!lacksRoom) {
            List<RollFile> surplus = retained.isHeld() ? List.of() : retention.surplus(done);
            for (RollFile file : archiver.settled(surplus, this::cyclesOf)) {
                forget(file);
                remover.remove(file, writer.folder());
            }
            return;
        }
        boolean isAnyGone = false;
        for (RollFile file : done) {
            isAnyGone |= isGone(file); // at once: senders wait for the room
        }
        if (isAnyGone) {
            refusal.tryAgain();
        }
    }

    /**
     * Notes of all cycles that began before the end of a file. The notes cover the past cycles whose records the file
     * may hold.
     */
    private String cyclesOf(RollFile file) {
        return cycles.lines(cycle -> file.beginsAnyOf(cycle.before(), cycle.cut()));
    }

    private void forget(RollFile file) {
        files.remove(file);
        file.forEachStream((stream, lastSeq) -> logs.letGo(stream, lastSeq));
    }

    /** Deletes the oldest file kept only by retention; false when there was no such file. */
    private boolean giveUpRetained() {
        for (RollFile file : files.below(mark)) {
            if (!isWritten(file) && isGone(file)) {
                files.measure(mark);
                return true;
            }
        }
        return false;
    }

    private boolean isWritten(RollFile file) {
        return writer.hasFile() && file == files.last();
    }

    private boolean isGone(RollFile file) {
        try {
            if (isWritten(file)) {
                replaceWriter();
            }
            archiver.goes(file);
            directory.letGo(file);
            forget(file);
            Path start = file.path().getParent();
            if (!start.equals(writer.folder())) {
                JournalDirectory.deleteIfLeft(start);
            }
            return true;
        } catch (IOException e) {
            LOG.error("Cannot delete expired journal file {}: {}.", file, e.toString());
            return false;
        }
    }

    /** Closes the current file in Chronicle, too: the disk frees the blocks of a deleted file only then. */
    private void replaceWriter() throws IOException {
        writer.close();
        writer = new ChronicleWriter(directory.nextStart(), disk);
    }

    @Override
    public ControlCopy control() {
        return control;
    }

    @Override
    public Retained retained() {
        return retained;
    }

    /** Raises the retention of committed records to at least {@code ms} milliseconds. Any thread. */
    public void retainAtLeast(long ms) {
        retention.atLeast(ms);
    }

    /** Bytes on disk kept only by retention. Any thread. */
    long retainedBytes() {
        return files.retainedBytes();
    }

    @Override
    public long bytes() {
        return files.bytes();
    }

    /** Number of damaged files at the opening, plus reads of damaged records since. Any thread. */
    public int damages() {
        return damages.get();
    }

    /** Counts a read of a damaged record. Any thread. */
    void damageFound() {
        damages.incrementAndGet();
    }

    /** State of the archiving of journal files. */
    public FileArchiver.Report archived() {
        return archiver.report();
    }

    /**
     * Reason why the journal refuses batches now, as a sentence without a period; empty when the journal accepts
     * batches. Any thread.
     */
    public String trouble() {
        return refusal.reason();
    }

    @Override
    public void close() {
        try {
            if (!refusal.isFinal() && syncFile()) {
                logs.becomeDurable();
            }
        } finally {
            CloseHelper.closeAll(archiver, chores, writer, cycles, directory);
        }
    }
}
