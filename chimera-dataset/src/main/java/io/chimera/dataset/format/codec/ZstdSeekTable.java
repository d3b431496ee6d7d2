package io.chimera.dataset.format.codec;

import io.chimera.dataset.format.ObjectBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Seek table of the zstd seekable format: a skippable frame at the end of the object.
 *
 * <pre>
 *   magic 0x184D2A5E  u32 | length of entries and footer  u32
 *   entries: compressed length u32 | content length u32 | checksum u32 if the descriptor says so
 *   footer:  number of frames u32 | descriptor u8 | magic 0x8F92EAB1  u32
 * </pre>
 *
 * <p>Entries are read in ascending order through a small buffer. The table is a hint: readers check each border.
 */
final class ZstdSeekTable {
    private static final int MAGIC = 0x184D2A5E;
    private static final int FOOTER_MAGIC = 0x8F92EAB1;
    private static final int FOOTER_BYTES = 9;
    private static final int DESCRIPTOR_CHECKSUM = 0x80;
    private static final int DESCRIPTOR_RESERVED = 0x7C;
    private static final int ENTRIES_IN_BUFFER = 4096;

    private final ObjectBytes object;
    private final long offset;
    private final long frames;
    private final int entryBytes;
    private final ByteBuffer buffer;

    /** Number of the first entry after the buffered entries. */
    private long next;

    private ZstdSeekTable(ObjectBytes object, long offset, long frames, int entryBytes) {
        this.object = object;
        this.offset = offset;
        this.frames = frames;
        this.entryBytes = entryBytes;
        this.buffer = ByteBuffer.allocate(ENTRIES_IN_BUFFER * entryBytes)
                .order(ByteOrder.LITTLE_ENDIAN)
                .limit(0);
    }

    /** Finds the table; null when the object does not end with a whole one. */
    static @Nullable ZstdSeekTable find(ObjectBytes object) throws IOException {
        long length = object.length();
        ObjectPieces pieces = new ObjectPieces(object);
        if (length < SkippableFrame.HEADER_BYTES + FOOTER_BYTES
                || pieces.read(length - FOOTER_BYTES, FOOTER_BYTES) < FOOTER_BYTES) {
            return null;
        }
        long frames = pieces.piece().getInt(0) & 0xFFFFFFFFL;
        int descriptor = pieces.piece().get(4);
        if (pieces.piece().getInt(5) != FOOTER_MAGIC || (descriptor & DESCRIPTOR_RESERVED) != 0) {
            return null;
        }
        int entryBytes = (descriptor & DESCRIPTOR_CHECKSUM) != 0 ? 12 : 8;
        long tableBytes = frames * entryBytes + FOOTER_BYTES;
        long offset = length - tableBytes - SkippableFrame.HEADER_BYTES;
        if (offset < 0 || pieces.read(offset, SkippableFrame.HEADER_BYTES) < SkippableFrame.HEADER_BYTES) {
            return null;
        }
        boolean isTable = pieces.piece().getInt(0) == MAGIC && (pieces.piece().getInt(4) & 0xFFFFFFFFL) == tableBytes;
        return isTable ? new ZstdSeekTable(object, offset, frames, entryBytes) : null;
    }

    /** Offset of the table in the object. */
    long offset() {
        return offset;
    }

    /** Number of frames before the table. */
    long frames() {
        return frames;
    }

    /** Returns the length as stored of the next frame, from the first frame on; at most one call per frame. */
    long nextLength() throws IOException {
        if (!buffer.hasRemaining()) {
            buffer.clear();
            int entries = (int) Math.min(ENTRIES_IN_BUFFER, frames - next);
            buffer.limit(entries * entryBytes);
            long at = offset + SkippableFrame.HEADER_BYTES + next * entryBytes;
            while (buffer.hasRemaining()) {
                if (object.read(at + buffer.position(), buffer) < 0) {
                    throw new IllegalStateException("the object ends within the seek table that was found in it");
                }
            }
            buffer.flip();
            next += entries;
        }
        long length = buffer.getInt(buffer.position()) & 0xFFFFFFFFL;
        buffer.position(buffer.position() + entryBytes);
        return length;
    }
}
