package io.chimera.archive.streamfs;

import static io.chimera.archive.streamfs.VolumeLayout.RECORD_HEADER_LENGTH;
import static io.chimera.archive.streamfs.VolumeLayout.RUN_HEADER_LENGTH;

import java.util.zip.CRC32C;

/** Reads a stream from block to block, each with one read. Of one reader's thread. */
final class BlockCursor implements StreamCursor {
    private final StreamState of;
    private final SipHash hash;
    private final BlockWalk walk;
    private final CRC32C crc = new CRC32C();
    private long number;
    /** The damage behind the end of the block was reported. */
    private boolean isShortTold;

    BlockCursor(Geometry geometry, SipHash hash, DeviceSet devices, StreamState of, long fromNs) {
        this.of = of;
        this.hash = hash;
        walk = new BlockWalk(geometry, hash, devices, of);
        number = firstBlock(fromNs) - 1;
    }

    /** The first block that has a record of the time or later, or may have had one: a damaged one does not tell. */
    private long firstBlock(long fromNs) {
        long first = of.oldestBlock();
        for (long number = first; number < of.lastBlock(); number++) {
            Block block = of.block(number);
            boolean isKnown = block != null && block.end > 0 && !block.isDamaged && !block.isShort;
            if (isKnown && block.timeMaxNs >= fromNs) {
                break;
            }
            first = block == null || isKnown ? number + 1 : first;
        }
        return first;
    }

    @Override
    public boolean next(RecordView into) {
        while (true) {
            long last = of.lastBlock(); // before the end of the block: behind it comes none when it is not the last
            if (walk.block() == null || BlockReader.isGone(of, walk.block())) {
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

    /** Goes to the next block, or where that is gone to the oldest. Returns false when there is none. */
    private boolean enter(long last) {
        long next = Math.max(number + 1, of.oldestBlock());
        Block block = next > last ? null : of.block(next);
        if (block == null) {
            return next <= last; // gone in between: look again
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
            walk.begin(block, block.end); // nothing more of this block
        }
        return error;
    }

    @Override
    public void close() {
        walk.reader().close();
    }
}
