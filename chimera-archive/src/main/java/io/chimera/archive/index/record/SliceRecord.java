package io.chimera.archive.index.record;

import io.chimera.archive.index.key.KeyBits;
import java.util.List;
import org.agrona.DirectBuffer;

/**
 * Blocks of the level-2 signatures of all groups of a bundle, bit-sliced: 256 slices per block; slice i holds bit i of
 * the block for every group, one bit per group. A split-block key has all its bits in one block, so one record answers
 * a probe.
 *
 * <pre>
 *   header (type 2) | first block | blocks | bytes of a slice | for each block: 256 slices
 * </pre>
 *
 * @param firstBlock number of the first block
 * @param blocks number of blocks
 * @param sliceBytes bytes of a slice: one bit per group, rounded up
 * @param start start of the slices in the record
 */
public record SliceRecord(int firstBlock, int blocks, int sliceBytes, int start) {
    static final byte TYPE = 2;
    /** Minimum length: a read below one page saves nothing. */
    private static final int LENGTH_MIN = 4 << 10;

    private static final int HANDLE_LENGTH = 10;

    /**
     * Returns the number of blocks per record. A probe reads one slice record and the handles of all slice records;
     * their total length is minimal when both are equally long.
     */
    public static int blocksPerRecord(int groups, int blocks) {
        int blockBytes = KeyBits.BLOCK_BITS * sliceBytes(groups);
        int shortest = (int) Math.round(Math.sqrt((double) blocks * HANDLE_LENGTH / blockBytes));
        return Math.max(Math.max(1, LENGTH_MIN / blockBytes), shortest);
    }

    static int sliceBytes(int groups) {
        return (groups + Byte.SIZE - 1) / Byte.SIZE;
    }

    /**
     * Encodes a record. Signatures are converted to one length: a target block is the union of the source blocks with a
     * common part of the hash range.
     *
     * @param signatures signatures of the groups, of any lengths
     * @param length blocks of the converted signatures
     */
    public static RecordOutput encode(
            RecordOutput out, List<long[]> signatures, int length, int firstBlock, int blocks, KeyBits bits) {
        int groups = signatures.size();
        int sliceBytes = sliceBytes(groups);
        out.begin(TYPE, bits);
        out.putCount(firstBlock).putCount(blocks).putCount(sliceBytes);
        int words = (groups + Long.SIZE - 1) / Long.SIZE;
        long[][] squares = new long[words][Long.SIZE];
        for (int block = firstBlock; block < firstBlock + blocks; block++) {
            for (int quarter = 0; quarter < KeyBits.BLOCK_LONGS; quarter++) {
                gather(squares, signatures, length, block, quarter);
                for (int slice = 0; slice < Long.SIZE; slice++) {
                    for (int word = 0; word < words; word++) {
                        out.putBytes(squares[word][slice], Math.min(Long.BYTES, sliceBytes - word * Long.BYTES));
                    }
                }
            }
        }
        return out;
    }

    /**
     * Converts the slices of a record back to signatures.
     *
     * @param signatures receives the blocks of this record for all groups
     */
    static void unslice(RecordInput in, DirectBuffer record, long[][] signatures) throws DamagedRecordException {
        SliceRecord slices = decode(in, signatures.length);
        int words = (signatures.length + Long.SIZE - 1) / Long.SIZE;
        long[] square = new long[Long.SIZE];
        for (int i = 0; i < slices.blocks * KeyBits.BLOCK_LONGS * words; i++) {
            int word = i % words;
            int at = slices.firstBlock * KeyBits.BLOCK_LONGS + i / words;
            for (int slice = 0; slice < Long.SIZE; slice++) {
                int from = slices.offset(at * Long.SIZE + slice) + word * Long.BYTES;
                square[slice] = part(record, from, Math.min(Long.BYTES, slices.sliceBytes - word * Long.BYTES));
            }
            transpose(square);
            for (int j = word * Long.SIZE; j < Math.min(signatures.length, (word + 1) * Long.SIZE); j++) {
                if (at >= signatures[j].length) {
                    throw new DamagedRecordException("slices of too many blocks");
                }
                signatures[j][at] = square[j % Long.SIZE];
            }
        }
    }

    private static long part(DirectBuffer record, int from, int bytes) {
        long part = 0;
        for (int i = 0; i < bytes; i++) {
            part |= (record.getByte(from + i) & 0xFFL) << (Byte.SIZE * i);
        }
        return part;
    }

    private static void gather(long[][] squares, List<long[]> signatures, int length, int block, int quarter) {
        for (int word = 0; word < squares.length; word++) {
            long[] square = squares[word];
            for (int i = 0; i < Long.SIZE; i++) {
                int group = word * Long.SIZE + i;
                square[i] = group < signatures.size() ? part(signatures.get(group), length, block, quarter) : 0;
            }
            transpose(square);
        }
    }

    private static long part(long[] signature, int length, int block, int quarter) {
        long blocks = signature.length / KeyBits.BLOCK_LONGS;
        int from = (int) (block * blocks / length);
        int to = (int) (((block + 1) * blocks + length - 1) / length);
        return KeyBits.folded(signature, from, to, quarter);
    }

    /**
     * Transposes a 64 x 64 bit matrix: bit j of long i becomes bit i of long j. Swaps blocks of half the size, a
     * quarter and so on.
     */
    static void transpose(long[] square) {
        long mask = 0xFFFF_FFFFL;
        for (int width = Long.SIZE / 2; width > 0; width >>>= 1, mask ^= mask << width) {
            for (int i = 0; i < Long.SIZE; i = (i + width + 1) & ~width) {
                long swapped = (square[i] >>> width ^ square[i + width]) & mask;
                square[i] ^= swapped << width;
                square[i + width] ^= swapped;
            }
        }
    }

    /** Decodes the head of a record. */
    static SliceRecord decode(RecordInput in, int groups) throws DamagedRecordException {
        int firstBlock = in.count(IndexSettings.GROUP_BLOCKS_MAX, 0);
        int blocks = in.count(IndexSettings.GROUP_BLOCKS_MAX, 0);
        int sliceBytes = in.count(IndexSettings.SLICE_GROUPS_MAX, 0);
        if (sliceBytes != sliceBytes(groups)) {
            throw new DamagedRecordException("slices with a wrong number of groups");
        }
        long length = (long) blocks * KeyBits.BLOCK_BITS * sliceBytes;
        return new SliceRecord(firstBlock, blocks, sliceBytes, in.take((int) Math.min(length, Integer.MAX_VALUE)));
    }

    /** Returns the offset of a bit's slice in the record. */
    int offset(int position) throws DamagedRecordException {
        int slice = position - firstBlock * KeyBits.BLOCK_BITS;
        if (slice < 0 || slice >= blocks * KeyBits.BLOCK_BITS) {
            throw new DamagedRecordException("slices of other blocks");
        }
        return start + slice * sliceBytes;
    }
}
