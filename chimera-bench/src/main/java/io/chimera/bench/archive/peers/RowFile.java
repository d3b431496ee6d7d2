package io.chimera.bench.archive.peers;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Packet headers as database rows in main memory: time, addresses, protocol, ports, length and number. The format is
 * the cheapest one for each database to read.
 */
final class RowFile implements AutoCloseable {
    private static final int BUFFER = 1 << 20;
    private static final int ROW_MAX = 128;
    private static final byte[] POSTGRES_BEGIN = "PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0\0".getBytes(ISO_8859_1);
    private static final int POSTGRES_FIELDS = 8;
    private static final int POSTGRES_END = -1;

    private final Path path;

    private RowFile(Path path) {
        this.path = path;
    }

    @FunctionalInterface
    private interface Row {
        void put(ByteBuffer into, TraceFile trace, int packet);
    }

    /** Writes the binary format of COPY: bigint, 2 × integer, smallint, 4 × integer. Any user may read the file. */
    static RowFile forPostgres(TraceFile trace, Path folder) throws IOException {
        ByteBuffer end = ByteBuffer.allocate(Short.BYTES).putShort(0, (short) POSTGRES_END);
        return write(trace, folder, ByteOrder.BIG_ENDIAN, POSTGRES_BEGIN, RowFile::postgres, end);
    }

    /** Writes RowBinary: Int64, 2 × UInt32 for addresses, UInt8, 3 × UInt16, UInt32. */
    static RowFile forClickHouse(TraceFile trace, Path folder) throws IOException {
        return write(trace, folder, ByteOrder.LITTLE_ENDIAN, new byte[0], RowFile::clickHouse, ByteBuffer.allocate(0));
    }

    private static RowFile write(TraceFile trace, Path folder, ByteOrder order, byte[] begin, Row row, ByteBuffer end)
            throws IOException {
        RowFile file = new RowFile(Files.createTempFile(folder, "chimera-bench-", ".rows"));
        file.path.toFile().deleteOnExit(); // after Ctrl-C
        Files.setPosixFilePermissions(file.path, PosixFilePermissions.fromString("rw-r--r--"));
        ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER).order(order).put(begin);
        try (FileChannel channel = FileChannel.open(file.path, StandardOpenOption.WRITE)) {
            for (int i = 0; i < trace.packets(); i++) {
                row.put(buffer, trace, i);
                if (buffer.remaining() < ROW_MAX) {
                    drain(buffer, channel);
                }
            }
            drain(buffer.put(end), channel);
        }
        return file;
    }

    private static void drain(ByteBuffer buffer, FileChannel into) throws IOException {
        buffer.flip();
        while (buffer.hasRemaining()) {
            into.write(buffer);
        }
        buffer.clear();
    }

    private static void postgres(ByteBuffer into, TraceFile trace, int packet) {
        into.putShort((short) POSTGRES_FIELDS).putInt(Long.BYTES).putLong(trace.timeNs(packet));
        putField(into, trace.source(packet));
        putField(into, trace.destination(packet));
        into.putInt(Short.BYTES).putShort((short) trace.protocol(packet));
        putField(into, trace.sourcePort(packet));
        putField(into, trace.destinationPort(packet));
        putField(into, trace.length());
        putField(into, packet);
    }

    private static void putField(ByteBuffer into, int value) {
        into.putInt(Integer.BYTES).putInt(value);
    }

    private static void clickHouse(ByteBuffer into, TraceFile trace, int packet) {
        into.putLong(trace.timeNs(packet))
                .putInt(trace.source(packet))
                .putInt(trace.destination(packet))
                .put((byte) trace.protocol(packet))
                .putShort((short) trace.sourcePort(packet))
                .putShort((short) trace.destinationPort(packet))
                .putShort((short) trace.length())
                .putInt(packet);
    }

    Path path() {
        return path;
    }

    @Override
    public void close() throws IOException {
        Files.deleteIfExists(path);
    }
}
