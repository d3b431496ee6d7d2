package io.chimera.dataset.compute;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The result of a split on disk: its pieces, then an index, then a trailer. The file has its name only once it is whole
 * and durable, so a file that is there is the result. Little-endian. One thread reads.
 *
 * <pre>
 *   pieces      the bytes of all pieces, one after the other
 *   rejects     text of the rejected events that are kept
 *   index       per piece: u32 pipeline, u32 length, i64 window start, i64 offset, u32 CRC-32C, u32 0
 *   trailer     i64 accepted points, i64 rejected events, i64 offset of the rejects, i64 offset of the index,
 *               u32 pieces, u32 CRC-32C of the rejects, u32 CRC-32C of the index and the trailer up to here, u32 0,
 *               8 bytes "CHIPIEC2"
 * </pre>
 */
public final class PieceFile {
    private static final int ENTRY = 32;
    private static final int TRAILER = 56;
    private static final long MAGIC = 0x3243_4549_5049_4843L; // CHIPIEC2

    /** Offsets of the fields in the trailer. */
    private static final int REJECTED = 8;

    private static final int REJECTS_AT = 16;
    private static final int INDEX_AT = 24;
    private static final int PIECES = 32;
    private static final int REJECTS_CRC = 36;
    private static final int INDEX_CRC = 40;
    private static final int MAGIC_AT = 48;

    private final PieceBytes bytes;
    private final List<Piece> pieces;
    private final Totals totals;
    private final String digest;

    /** Numbers of the split, and the place of the rejects in the file. */
    private record Totals(long accepted, long rejected, long rejectsAt, int rejectsLength, int rejectsCrc) {}

    private PieceFile(PieceBytes bytes, List<Piece> pieces, Totals totals, String digest) {
        this.bytes = bytes;
        this.pieces = List.copyOf(pieces);
        this.totals = totals;
        this.digest = digest;
    }

    /**
     * Opens a file of this node.
     *
     * @param path the file
     * @throws io.chimera.dataset.format.FormatException when the file is not a whole file of pieces
     * @throws IOException when the file cannot be read
     */
    public static PieceFile open(Path path) throws IOException {
        return open(PieceBytes.of(path));
    }

    /**
     * Opens a file: reads the index.
     *
     * @param bytes the file
     * @throws IOException when the file cannot be read, or is not a whole file of pieces
     */
    public static PieceFile open(PieceBytes bytes) throws IOException {
        long size = bytes.length();
        if (size < TRAILER) {
            throw bytes.damaged();
        }
        ByteBuffer trailer = read(bytes, size - TRAILER, TRAILER);
        long rejectsAt = trailer.getLong(REJECTS_AT);
        long indexAt = trailer.getLong(INDEX_AT);
        int count = trailer.getInt(PIECES);
        if (trailer.getLong(MAGIC_AT) != MAGIC
                || count < 0
                || rejectsAt < 0
                || indexAt < rejectsAt
                || indexAt - rejectsAt > Integer.MAX_VALUE
                || indexAt + (long) count * ENTRY != size - TRAILER
                || (long) count * ENTRY > Integer.MAX_VALUE) {
            throw bytes.damaged();
        }
        ByteBuffer index = read(bytes, indexAt, count * ENTRY);
        CRC32C crc = new CRC32C();
        crc.update(index.duplicate());
        crc.update(trailer.duplicate().limit(INDEX_CRC));
        if ((int) crc.getValue() != trailer.getInt(INDEX_CRC)) {
            throw bytes.damaged();
        }
        List<Piece> pieces = new ArrayList<>(count);
        for (int at = 0; at < count * ENTRY; at += ENTRY) {
            Piece piece = new Piece(
                    index.getInt(at),
                    index.getLong(at + 8),
                    index.getLong(at + 16),
                    index.getInt(at + 4),
                    index.getInt(at + 24));
            if (piece.length() <= 0 || piece.offset() < 0 || piece.offset() + piece.length() > rejectsAt) {
                throw bytes.damaged();
            }
            pieces.add(piece);
        }
        Totals totals = new Totals(
                trailer.getLong(0),
                trailer.getLong(REJECTED),
                rejectsAt,
                (int) (indexAt - rejectsAt),
                trailer.getInt(REJECTS_CRC));
        return new PieceFile(bytes, pieces, totals, ResultDigest.of(index, trailer));
    }

    private static ByteBuffer read(PieceBytes from, long offset, int length) throws IOException {
        ByteBuffer part = ByteBuffer.allocate(length);
        from.read(offset, part);
        return part.flip().order(LITTLE_ENDIAN);
    }

    /** Returns the pieces in the order in which the split gave them. */
    public List<Piece> pieces() {
        return pieces;
    }

    /** Returns the number of points accepted from the split. */
    public long accepted() {
        return totals.accepted();
    }

    /** Returns the number of events rejected from the split. */
    public long rejected() {
        return totals.rejected();
    }

    /**
     * Reads the text of the rejected events that are kept.
     *
     * @throws IOException when the file cannot be read, or is damaged
     */
    public byte[] rejects() throws IOException {
        byte[] text = read(bytes, totals.rejectsAt(), totals.rejectsLength()).array();
        CRC32C crc = new CRC32C();
        crc.update(text);
        if ((int) crc.getValue() != totals.rejectsCrc()) {
            throw bytes.damaged();
        }
        return text;
    }

    /**
     * Returns the digest of the content: of the index, which has the checksum of each piece.
     *
     * @return 32 hexadecimal digits
     */
    public String digest() {
        return digest;
    }

    /**
     * Reads the whole file.
     *
     * @throws IOException when the file cannot be read, or differs from the written one
     */
    public void verify() throws IOException {
        PieceReader reader = new PieceReader();
        for (Piece piece : pieces) {
            reader.read(bytes, piece);
        }
        rejects();
    }

    /** Returns the bytes of the file, without the index in memory. */
    public PieceBytes bytes() {
        return bytes;
    }

    /** Writes a file of pieces. One thread. */
    public static final class Writer implements PieceSink, AutoCloseable {
        private final Path path;
        private final Path unfinished;
        private final FileChannel channel;
        private final List<Piece> pieces = new ArrayList<>();
        private long position;

        /**
         * Begins a file under another name, beside its place.
         *
         * @param path the file
         * @throws IOException when the file cannot be created
         */
        public Writer(Path path) throws IOException {
            this.path = path;
            unfinished = path.resolveSibling(path.getFileName() + ".part");
            channel = FileChannel.open(
                    unfinished,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.TRUNCATE_EXISTING,
                    StandardOpenOption.WRITE);
        }

        @Override
        public void piece(int pipeline, long startNs, DirectBuffer body, int length) throws IOException {
            byte[] bytes = new byte[length];
            body.getBytes(0, bytes);
            CRC32C crc = new CRC32C();
            crc.update(bytes);
            pieces.add(new Piece(pipeline, startNs, position, length, (int) crc.getValue()));
            write(ByteBuffer.wrap(bytes));
        }

        private void write(ByteBuffer bytes) throws IOException {
            while (bytes.hasRemaining()) {
                position += channel.write(bytes);
            }
        }

        /**
         * Ends the file: makes the file durable, then visible under the final name.
         *
         * @param accepted number of points accepted from the split
         * @param rejected number of events rejected from the split
         * @param rejects text of the rejected events that are kept
         * @throws IOException when the file cannot be written
         */
        public void finish(long accepted, long rejected, byte[] rejects) throws IOException {
            long rejectsAt = position;
            CRC32C rejectsCrc = new CRC32C();
            rejectsCrc.update(rejects);
            write(ByteBuffer.wrap(rejects));
            int indexLength = pieces.size() * ENTRY;
            UnsafeBuffer end = new UnsafeBuffer(new byte[indexLength + TRAILER]);
            putIndex(end);
            end.putLong(indexLength, accepted, LITTLE_ENDIAN);
            end.putLong(indexLength + REJECTED, rejected, LITTLE_ENDIAN);
            end.putLong(indexLength + REJECTS_AT, rejectsAt, LITTLE_ENDIAN);
            end.putLong(indexLength + INDEX_AT, position, LITTLE_ENDIAN);
            end.putInt(indexLength + PIECES, pieces.size(), LITTLE_ENDIAN);
            end.putInt(indexLength + REJECTS_CRC, (int) rejectsCrc.getValue(), LITTLE_ENDIAN);
            CRC32C crc = new CRC32C();
            crc.update(end.byteArray(), 0, indexLength + INDEX_CRC);
            end.putInt(indexLength + INDEX_CRC, (int) crc.getValue(), LITTLE_ENDIAN);
            end.putLong(indexLength + MAGIC_AT, MAGIC, LITTLE_ENDIAN);
            write(ByteBuffer.wrap(end.byteArray()));
            channel.force(true);
            Files.move(unfinished, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        }

        private void putIndex(UnsafeBuffer end) {
            int at = 0;
            for (Piece piece : pieces) {
                end.putInt(at, piece.pipeline(), LITTLE_ENDIAN);
                end.putInt(at + 4, piece.length(), LITTLE_ENDIAN);
                end.putLong(at + 8, piece.startNs(), LITTLE_ENDIAN);
                end.putLong(at + 16, piece.offset(), LITTLE_ENDIAN);
                end.putInt(at + 24, piece.crc32c(), LITTLE_ENDIAN);
                at += ENTRY;
            }
        }

        /** Closes the file, and deletes an unfinished one. */
        @Override
        public void close() throws IOException {
            channel.close();
            Files.deleteIfExists(unfinished);
        }
    }
}
