package io.chimera.queue.journal.chronicle;

import io.chimera.common.agent.Clock;
import io.chimera.common.agent.SerialExecutor;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.StreamRange;
import io.chimera.common.cluster.control.ControlCopy;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.common.wire.BatchFeed;
import io.chimera.common.wire.BatchLayout;
import io.chimera.queue.journal.Journal;
import io.chimera.queue.journal.JournalIdentity;
import io.chimera.queue.journal.JournalSettings;
import io.chimera.queue.journal.Retained;
import io.chimera.queue.journal.SyncPolicy;
import io.chimera.queue.journal.folder.BootFile;
import io.chimera.queue.journal.folder.ControlFile;
import io.chimera.queue.journal.folder.CycleFile;
import io.chimera.queue.journal.folder.IdentityFile;
import io.chimera.queue.journal.folder.JournalDirectory;
import io.chimera.queue.journal.folder.JournalDisk;
import io.chimera.queue.journal.folder.JournalLabel;
import io.chimera.queue.journal.folder.LowWaterFile;
import io.chimera.queue.journal.folder.UnsyncedFiles;
import io.chimera.queue.journal.index.JournalIndex;
import io.chimera.queue.journal.index.RollFile;
import io.chimera.queue.journal.index.RollFiles;
import io.chimera.queue.journal.index.StreamLog;
import io.chimera.queue.journal.index.StreamLogs;
import io.chimera.queue.journal.read.ExcerptReader;
import io.chimera.queue.journal.read.ExcerptReaders;
import io.chimera.queue.journal.retention.FileArchiver;
import io.chimera.queue.journal.retention.FileRemover;
import io.chimera.queue.journal.retention.LowWater;
import io.chimera.queue.journal.retention.MarkWriter;
import io.chimera.queue.journal.retention.PastFiles;
import io.chimera.queue.journal.retention.Retention;
import java.io.IOException;
import java.util.Optional;
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
    private final SerialExecutor chores;
    private final JournalDirectory directory;
    private final FileArchiver archiver;
    private final ExcerptReaders readers = new ExcerptReaders();
    private final StreamLogs logs = new StreamLogs();
    private final RollFiles files;
    private final CycleFile cycles;
    private final ControlFile control;
    private final IdentityFile identity;
    private final Retention retention;
    private final ChronicleRetained retained;
    private final LowWater lowWater;
    private final CurrentFile current;
    private final ExpiredFiles expired;
    private final JournalRefusal refusal;
    private final FileAppender appender;
    private final SyncPace pace;
    private final AtomicInteger damages = new AtomicInteger();

    private boolean isDirty;

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
        this.chores = chores;
        this.directory = directory;
        this.archiver = archiver;
        long beganNs = clock.nanoTime();
        LowWaterFile lowWaterFile = new LowWaterFile(settings.directory());
        Optional<Positions> known = lowWaterFile.read();
        Positions mark = known.orElse(Positions.NONE);
        lowWaterFile.makeReady();
        logs.raise(mark, mark);
        directory.deleteEmptyStarts();
        if (settings.sync().policy() != SyncPolicy.NONE) {
            new UnsyncedFiles(disk).settle(directory);
        }
        JournalScan scan = new JournalScan(logs, known.isPresent(), readers.borrow());
        scan.read(directory.starts());
        damages.set(scan.reportDamage());
        files = new RollFiles(scan.files());
        logs.becomeDurable();

        JournalIndex index = new JournalIndex(logs, files);
        cycles = CycleFile.open(settings.directory());
        control = new ControlFile(settings.directory(), chores, clock);
        String node = JournalLabel.nodeOf(settings.directory());
        BootFile boot = new BootFile(settings.directory(), disk);
        boolean isIncomplete = damages.get() > 0 || boot.isOther();
        identity = new IdentityFile(settings.directory(), node, chores, clock, isIncomplete);
        boot.note(settings.sync().policy() != SyncPolicy.NONE); // after the identity, before the first record
        lowWater = new LowWater(index, mark, new MarkWriter(lowWaterFile, mark, chores, clock), cycles);
        retention = new Retention(settings, clock);
        retention.found(lowWater.filesBelow());
        retained = new ChronicleRetained(this, cycles, retention);
        retained.forgetLost(mark);
        refusal = new JournalRefusal(clock);
        current = new CurrentFile(directory, disk, files, clock);
        FileRemover remover = new FileRemover(directory, chores, clock);
        FileDeletion deletion = new FileDeletion(directory, current, index, remover, archiver);
        expired = new ExpiredFiles(index, lowWater, current, retention, deletion, cycles);
        expired.measure();
        appender = new FileAppender(settings, directory, current, files, expired, refusal);
        long openedNs = clock.nanoTime();
        pace = new SyncPace(TimeUnit.MILLISECONDS.toNanos(settings.sync().everyMs()), openedNs);
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
            JournalLabel.claim(settings.directory(), node, settings.group());
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
        if (!appender.makeRoom(length)) {
            return Appended.FULL;
        }
        long place = appender.append(buffer, offset, length);
        RollFile file = files.last();
        file.holds(stream, lastSeq);
        if (log == null) {
            log = logs.at(stream);
        }
        log.add(firstSeq, lastSeq, file.ordinal(), place);
        if (settings.sync().policy() == SyncPolicy.NONE) {
            log.becomeDurable();
        } else {
            isDirty = true;
        }
        return Appended.OK;
    }

    @Override
    public boolean sync() {
        if (!isDirty || refusal.isFinal()) {
            return false;
        }
        long nowNs = clock.nanoTime();
        if (settings.sync().policy() == SyncPolicy.INTERVAL && !pace.isDue(nowNs)) {
            return false;
        }
        if (!appender.sync()) {
            return false;
        }
        pace.synced(nowNs, clock.nanoTime());
        isDirty = false;
        logs.becomeDurable();
        return true;
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
    public Positions durables() {
        return logs.each(StreamLog::durable);
    }

    @Override
    public Positions bases() {
        return logs.each(StreamLog::base);
    }

    @Override
    public BatchFeed feed(StreamRange range) {
        return feed(range, false);
    }

    BatchFeed feed(StreamRange range, boolean readsRetained) {
        return new JournalFeed(this, readers.borrow(), range, readsRetained);
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
    public void truncate(Positions cut) {
        lowWater.advance(cut);
        if (refusal.reason().isEmpty()) {
            expired.deleteExpired();
        } else if (expired.deleteAll()) {
            refusal.tryAgain();
        }
        retained.forgetLost(lowWater.mark());
        expired.measure();
    }

    @Override
    public ControlCopy control() {
        return control;
    }

    @Override
    public JournalIdentity identity() {
        return identity;
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
            if (!refusal.isFinal() && appender.sync()) {
                logs.becomeDurable();
            }
        } finally {
            CloseHelper.closeAll(archiver, chores, current, cycles, directory);
        }
    }
}
