package io.chimera.archive.streamfs;

import io.chimera.api.ColdPath;
import io.chimera.api.HotPath;
import io.chimera.archive.streamfs.layout.DeviceSet;
import io.chimera.archive.streamfs.layout.FormatSettings;
import io.chimera.archive.streamfs.layout.Geometry;
import io.chimera.archive.streamfs.layout.HandleLayout;
import io.chimera.archive.streamfs.layout.Label;
import io.chimera.archive.streamfs.layout.RecordLayout;
import io.chimera.archive.streamfs.layout.SipHash;
import io.chimera.archive.streamfs.layout.VolumeFormat;
import io.chimera.archive.streamfs.layout.VolumeLayout;
import io.chimera.archive.streamfs.store.RecordHandle;
import io.chimera.archive.streamfs.store.StreamReader;
import io.chimera.archive.streamfs.store.StreamSettings;
import io.chimera.archive.streamfs.store.StreamStatus;
import io.chimera.archive.streamfs.store.StreamStore;
import io.chimera.archive.streamfs.store.VolumeStatus;
import io.chimera.common.agent.Clock;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.jni.stream.BlockDevice;
import io.chimera.jni.stream.SummedCopy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.random.RandomGenerator;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * StreamFS (Hyperion 2007, 4) on block devices, with the layout of {@link VolumeLayout}. An append copies the record
 * once, into the block written to the device; it allocates the handle and, once per MiB, a block. Readers take no lock.
 * A failed write or flush is never retried: the store stops and reports the durable records.
 */
public final class StreamFs implements StreamStore {
    private final Geometry geometry;
    private final SipHash hash;
    private final DeviceSet devices;
    private final VolumeSettings settings;
    private final Clock clock;
    private final int epoch;
    private final long damaged;
    private final CopyOnWriteArrayList<StreamState> streams;
    private final Guarantees guarantees;
    private final Flusher flusher;
    private final Frontier frontier;
    private final RootWriter roots;
    private final RunWriter runs;
    private final BufferPool pool;
    private final SummedCopy copy = new SummedCopy();

    private long nextLingerNs;
    private boolean isSyncAsked;
    private volatile @Nullable String failure;

    private StreamFs(VolumeRecovery recovered, BufferPool pool, VolumeSettings settings, Clock clock) {
        this.pool = pool;
        this.settings = settings;
        this.clock = clock;
        geometry = recovered.geometry();
        hash = recovered.hash();
        devices = recovered.devices();
        epoch = recovered.root().epoch();
        damaged = recovered.damaged();
        streams = new CopyOnWriteArrayList<>(recovered.streams());
        guarantees = new Guarantees(geometry);
        flusher = new Flusher(devices, this::fail);
        frontier = new Frontier(
                geometry,
                streams,
                recovered.slots(),
                recovered.position(),
                recovered.root().limit());
        roots = new RootWriter(
                recovered.label(), geometry, devices, flusher, frontier, streams, recovered.root(), this::fail);
        runs = new RunWriter(geometry, hash, epoch, devices, flusher, frontier, streams, pool, this::fail);
        nextLingerNs = clock.nanoTime();
    }

    /**
     * Formats devices as a new volume; the old content is lost.
     *
     * @param devices in the order of later openings; not closed
     * @param secrets source of the volume's identity and key: unpredictable, except in tests
     */
    public static void format(List<BlockDevice> devices, FormatSettings settings, RandomGenerator secrets) {
        VolumeFormat.format(new DeviceSet(devices), settings, secrets);
    }

    /**
     * Returns true if a device belongs to a completely formatted volume. Does not close the device.
     *
     * @throws ChimeraException when the device cannot be read
     */
    public static boolean isLabelled(BlockDevice device) {
        return VolumeFormat.isLabelled(new DeviceSet(List.of(device)));
    }

    /**
     * Opens a volume, also after a loss of power. Reads the maps and all later block headers.
     *
     * @param devices in the order of formatting; closed by the store, also if the opening fails
     * @throws ChimeraException the devices do not belong to one volume, or a device fails
     */
    public static StreamFs open(List<BlockDevice> devices, VolumeSettings settings, Clock clock) {
        DeviceSet set = new DeviceSet(devices);
        try {
            Label label = VolumeFormat.read(set);
            BufferPool pool = new BufferPool(new Geometry(label), set, settings.buffers());
            return new StreamFs(VolumeRecovery.of(set, label), pool, settings, clock);
        } catch (RuntimeException e) {
            set.close();
            throw e;
        }
    }

    @Override
    public int open(StreamSettings opened) {
        checkOrder();
        StreamState stream = find(opened.name());
        if (stream != null && !stream.settings().kind().equals(opened.kind())) {
            throw new ChimeraException(
                    Category.ERROR,
                    "Stream '" + opened.name() + "' holds " + stream.settings().kind() + ", not " + opened.kind()
                            + "; use another name.");
        }
        if (stream != null && stream.settings().equals(opened)) {
            return stream.index;
        }
        guarantees.check(streams, stream, opened);
        if (stream == null) {
            stream = create(opened);
        } else {
            stream.guaranteeBytes = Math.max(stream.guaranteeBytes, opened.guaranteeBytes());
            // Blocks overwritten before were surplus at the time. They must be durable before the new guarantee is,
            // because a recovery with the new guarantee would not expect the overwrite.
            drain();
            stream.settings = opened;
        }
        writeRoot();
        stream.guaranteeBytes = opened.guaranteeBytes();
        return stream.index;
    }

    /**
     * Creates a stream, in the place of a removed stream if possible. The block numbers continue, so no handle fits
     * both streams.
     */
    private StreamState create(StreamSettings settings) {
        for (StreamState removed : streams) {
            if (removed.isRemoved()) {
                StreamState stream = new StreamState(removed.index, settings);
                stream.startAt(removed.lastBlock() + 1);
                streams.set(stream.index, stream);
                return stream;
            }
        }
        StreamState stream = new StreamState(streams.size(), settings);
        streams.add(stream);
        return stream;
    }

    /**
     * Removes a stream: frees its records, blocks, guarantee and directory entry. The directory is written and flushed
     * before the method returns. The stream index may be given to another stream; handles of the removed records stay
     * invalid. Writer's thread.
     */
    public void remove(int stream) {
        checkOrder();
        StreamState removed = streams.get(stream);
        checkThere(removed);
        drain();
        BlockBuffer open = removed.open;
        if (open != null) {
            runs.close(open);
            removed.open = null;
        }
        Block last = removed.block(removed.lastBlock());
        if (last != null) {
            frontier.drop(last);
        }
        removed.settings = null;
        removed.guaranteeBytes = 0;
        writeRoot();
    }

    private void checkThere(StreamState stream) {
        if (stream.isRemoved()) {
            throw new ChimeraException(
                    Category.ERROR, "Stream " + stream.index + " of the volume was removed; open another.");
        }
    }

    /** Waits until all appended records are durable. */
    private void drain() {
        sync();
        while (isSyncAsked || !runs.isIdle() || !roots.isIdle()) {
            roots.hurry();
            cycle(1);
        }
    }

    private void writeRoot() {
        roots.changed();
        while (!roots.isIdle()) {
            cycle(1);
        }
    }

    private @Nullable StreamState find(String name) {
        for (StreamState stream : streams) {
            if (!stream.isRemoved() && stream.settings().name().equals(name)) {
                return stream;
            }
        }
        return null;
    }

    @Override
    @HotPath
    public @Nullable RecordHandle append(int stream, long timeNs, DirectBuffer from, int offset, int length) {
        checkOrder();
        StreamState of = streams.get(stream);
        if (length < 1 || length > recordLengthMax() || of.isRemoved()) {
            throw refused(of, length);
        }
        int stride = RecordLayout.stride(length);
        BlockBuffer open = of.open;
        if (open == null || !open.fits(stride)) {
            open = nextBlock(of, stride);
            if (open == null) {
                return null;
            }
        }
        int at = open.next();
        long number = of.appended() + 1;
        if (open.records == 0) {
            open.firstRecord = number;
            open.sinceNs = clock.nanoTime();
        }
        Block block = open.block;
        int sum = copy.copy(open.buffer, at + VolumeLayout.RECORD_HEADER_LENGTH, from, offset, length);
        long mac =
                RecordLayout.write(hash, open.buffer, at, length, sum, of.index, epoch, block.number, number, timeNs);
        open.records++;
        open.tail = at + stride;
        block.timeMinNs = Math.min(block.timeMinNs, timeNs);
        block.timeMaxNs = Math.max(block.timeMaxNs, timeNs);
        block.end = open.tail; // publishes the record to readers
        of.appended(number);
        long location = HandleLayout.location(of.index, block.number, at, VolumeLayout.RECORD_HEADER_LENGTH + length);
        return new RecordHandle(location, HandleLayout.check(hash, location, mac));
    }

    private ChimeraException refused(StreamState of, int length) {
        checkThere(of);
        return new ChimeraException(
                Category.ERROR,
                "A record of " + length + " bytes cannot be appended to stream '"
                        + of.settings().name() + "'; the length must be 1 to " + recordLengthMax() + ".");
    }

    /** Returns the block for the next record; null if no memory is free. */
    @ColdPath
    private @Nullable BlockBuffer nextBlock(StreamState of, int stride) {
        BlockBuffer fresh = pool.take(settings.buffers() + streams.size());
        if (fresh == null) {
            return null;
        }
        Block last = of.block(of.lastBlock());
        if (of.open != null) {
            runs.close(of.open);
        } else if (last != null && !last.isDamaged) {
            fresh.begin(last, of.resumeOffset);
            if (fresh.fits(stride)) { // left open by a recovery
                last.memoryFrom = of.resumeOffset;
                last.memory = fresh;
                of.open = fresh;
                return fresh;
            }
        }
        Block block = new Block(of.index, of.lastBlock() + 1, of.appended() + 1, false);
        fresh.begin(block, 0);
        block.memory = fresh;
        of.open = fresh;
        of.add(block);
        return fresh;
    }

    @Override
    public int recordLengthMax() {
        return geometry.blockBytes
                - VolumeLayout.RUN_HEADER_LENGTH
                - VolumeLayout.RUN_TRAILER_LENGTH
                - VolumeLayout.RECORD_HEADER_LENGTH;
    }

    @Override
    public int doWork() {
        checkOrder();
        return cycle(0);
    }

    private int cycle(int timeoutMs) {
        int work = devices.poll(timeoutMs);
        checkOrder();
        long nowNs = clock.nanoTime();
        work += runs.retire();
        work += beginSync();
        work += linger(nowNs);
        // Before the blocks: on a device with a queue depth of one, blocks would leave no room for flushes and roots.
        work += runs.flush(nowNs, settings.linger().toNanos(), roots.waitsForFlush());
        work += roots.step();
        work += place();
        return work;
    }

    private int place() {
        try {
            return runs.submit();
        } catch (ChimeraException e) {
            fail(String.valueOf(e.getMessage()));
            throw e;
        }
    }

    /** Ends runs older than the linger time. */
    private int linger(long nowNs) {
        if (nowNs - nextLingerNs < 0) {
            return 0;
        }
        long lingerNs = settings.linger().toNanos();
        int forced = 0;
        for (int i = 0; i < streams.size(); i++) {
            BlockBuffer open = streams.get(i).open;
            if (open != null && open.records > 0 && nowNs - open.sinceNs >= lingerNs) {
                runs.end(open);
                forced++;
            }
        }
        nextLingerNs = nowNs + lingerNs / 8;
        return forced;
    }

    @Override
    public void sync() {
        checkOrder();
        isSyncAsked = true;
        beginSync();
    }

    /**
     * Starts a requested sync if none is running. Requests during a sync share the next sync, with one run per stream.
     */
    private int beginSync() {
        if (!isSyncAsked || runs.isSyncing()) {
            return 0;
        }
        isSyncAsked = false;
        for (StreamState stream : streams) {
            BlockBuffer open = stream.open;
            if (open != null && open.records > 0) {
                runs.end(open);
            }
        }
        runs.sync();
        return 1;
    }

    @Override
    public long appended(int stream) {
        return streams.get(stream).appended();
    }

    @Override
    public long durable(int stream) {
        return streams.get(stream).durable();
    }

    @Override
    public long oldest(int stream) {
        return streams.get(stream).oldestRecord();
    }

    @Override
    public StreamReader reader() {
        return new RecordReader(geometry, hash, devices, streams);
    }

    @Override
    public List<StreamStatus> streams() {
        List<StreamStatus> all = new ArrayList<>();
        for (StreamState stream : streams) {
            StreamSettings held = stream.settings;
            if (held == null) {
                continue;
            }
            Block oldest = stream.block(stream.oldestBlock());
            all.add(new StreamStatus(
                    stream.index,
                    held,
                    stream.appended(),
                    stream.durable(),
                    stream.oldestRecord(),
                    oldest == null ? Long.MAX_VALUE : oldest.timeMinNs,
                    stream.lastBlock() - stream.oldestBlock() + 1,
                    stream.heldBytes(geometry)));
        }
        return all;
    }

    @Override
    public VolumeStatus status() {
        return new VolumeStatus(
                devices.count(),
                (long) geometry.dataSlots() * geometry.blockBytes,
                guarantees.sumBytes(streams),
                guarantees.maxBytes(streams),
                (double) frontier.position() / geometry.slots,
                frontier.placed(),
                frontier.skipped(),
                damaged,
                runs.bytesWritten(),
                flusher.flushes(),
                failure);
    }

    private void fail(String why) {
        if (failure == null) {
            StringBuilder durable = new StringBuilder();
            for (StreamState stream : streams) {
                if (stream.isRemoved()) {
                    continue;
                }
                durable.append(durable.isEmpty() ? "" : ", ")
                        .append(stream.settings().name())
                        .append(" up to record ")
                        .append(stream.durable());
            }
            failure = why + " The volume accepts no more records. Durable: " + (durable.isEmpty() ? "nothing" : durable)
                    + ". Check the devices, then open the volume again.";
        }
    }

    private void checkOrder() {
        if (failure != null) {
            throw new ChimeraException(Category.ERROR, failure);
        }
    }

    @Override
    public void close() {
        try {
            if (failure == null) {
                drain();
                writeRoot(); // tells the next opening which records were acknowledged
            }
        } finally {
            devices.close();
        }
    }
}
