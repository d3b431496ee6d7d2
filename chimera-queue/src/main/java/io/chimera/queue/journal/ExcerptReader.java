package io.chimera.queue.journal;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.chimera.common.wire.BatchLayout;
import io.chimera.common.wire.BodyReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;
import net.openhft.chronicle.wire.Wires;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Walks the excerpts of one Chronicle file by positional reads into a buffer of its own. One thread.
 *
 * <pre>
 *   0                4
 *   +----------------+-------------------+ padded to 4
 *   | excerpt header | batch, or metadata|
 *   +----------------+-------------------+
 *   header = 30 bits of length, bit 30 metadata, bit 31 not complete; both without length: end of the file; 0: nothing
 * </pre>
 *
 * <p>Reading by {@code pread} and not through a mapping: a batch has to be copied out anyway, a file that is deleted
 * meanwhile just ends, no page that a short file lacks can bring down the JVM, and Chronicle's own tailer waits for
 * seconds where a file is damaged.
 */
final class ExcerptReader implements AutoCloseable {
    /** Where a batch begins in the buffer. */
    static final int BATCH_OFFSET = 8;

    private static final int HEADER_OFFSET = BATCH_OFFSET - Wires.SPB_HEADER_SIZE;

    /** Read at first: a small batch is whole in it, and a page is copied in a fraction of what the call costs. */
    private static final int PEEK_LENGTH = 4 << 10;

    /** What lies at an offset. */
    enum Found {
        /** A finished excerpt that may be a batch. */
        BATCH,
        /** Chronicle's own structures. */
        METADATA,
        /** The mark that Chronicle sets at the end of a file it has left. */
        END_MARK,
        /** Nothing was written here. */
        NOTHING,
        /** Chronicle began to write here and did not end. */
        UNFINISHED,
        /** The file ends before the header does: behind what is written there are always zeros. */
        CUT
    }

    private final CRC32C crc = new CRC32C();
    private final BodyReader body = new BodyReader();
    private final ByteBuffer bytes;
    private final UnsafeBuffer buffer;

    private FileChannel channel;
    private long offset;
    private int filled;
    private int excerptLength;

    /**
     * A reader of no file yet.
     *
     * @param bytes of {@link #bufferLength()}
     */
    ExcerptReader(ByteBuffer bytes) {
        this.bytes = bytes;
        buffer = new UnsafeBuffer(bytes);
    }

    /** A reader with a buffer of its own. */
    static ExcerptReader make() {
        return new ExcerptReader(ByteBuffer.allocateDirect(bufferLength()));
    }

    static int bufferLength() {
        return BATCH_OFFSET + BatchLayout.LENGTH_MAX;
    }

    void open(Path path) throws IOException {
        close();
        channel = FileChannel.open(path, StandardOpenOption.READ);
    }

    boolean isOpen() {
        return channel != null && channel.isOpen();
    }

    /** Looks at the excerpt at an offset. */
    Found peek(long at) throws IOException {
        offset = at;
        filled = 0;
        fill(PEEK_LENGTH);
        if (filled < Wires.SPB_HEADER_SIZE) {
            return Found.CUT;
        }
        int header = buffer.getInt(HEADER_OFFSET, LITTLE_ENDIAN);
        excerptLength = Wires.lengthOf(header);
        if (header == Wires.END_OF_DATA) {
            return Found.END_MARK;
        }
        if (header == Wires.NOT_INITIALIZED) {
            return Found.NOTHING;
        }
        if (Wires.isNotComplete(header)) {
            return Found.UNFINISHED;
        }
        return Wires.isReadyMetaData(header) ? Found.METADATA : Found.BATCH;
    }

    /** Offset of the excerpt behind the one that was looked at. */
    long next() {
        return (offset + Wires.SPB_HEADER_SIZE + excerptLength + 3) & ~3L;
    }

    /** Whether the excerpt that was looked at holds, by its header, records of a stream from a sequence number on. */
    boolean isOf(long stream, long seq) {
        return filled >= Wires.SPB_HEADER_SIZE + BatchLayout.HEADER_LENGTH
                && BatchLayout.stream(buffer, BATCH_OFFSET) == stream
                && lastSeq() >= seq;
    }

    /** Reads the batch to its end; false when it is not as it was written. */
    boolean fetch() throws IOException {
        if (excerptLength < BatchLayout.HEADER_LENGTH || excerptLength > BatchLayout.LENGTH_MAX) {
            return false;
        }
        fill(Wires.SPB_HEADER_SIZE + excerptLength);
        return filled >= Wires.SPB_HEADER_SIZE + excerptLength
                && BatchLayout.length(buffer, BATCH_OFFSET) == excerptLength
                && BatchLayout.isIntact(buffer, BATCH_OFFSET, excerptLength, crc);
    }

    /** The same for a batch of which nothing is known, whose body is walked, too. */
    boolean fetchWhole() throws IOException {
        return fetch() && BatchLayout.hasSoundBody(buffer, BATCH_OFFSET, body);
    }

    /** Whether only zeros follow where nothing was found, as far as a batch can be long. */
    boolean isBlank() throws IOException {
        fill(buffer.capacity());
        int end = HEADER_OFFSET + filled;
        int index = HEADER_OFFSET;
        while (index + Long.BYTES <= end && buffer.getLong(index) == 0) {
            index += Long.BYTES;
        }
        while (index < end && buffer.getByte(index) == 0) {
            index++;
        }
        return index == end;
    }

    long stream() {
        return BatchLayout.stream(buffer, BATCH_OFFSET);
    }

    long firstSeq() {
        return BatchLayout.firstSeq(buffer, BATCH_OFFSET);
    }

    int count() {
        return BatchLayout.count(buffer, BATCH_OFFSET);
    }

    long lastSeq() {
        return firstSeq() + count() - 1;
    }

    DirectBuffer buffer() {
        return buffer;
    }

    ByteBuffer bytes() {
        return bytes;
    }

    /** Reads until so many bytes from the excerpt's header on are in the buffer, or the file ends. */
    private void fill(int wanted) throws IOException {
        int length = Math.min(wanted, bytes.capacity() - HEADER_OFFSET);
        bytes.limit(HEADER_OFFSET + length).position(Math.min(HEADER_OFFSET + filled, bytes.limit()));
        while (bytes.hasRemaining() && channel.read(bytes, offset + bytes.position() - HEADER_OFFSET) >= 0) {
            filled = bytes.position() - HEADER_OFFSET;
        }
        bytes.clear();
    }

    @Override
    public void close() throws IOException {
        if (channel != null) {
            channel.close();
            channel = null;
        }
    }
}
