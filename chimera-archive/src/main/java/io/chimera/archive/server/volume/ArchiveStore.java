package io.chimera.archive.server.volume;

import io.chimera.api.model.Row;
import io.chimera.api.spi.PluginContext;
import io.chimera.api.spi.PointSink;
import io.chimera.api.spi.StoreException;
import io.chimera.api.spi.VerifiableStore;
import io.chimera.archive.query.ArchiveSettings;
import io.chimera.archive.query.Question;
import io.chimera.archive.query.answer.ArchiveQuery;
import io.chimera.archive.query.point.PointArchive;
import io.chimera.archive.server.volume.StoreDriver.GaveUpException;
import io.chimera.archive.streamfs.store.StreamStore;
import io.chimera.common.agent.Clock;
import io.chimera.common.cluster.archive.ArchiveKind;
import io.chimera.common.config.StoreConfig;
import io.chimera.common.config.VolumeConfig;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.metrics.ArchiveCounter;
import io.chimera.common.metrics.Counters;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Store that keeps rows in a stream of a volume. {@link #write} returns once the rows survive a power loss. A rewritten
 * row replaces its predecessor in every answer. One thread at a time; {@link #ask} is safe for any thread.
 */
public final class ArchiveStore implements VerifiableStore, Askable {
    private static final Logger LOG = LoggerFactory.getLogger(ArchiveStore.class);

    private final VolumeConfig config;
    private final Path folder;
    private final int batchRows;
    private final Clock clock;
    private final Counters<ArchiveCounter> counters;
    private final StoreDriver driver;

    private @Nullable Opened opened;
    private boolean isWarned;

    /** Open volume and the archive in its stream. */
    private record Opened(Volume volume, PointArchive archive) {}

    /**
     * Creates a store; {@link #open} opens the volume.
     *
     * @param folder base of relative paths
     * @param batchRows maximum number of rows per flush
     * @param timeout time limit for the durability of a write; later rows are not acknowledged
     */
    public ArchiveStore(
            VolumeConfig config,
            Path folder,
            int batchRows,
            Duration timeout,
            Clock clock,
            Counters<ArchiveCounter> counters) {
        this.config = config;
        this.folder = folder;
        this.batchRows = batchRows;
        this.clock = clock;
        this.counters = counters;
        driver = new StoreDriver(this::work, timeout, "Or raise the timeout of the store.", clock);
    }

    private int work() {
        Opened now = opened();
        return now.volume.store().doWork() + now.archive.doWork();
    }

    private Opened opened() {
        return Objects.requireNonNull(opened, "The store is not open.");
    }

    @Override
    public String name() {
        return StoreConfig.ARCHIVE;
    }

    @Override
    public int batchRowsMax() {
        return batchRows;
    }

    /** Returns the name of the written stream. */
    public String stream() {
        return config.stream();
    }

    /** Returns the absolute paths of the written devices. */
    public List<Path> devices() {
        return config.devices().stream()
                .map(device -> folder.resolve(device).toAbsolutePath().normalize())
                .toList();
    }

    /** Returns the stream store of the open volume. */
    public StreamStore volume() {
        return opened().volume.store();
    }

    /**
     * Opens the volume. Creates the volume if none of its files exists.
     *
     * @throws ChimeraException when the volume cannot be opened or created, or the guarantee does not fit
     */
    @Override
    public void open(PluginContext context) {
        open(Volume.openOrCreate(config, folder, clock));
    }

    /** Uses a volume that is already open. */
    public void open(Volume volume) {
        try {
            PointArchive archive = new PointArchive(
                    volume.store(),
                    ArchiveSettings.ofPoints(config.stream(), config.guarantee().bytes()),
                    clock,
                    counters);
            volume.show(List.of(archive.stream()));
            opened = new Opened(volume, archive);
        } catch (RuntimeException e) {
            volume.close();
            throw e;
        }
    }

    @Override
    public void write(List<Row> rows) throws StoreException {
        PointArchive archive = opened().archive;
        check(archive, rows);
        driver.begin("Rows in " + config.devices() + " are");
        boolean isTaken = false;
        try {
            for (Row row : rows) {
                while (!archive.add(row)) {
                    driver.turn();
                }
            }
            while (!archive.cut()) {
                driver.turn();
            }
            opened().volume.store().sync(); // for an empty batch: the sync reports a failed volume
            while (!archive.isDurable()) {
                driver.turn();
            }
            isTaken = true;
            warnIfTooSmall(archive);
        } catch (GaveUpException e) {
            throw new StoreException(String.valueOf(e.getMessage()), true, e);
        } catch (ChimeraException e) {
            throw new StoreException(e.getMessage() + " Then restart the node.", true, e);
        } finally {
            if (!isTaken) {
                archive.drop(); // the caller writes the whole batch again
            }
        }
    }

    /** Warns once. A small volume breaks no guarantee, but is almost certainly a mistake. */
    private void warnIfTooSmall(PointArchive archive) {
        if (!isWarned && archive.isTooSmall()) {
            isWarned = true;
            LOG.warn(
                    "Volume is smaller than the rows of one cycle, so new rows overwrite rows of the same cycle:"
                            + " devices={}. Create a larger volume.",
                    config.devices());
        }
    }

    /**
     * Checks all rows before the first is added: the valid rows of a refused batch are written again in other batches.
     */
    private static void check(PointArchive archive, List<Row> rows) throws StoreException {
        for (Row row : rows) {
            int code = archive.check(row);
            if (code != PointSink.OK) {
                throw new StoreException(row + " cannot be archived: " + PointSink.reasonOf(code) + ".", false, null);
            }
        }
    }

    @Override
    public List<Row> read(List<Row> written) throws StoreException {
        try {
            return opened().archive.read(written);
        } catch (ChimeraException e) {
            throw new StoreException(String.valueOf(e.getMessage()), true, e);
        }
    }

    /**
     * Queries the written rows. Close all answers before the store.
     *
     * @throws ChimeraException when the question cannot be parsed
     */
    @Override
    public ArchiveQuery<?> ask(Question question) {
        return opened().volume.ask(question);
    }

    @Override
    public ArchiveQuery<?> askForPeer(Question question, ArchiveKind kind) {
        return opened().volume.askForPeer(question, kind);
    }

    /** Returns the kinds of data in the open volume. */
    public Set<ArchiveKind> kinds() {
        return opened().volume.kinds();
    }

    @Override
    public void close() {
        Opened closing = opened;
        if (closing == null) {
            return;
        }
        opened = null;
        try {
            closing.archive.end();
        } catch (ChimeraException e) {
            LOG.warn(
                    "Index not saved, the next start rebuilds it: devices={} reason={}",
                    config.devices(),
                    e.getMessage());
        } finally {
            closing.archive.close();
            closing.volume.close();
        }
    }
}
