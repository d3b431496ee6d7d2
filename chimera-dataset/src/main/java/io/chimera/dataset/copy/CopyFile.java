package io.chimera.dataset.copy;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.zip.CRC32C;

/**
 * A file with neighbouring blocks of a copy. Little-endian.
 *
 * <pre>
 *      0  index: per block u32 CRC-32C of the block, u32 CRC-32C of name, number of the file, number of the block and
 *         the field before; 0 and 0 without the block
 *   4096  the blocks, each at its own offset
 * </pre>
 *
 * <p>A block is written before its record. A record is believed if its own checksum is right, and a block if the
 * checksum in its record is right. So a torn record counts as no block, and bytes that did not reach the disk before a
 * crash count as damaged: both are fetched again. Nothing has to be repaired at a start. Two writers of the same block
 * write the same bytes to the same offsets. Immutable; any thread.
 */
final class CopyFile {
    /** Offset of the first block. */
    static final int BLOCKS_AT = 4096;

    private static final int RECORD = 8;

    /** Maximum number of blocks in a file. */
    static final int BLOCKS_MAX = BLOCKS_AT / RECORD;

    /** Wished length of the blocks of a file: the files of a large object are deleted one by one. */
    private static final int FILE_BYTES = 64 << 20;

    /** Bytes after which the device gets the data; otherwise the memory of the machine fills with unwritten pages. */
    private static final int FORCED_BYTES = 16 << 20;

    private final CopyPlace place;
    private final Path path;
    private final int blockBytes;
    private final CopyDisk disk;

    /** Answer to a read. */
    enum Found {
        /** The block is there, and its bytes are right. */
        SOUND,
        /** The block is not there. */
        ABSENT,
        /** The bytes of the block are not the written bytes. */
        DAMAGED
    }

    CopyFile(CopyPlace place, Path folder, int blockBytes, CopyDisk disk) {
        this.place = place;
        this.blockBytes = blockBytes;
        this.disk = disk;
        path = place.file(folder);
    }

    /** Returns the number of blocks in each file of copies. */
    static int blocksPerFile(int blockBytes) {
        return Math.max(1, Math.min(BLOCKS_MAX, FILE_BYTES / blockBytes));
    }

    /**
     * Reads a part of a block; the whole block is checked.
     *
     * @param block number of the block in the file
     * @param length length of the block in bytes; the last one of an object may be shorter
     * @param from offset of the part in the block
     * @param into receives the part from its position to its limit; undefined content unless the answer is sound
     * @throws IOException when the disk fails
     */
    Found read(int block, int length, int from, ByteBuffer into) throws IOException {
        try {
            ByteBuffer entry = ByteBuffer.allocate(RECORD).order(LITTLE_ENDIAN);
            disk.read(path, (long) block * RECORD, entry);
            if (!isRecord(block, entry.flip())) {
                return Found.ABSENT;
            }
            boolean isWhole = from == 0 && into.remaining() == length;
            ByteBuffer whole = isWhole ? into.duplicate() : ByteBuffer.allocate(length);
            int start = whole.position();
            disk.read(path, offset(block), whole);
            whole.position(start);
            CRC32C crc = new CRC32C();
            crc.update(whole.duplicate());
            if ((int) crc.getValue() != entry.getInt(0)) {
                return Found.DAMAGED;
            }
            if (isWhole) {
                into.position(into.limit());
            } else {
                into.put(whole.position(from).limit(from + into.remaining()));
            }
            return Found.SOUND;
        } catch (NoSuchFileException e) {
            return Found.ABSENT;
        } catch (EOFException e) {
            return Files.size(path) < BLOCKS_AT ? Found.ABSENT : Found.DAMAGED;
        }
    }

    /**
     * Writes a block, then its record.
     *
     * @param block number of the block in the file
     * @param bytes the whole block, from the position to the limit; unchanged
     * @throws IOException when the disk fails; the block is not there, or is right
     */
    void write(int block, ByteBuffer bytes) throws IOException {
        CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate());
        if (!Files.exists(path)) {
            Files.createDirectories(path.getParent());
        }
        disk.write(path, offset(block), bytes.duplicate());
        if ((block + 1) * (long) blockBytes % FORCED_BYTES < blockBytes) {
            disk.force(path);
        }
        int value = (int) crc.getValue();
        ByteBuffer entry = ByteBuffer.allocate(RECORD).order(LITTLE_ENDIAN);
        entry.putInt(value).putInt(check(block, value)).flip();
        disk.write(path, (long) block * RECORD, entry);
    }

    /**
     * Removes the record of a block.
     *
     * @throws IOException when the disk fails
     */
    void erase(int block) throws IOException {
        disk.write(path, (long) block * RECORD, ByteBuffer.allocate(RECORD));
    }

    /**
     * Returns the blocks with a record.
     *
     * @throws IOException when the disk fails
     */
    BitSet arrived() throws IOException {
        return arrived(blocksPerFile(blockBytes));
    }

    private BitSet arrived(int blocks) throws IOException {
        BitSet arrived = new BitSet();
        ByteBuffer index = ByteBuffer.allocate(blocks * RECORD).order(LITTLE_ENDIAN);
        try {
            disk.read(path, 0, index);
        } catch (NoSuchFileException e) {
            return arrived;
        } catch (EOFException e) {
            return arrived; // a file has its first block before its first record
        }
        for (int block = 0; block < blocks; block++) {
            if (isRecord(block, index.slice(block * RECORD, RECORD).order(LITTLE_ENDIAN))) {
                arrived.set(block);
            }
        }
        return arrived;
    }

    /**
     * Returns the number of bytes of the index and the blocks with a record, also of a file with blocks of another
     * length. The file system stores no bytes for the holes between the blocks. A file that is no longer than one block
     * counts as a whole. The count is too small by the blocks that a killed process wrote without a record.
     *
     * @param length length of the file in bytes, with the holes
     * @throws IOException when the disk fails
     */
    long writtenBytes(long length) throws IOException {
        if (length <= offset(1)) {
            return length;
        }
        BitSet arrived = arrived(BLOCKS_MAX);
        long whole = Math.max(1, arrived.length()); // blocks up to the last one: the file ends with it
        return BLOCKS_AT + (length - BLOCKS_AT) * arrived.cardinality() / whole;
    }

    private long offset(int block) {
        return BLOCKS_AT + (long) block * blockBytes;
    }

    private boolean isRecord(int block, ByteBuffer entry) {
        int crc = entry.getInt(0);
        int check = entry.getInt(Integer.BYTES);
        return (crc != 0 || check != 0) && check == check(block, crc);
    }

    private int check(int block, int crc) {
        CRC32C sum = new CRC32C();
        sum.update(place.name().getBytes(US_ASCII));
        sum.update(ByteBuffer.allocate(Long.BYTES + 2 * Integer.BYTES)
                .order(LITTLE_ENDIAN)
                .putLong(place.number())
                .putInt(block)
                .putInt(crc)
                .flip());
        return (int) sum.getValue();
    }
}
