package io.chimera.dataset.source.xrootd;

import io.chimera.common.agent.Clock;
import io.chimera.dataset.source.AllowedHosts;
import io.chimera.dataset.source.Checksum;
import io.chimera.dataset.source.DataObject;
import io.chimera.dataset.source.DataSource;
import io.chimera.dataset.source.ObjectVersion;
import io.chimera.dataset.source.PathPattern;
import io.chimera.dataset.source.SourceException;
import io.chimera.dataset.source.xrootd.connection.ConnectionPool;
import io.chimera.dataset.source.xrootd.connection.XrootdLimits;
import io.chimera.dataset.source.xrootd.wire.FileStat;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Reads files of an XRootD server, or of a cluster through its redirector. Any thread. The source owns its connections
 * and two daemon threads: one enforces the time limits and never blocks, one closes idle files.
 *
 * <p>The version tag is time of change and length. Replicas of a cluster may have different times; a listing with
 * checksums ({@link XrootdSettings#isChecksumListed}) makes these replicas equal.
 */
public final class XrootdSource implements DataSource {
    private static final Duration PERIOD_MAX = Duration.ofSeconds(1);
    private static final Duration PERIOD_MIN = Duration.ofMillis(10);
    private static final int PERIODS_PER_LIMIT = 100;

    private final XrootdSettings settings;
    private final Pauses pauses;
    private final ConnectionPool pool;
    private final ClusterClient client;
    private final ChecksumQuery checksums;
    private final FileReads reads;
    private final Housekeeping timeLimits;
    private final Housekeeping idleFiles;

    /**
     * Creates a source without a connection.
     *
     * @param settings server, folder and limits
     * @param allowed hosts that the operator allows; each redirect is checked
     * @param tls context of TLS; null for the default of the JVM
     * @param clock time of the limits
     */
    public XrootdSource(XrootdSettings settings, AllowedHosts allowed, @Nullable SSLContext tls, Clock clock) {
        XrootdLimits limits = settings.limits();
        XrootdUrl url = settings.url();
        this.settings = settings;
        this.pauses = new Pauses(clock);
        this.pool = new ConnectionPool(allowed, url.isTls(), tls, settings.user(), limits, clock);
        this.client = new ClusterClient(pool, url.opaque(), pauses, limits.pause());
        this.checksums = new ChecksumQuery(client);
        this.reads = new FileReads(client, checksums, url, limits, clock);
        this.timeLimits = Housekeeping.start("xrootd-time-limits", period(limits.stall()), pool::check);
        this.idleFiles = Housekeeping.start("xrootd-idle-files", period(limits.idle()), reads::closeIdle);
    }

    private static Duration period(Duration limit) {
        Duration period = limit.dividedBy(PERIODS_PER_LIMIT);
        if (period.compareTo(PERIOD_MAX) > 0) {
            return PERIOD_MAX;
        }
        return period.compareTo(PERIOD_MIN) < 0 ? PERIOD_MIN : period;
    }

    @Override
    public String place() {
        return settings.url().place();
    }

    /**
     * Lists the folders of all data servers of a cluster. A file that is being written is not listed.
     *
     * @throws IllegalArgumentException for a malformed pattern
     */
    @Override
    public List<DataObject> list(String pattern) throws SourceException {
        XrootdLimits limits = settings.limits();
        ClusterFolders folders = new ClusterFolders(client, settings.url().server(), limits.listingBytesMax());
        PathPattern steps = PathPattern.of(pattern);
        Map<String, FileStat> found =
                new RemoteWalk(folders, steps, settings.url().root(), limits.objectsMax()).run();
        List<DataObject> objects = new ArrayList<>(found.size());
        for (Map.Entry<String, FileStat> file : found.entrySet()) {
            Checksum checksum = settings.isChecksumListed() ? checksum(file.getKey()) : Checksum.NONE;
            FileStat stat = file.getValue();
            objects.add(new DataObject(file.getKey(), stat.length(), new ObjectVersion(stat.tag(), checksum)));
        }
        return objects;
    }

    /**
     * Asks for the checksum of an object. The server may compute it first, which reads the whole object.
     *
     * @param path path below the root
     * @return the checksum; {@link Checksum#NONE} when the server has none
     * @throws SourceException when the server does not answer now, or has no such object
     */
    public Checksum checksum(String path) throws SourceException {
        return checksums.ask(settings.url().root() + "/" + path, settings.url().server());
    }

    /** A range of another length than the buffer cannot be read: the object is shorter. */
    private static void checkRange(DataObject object, long offset, ByteBuffer into) {
        if (offset < 0 || offset > object.length() - into.remaining()) {
            throw new IllegalArgumentException("range of " + into.remaining() + " bytes at " + offset + " of "
                    + object.path() + " with " + object.length() + " bytes");
        }
    }

    @Override
    public void read(DataObject object, long offset, ByteBuffer into) throws SourceException {
        checkRange(object, offset, into);
        int start = into.position();
        reads.run(object, (file, budget) -> {
            into.position(start);
            file.read(offset, into, budget);
        });
    }

    /**
     * Reads several ranges of an object with few round trips, for example the columns of a row group. On return all
     * buffers are full. After an exception the content of the buffers is undefined.
     *
     * @param object the object as listed
     * @param parts the ranges; each lies within the object
     * @throws SourceException as {@link #read}
     */
    public void readVector(DataObject object, List<VectorPart> parts) throws SourceException {
        parts.forEach(part -> checkRange(object, part.offset(), part.into()));
        reads.run(object, (file, budget) -> {
            for (VectorBatch batch : VectorBatch.split(parts)) {
                file.readVector(batch.offsets(), batch.buffers(), budget);
            }
        });
        parts.forEach(part -> part.into().position(part.into().limit()));
    }

    /** Returns the number of open files, for tests and metrics. */
    int openFiles() {
        return reads.openFiles();
    }

    @Override
    public void close() {
        pauses.close();
        pool.close();
        timeLimits.close();
        idleFiles.close();
    }
}
