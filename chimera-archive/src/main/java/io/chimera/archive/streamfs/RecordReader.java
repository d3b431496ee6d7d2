package io.chimera.archive.streamfs;

import static io.chimera.archive.streamfs.layout.VolumeLayout.RECORD_HEADER_LENGTH;
import static io.chimera.archive.streamfs.layout.VolumeLayout.RUN_HEADER_LENGTH;

import io.chimera.archive.streamfs.layout.DeviceSet;
import io.chimera.archive.streamfs.layout.Geometry;
import io.chimera.archive.streamfs.layout.HandleLayout;
import io.chimera.archive.streamfs.layout.RecordLayout;
import io.chimera.archive.streamfs.layout.SipHash;
import io.chimera.archive.streamfs.store.RecordHandle;
import io.chimera.archive.streamfs.store.RecordView;
import io.chimera.archive.streamfs.store.StreamCursor;
import io.chimera.archive.streamfs.store.StreamReader;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Reads records by handle, with one read of their sectors each. The check of the handle is verified first; a forged
 * handle causes no read.
 */
final class RecordReader implements StreamReader {
    private final Geometry geometry;
    private final SipHash hash;
    private final DeviceSet devices;
    private final List<StreamState> streams;
    private final BlockReader reader;
    private final CRC32C crc = new CRC32C();

    /** Block of the bytes in the reader's memory; null if nothing is loaded. */
    private @Nullable Block loaded;

    private int loadedFrom;
    private int loadedBytes;

    RecordReader(Geometry geometry, SipHash hash, DeviceSet devices, List<StreamState> streams) {
        this.geometry = geometry;
        this.hash = hash;
        this.devices = devices;
        this.streams = streams;
        reader = new BlockReader(geometry, devices);
    }

    @Override
    public void readAhead(RecordHandle first, RecordHandle last) {
        loaded = null;
        if (!first.isBeside(last)
                || !HandleLayout.isGenuine(hash, first.location(), first.check())
                || !HandleLayout.isGenuine(hash, last.location(), last.check())
                || HandleLayout.stream(first.location()) >= streams.size()) {
            return;
        }
        StreamState of = streams.get(HandleLayout.stream(first.location()));
        Block block = held(of, HandleLayout.block(first.location(), of.lastBlock()));
        int offset = HandleLayout.offset(first.location());
        int end = Math.min(
                HandleLayout.offset(last.location()) + HandleLayout.lengthMax(last.location()), geometry.blockBytes);
        if (block == null || block.isDamaged || end <= offset) {
            return;
        }
        try {
            load(of, block, offset, end - offset);
        } catch (ChimeraException e) {
            loaded = null; // reported by the read of the affected record
        }
    }

    private int load(StreamState of, Block block, int offset, int length) {
        loaded = null;
        int available = reader.load(of, block, offset, length);
        if (available > 0) {
            loaded = block;
            loadedFrom = offset;
            loadedBytes = available;
        }
        return available;
    }

    @Override
    public boolean read(RecordHandle handle, RecordView into) {
        long location = handle.location();
        int index = HandleLayout.stream(location);
        if (!HandleLayout.isGenuine(hash, location, handle.check())) {
            throw new ChimeraException(
                    Category.ERROR,
                    "Handle " + Long.toHexString(location) + " " + Long.toHexString(handle.check())
                            + " is not of this volume: the handle is damaged or forged.");
        }
        if (index >= streams.size()) {
            return false; // the creation of the stream never became durable
        }
        StreamState of = streams.get(index);
        long number = HandleLayout.block(location, of.lastBlock());
        Block block = held(of, number);
        return block != null && read(of, block, handle, into);
    }

    private static @Nullable Block held(StreamState of, long number) {
        while (number >= of.oldestBlock() && number <= of.lastBlock()) {
            Block block = of.block(number);
            if (block != null) {
                return block;
            }
        }
        return null;
    }

    private boolean read(StreamState of, Block block, RecordHandle handle, RecordView into) {
        int offset = HandleLayout.offset(handle.location());
        if (block.isDamaged) {
            throw reader.damaged(of, block, offset);
        }
        if (!isLoaded(of, block, offset)) {
            int length = Math.min(HandleLayout.lengthMax(handle.location()), geometry.blockBytes - offset);
            int available = load(of, block, offset, length);
            if (available == 0 && block.isShort) {
                throw reader.damaged(of, block, offset);
            }
            if (available <= 0) {
                return false;
            }
            if (!isLoaded(of, block, offset)) {
                return isLost(of, block, offset);
            }
        }
        int at = reader.start() + offset - loadedFrom;
        if (!HandleLayout.names(handle.check(), RecordLayout.mac(reader.buffer(), at))) {
            return false; // after a loss of power another record took the place
        }
        if (!RecordLayout.isWhole(crc, reader.buffer(), at)) {
            throw reader.damaged(of, block, offset);
        }
        show(reader, at, of, handle.location(), handle.check(), into);
        return true;
    }

    /**
     * Returns true if memory holds the whole record. Appended records never change, so a loaded record is as good as a
     * fresh read.
     */
    private boolean isLoaded(StreamState of, Block block, int offset) {
        int limit = reader.start() + loadedBytes;
        return loaded == block
                && offset >= loadedFrom
                && RecordLayout.isGenuine(
                        hash,
                        reader.buffer(),
                        reader.start() + offset - loadedFrom,
                        limit,
                        of.index,
                        block.number,
                        offset);
    }

    static void show(BlockReader reader, int at, StreamState of, long location, long check, RecordView into) {
        into.wrap(
                of.index,
                RecordLayout.number(reader.buffer(), at),
                RecordLayout.timeNs(reader.buffer(), at),
                location,
                check);
        into.buffer().wrap(reader.buffer(), at + RECORD_HEADER_LENGTH, RecordLayout.length(reader.buffer(), at));
    }

    /**
     * Decides about a record missing at the location of a genuine handle. Returns false if a loss of power took the
     * record and later records have other boundaries; throws if the record is damaged.
     */
    private boolean isLost(StreamState of, Block block, int offset) {
        BlockWalk walk = new BlockWalk(geometry, hash, devices, of);
        int at;
        try {
            walk.begin(block, RUN_HEADER_LENGTH);
            at = walk.next();
            while (at >= 0 && walk.offset() < offset) {
                at = walk.next();
            }
        } finally {
            walk.reader().close();
        }
        if (BlockReader.isGone(of, block) || at != BlockWalk.BROKEN) {
            return false;
        }
        throw reader.damaged(of, block, offset);
    }

    @Override
    public StreamCursor cursor(int stream, long fromNs) {
        return new BlockCursor(geometry, hash, devices, streams.get(stream), fromNs);
    }

    @Override
    public void close() {
        loaded = null;
        reader.close();
    }
}
