package io.chimera.queue.journal.read;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.chimera.common.wire.BatchLayout;
import io.chimera.common.wire.BodyReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.zip.CRC32C;
import net.openhft.chronicle.wire.Wires;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Walks the excerpts of one Chronicle file by positional reads into a private buffer. One thread.
 *
 * <pre>
 *   0                4
 *   +----------------+-------------------+ padded to 4
 *   | excerpt header | batch, or metadata|
 *   +----------------+-------------------+
 *   header = 30 bits of length, bit 30 metadata, bit 31 not complete; both without length: end of the file; 0: nothing
 * </pre>
 *
 * <p>Reads use {@code pread} instead of a mapping for four reasons. The batch must be copied anyway. A file deleted
 * during a read simply ends. A missing page of a truncated file cannot crash the JVM. Chronicle's own tailer waits for
 * seconds at a damaged place.
 */
public final class ExcerptReader implements AutoCloseable {
    /** Offset of the batch in the buffer. */
    public static final int BATCH_OFFSET = 8;

    private static final int HEADER_OFFSET = BATCH_OFFSET - Wires.SPB_HEADER_SIZE;

    /**
     * Bytes of the first read. The read covers a small batch completely, and copying a page costs a fraction of the
     * system call.
     */
    private static final int PEEK_LENGTH = 4 << 10;

    /** Kind of data at an offset. */
    public enum Found {
        /** A complete excerpt, possibly a batch. */
        BATCH,
        /** Chronicle's own structures. */
        METADATA,
        /** Chronicle's end mark of a completed file. */
        END_MARK,
        /** Zeros: nothing was written. */
        NOTHING,
        /** Chronicle began an excerpt and did not complete the excerpt. */
        UNFINISHED,
        /** The file ends within the header. An intact file always has zeros after the last excerpt. */
        CUT
    }

    private final CRC32C crc = new CRC32C();
    private final BodyReader body = new BodyReader();
    private final ByteBuffer bytes;
    private final UnsafeBuffer buffer;

    /** The open file; null without a file. */
    private @Nullable FileChannel channel;

    private long offset;
    private int filled;
    private int excerptLength;

    /**
     * Creates a reader without a file.
     *
     * @param bytes buffer of {@link #bufferLength()} bytes
     */
    public ExcerptReader(ByteBuffer bytes) {
        this.bytes = bytes;
        buffer = new UnsafeBuffer(bytes);
    }

    /** Creates a reader with a new buffer. */
    public static ExcerptReader make() {
        return new ExcerptReader(ByteBuffer.allocateDirect(bufferLength()));
    }

    public static int bufferLength() {
        return BATCH_OFFSET + BatchLayout.LENGTH_MAX;
    }

    public void open(Path path) throws IOException {
        close();
        channel = FileChannel.open(path, StandardOpenOption.READ);
    }

    public boolean isOpen() {
        return channel != null && channel.isOpen();
    }

    /** Reads the excerpt header at an offset. */
    public Found peek(long at) throws IOException {
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

    /** Offset of the next excerpt. */
    public long next() {
        return (offset + Wires.SPB_HEADER_SIZE + excerptLength + 3) & ~3L;
    }

    /** Whether the current excerpt, by its header, contains records of a stream at or after a sequence number. */
    public boolean isOf(long stream, long seq) {
        return filled >= Wires.SPB_HEADER_SIZE + BatchLayout.HEADER_LENGTH
                && BatchLayout.stream(buffer, BATCH_OFFSET) == stream
                && lastSeq() >= seq;
    }

    /** Reads the complete batch; false when the batch is damaged. */
    public boolean fetch() throws IOException {
        if (excerptLength < BatchLayout.HEADER_LENGTH || excerptLength > BatchLayout.LENGTH_MAX) {
            return false;
        }
        fill(Wires.SPB_HEADER_SIZE + excerptLength);
        return filled >= Wires.SPB_HEADER_SIZE + excerptLength
                && BatchLayout.length(buffer, BATCH_OFFSET) == excerptLength
                && BatchLayout.isIntact(buffer, BATCH_OFFSET, excerptLength, crc);
    }

    /** Reads the complete batch and also validates its body, for a batch from an unchecked file. */
    boolean fetchWhole() throws IOException {
        return fetch() && BatchLayout.hasSoundBody(buffer, BATCH_OFFSET, body);
    }

    /** Whether only zeros follow an empty place, up to the maximum length of a batch. */
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

    public long stream() {
        return BatchLayout.stream(buffer, BATCH_OFFSET);
    }

    public long firstSeq() {
        return BatchLayout.firstSeq(buffer, BATCH_OFFSET);
    }

    int count() {
        return BatchLayout.count(buffer, BATCH_OFFSET);
    }

    public long lastSeq() {
        return firstSeq() + count() - 1;
    }

    public DirectBuffer buffer() {
        return buffer;
    }

    ByteBuffer bytes() {
        return bytes;
    }

    /** Reads until the buffer holds {@code wanted} bytes from the excerpt's header on, or until the end of the file. */
    private void fill(int wanted) throws IOException {
        int length = Math.min(wanted, bytes.capacity() - HEADER_OFFSET);
        bytes.limit(HEADER_OFFSET + length).position(Math.min(HEADER_OFFSET + filled, bytes.limit()));
        FileChannel file = Objects.requireNonNull(channel, "a file is opened before its first excerpt is read");
        while (bytes.hasRemaining() && file.read(bytes, offset + bytes.position() - HEADER_OFFSET) >= 0) {
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
