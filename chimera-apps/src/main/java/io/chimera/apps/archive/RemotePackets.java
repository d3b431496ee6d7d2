package io.chimera.apps.archive;

import io.chimera.archive.query.FoundPackets;
import io.chimera.archive.query.PacketInterval;
import io.chimera.archive.query.QueryProgress;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;

/** The answer of another archive node, as {@link PacketParts} wrote it. Any bytes are read or refused. One thread. */
final class RemotePackets implements FoundPackets {
    private static final int BUFFER_BYTES = 64 << 10;

    private final Source source;
    private final PacketInterval packet = new PacketInterval();
    private DataInputStream in;
    private byte[] bytes = new byte[BUFFER_BYTES];
    private String stream = "";
    private boolean hasPackets;
    private boolean isOver;
    private QueryProgress progress = QueryProgress.NONE;

    /** Where the answer comes from. */
    @FunctionalInterface
    interface Source {
        /** Waits until it begins. */
        InputStream open() throws IOException;
    }

    /** The answer is not waited for before the first packet is asked for. */
    RemotePackets(Source source) {
        this.source = source;
    }

    @Override
    public List<String> warnings() {
        return List.of();
    }

    @Override
    public boolean next() {
        try {
            if (in == null) {
                in = new DataInputStream(new BufferedInputStream(source.open(), BUFFER_BYTES));
            }
            while (!isOver) {
                if (hasPackets && packet.next()) {
                    return true;
                }
                part();
            }
            return false;
        } catch (IOException e) {
            throw new ChimeraException(
                    Category.WARN, "its answer ended early (" + e.getClass().getSimpleName() + ")", e);
        }
    }

    private void part() throws IOException {
        hasPackets = false;
        switch (in.readUnsignedByte()) {
            case PacketParts.PACKETS -> packets();
            case PacketParts.END -> end();
            default -> throw new IOException("a part of no kind");
        }
    }

    private void packets() throws IOException {
        stream = in.readUTF();
        int length = in.readInt();
        if (length < 0 || length > PacketParts.PART_BYTES_MAX) {
            throw new IOException("a part of " + length + " bytes");
        }
        if (length > bytes.length) {
            bytes = new byte[PacketParts.PART_BYTES_MAX];
        }
        in.readFully(bytes, 0, length);
        packet.wrap(new UnsafeBuffer(bytes, 0, length), 0, length);
        hasPackets = true;
    }

    private void end() throws IOException {
        isOver = true;
        int streams = in.readInt();
        long intervals = in.readLong();
        long skipped = in.readLong();
        long gone = in.readLong();
        long damaged = in.readLong();
        long dataBytes = in.readLong();
        long indexBytes = in.readLong();
        long indexReads = in.readLong();
        long looked = in.readLong();
        long unasked = in.readLong();
        long found = in.readLong();
        progress = new QueryProgress(
                streams,
                intervals,
                skipped,
                gone,
                damaged,
                in.readUTF(),
                dataBytes,
                indexBytes,
                indexReads,
                looked,
                unasked,
                found);
    }

    @Override
    public PacketInterval packet() {
        return packet;
    }

    @Override
    public String stream() {
        return stream;
    }

    @Override
    public QueryProgress progress() {
        return progress;
    }

    @Override
    public void cancel() {
        isOver = true;
    }

    @Override
    public void close() {
        CloseHelper.quietClose(in);
    }
}
