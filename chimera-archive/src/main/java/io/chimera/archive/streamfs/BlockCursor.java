package io.chimera.archive.streamfs;

import static io.chimera.archive.streamfs.layout.VolumeLayout.RECORD_HEADER_LENGTH;
import static io.chimera.archive.streamfs.layout.VolumeLayout.RUN_HEADER_LENGTH;

import io.chimera.archive.streamfs.layout.DeviceSet;
import io.chimera.archive.streamfs.layout.Geometry;
import io.chimera.archive.streamfs.layout.HandleLayout;
import io.chimera.archive.streamfs.layout.RecordLayout;
import io.chimera.archive.streamfs.layout.SipHash;
import io.chimera.archive.streamfs.store.RecordView;
import io.chimera.archive.streamfs.store.StreamCursor;
import java.util.zip.CRC32C;

/** Reads a stream block by block, with one device read per block. Confined to one reader's thread. */
final class BlockCursor implements StreamCursor {
    private final StreamState of;
    private final SipHash hash;
    private final BlockWalk walk;
    private final CRC32C crc = new CRC32C();
    private long number;
    /** True once the damage after the end of the current block was reported. */
    private boolean isShortTold;

    BlockCursor(Geometry geometry, SipHash hash, DeviceSet devices, StreamState of, long fromNs) {
        this.of = of;
        this.hash = hash;
        walk = new BlockWalk(geometry, hash, devices, of);
        number = firstBlock(fromNs) - 1;
    }

    /**
     * Returns the first block with a record at or after the time. A damaged block counts as a match, because its times
     * are unknown.
     */
    private long firstBlock(long fromNs) {
        long first = of.oldestBlock();
        for (long number = first; number < of.lastBlock(); number++) {
            Block block = of.block(number);
            boolean isUnknown = block != null && (block.end == 0 || block.isDamaged || block.isShort);
            if (block != null && !isUnknown && block.timeMaxNs >= fromNs) {
                break;
            }
            first = isUnknown ? first : number + 1;
        }
        return first;
    }

    @Override
    public boolean next(RecordView into) {
        while (true) {
            // read before the block's end: a block gets no more records once a later block exists
            long last = of.lastBlock();
            if (BlockReader.isGone(of, walk.block())) {
                if (!enter(last)) {
                    return false;
                }
                continue;
            }
            int at = walk.next();
            if (at >= 0) {
                return show(at, into);
            }
            if (at == BlockWalk.BROKEN && !BlockReader.isGone(of, walk.block())) {
                throw damaged();
            }
            if (at == BlockWalk.END && walk.block().isShort && !isShortTold) {
                isShortTold = true;
                throw walk.reader().damaged(of, walk.block(), walk.block().end);
            }
            if (at == BlockWalk.END && (number >= last || !enter(last))) {
                return false;
            }
        }
    }

    /**
     * Goes to the next block, or to the oldest held block if the next is overwritten. Returns false at the end of the
     * stream.
     */
    private boolean enter(long last) {
        long next = Math.max(number + 1, of.oldestBlock());
        Block block = next > last ? null : of.block(next);
        if (block == null) {
            return next <= last; // overwritten in between: retry
        }
        number = next;
        isShortTold = false;
        walk.begin(block, RUN_HEADER_LENGTH);
        if (block.isDamaged) {
            throw walk.reader().damaged(of, block, 0);
        }
        return true;
    }

    private boolean show(int at, RecordView into) {
        BlockReader reader = walk.reader();
        if (!RecordLayout.isWhole(crc, reader.buffer(), at)) {
            throw reader.damaged(of, walk.block(), walk.offset());
        }
        int length = RecordLayout.length(reader.buffer(), at);
        long location =
                HandleLayout.location(of.index, walk.block().number, walk.offset(), RECORD_HEADER_LENGTH + length);
        long check = HandleLayout.check(hash, location, RecordLayout.mac(reader.buffer(), at));
        RecordReader.show(reader, at, of, location, check, into);
        return true;
    }

    private RuntimeException damaged() {
        Block block = walk.block();
        RuntimeException error = walk.reader().damaged(of, block, walk.offset());
        if (!walk.skipDamage()) {
            walk.begin(block, block.end); // skip the rest of this block
        }
        return error;
    }

    @Override
    public void close() {
        walk.reader().close();
    }
}
