package io.chimera.jni.capture;

import io.chimera.api.HotPath;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Writes packets into a file of the format pcap, in the order of bytes of this machine ({@link PcapFormat} draws it). Used
 * by one thread. Nothing is allocated after it was created, but for the rest of its memory where it begins with little; what was written is on the disk's way after {@link #flush}.
 */
public final class PcapWriter implements AutoCloseable {

    /** The fraction of a second that time stamps are written in. */
    public enum Resolution {
        /** Read by everything. */
        MICROSECONDS(PcapFormat.MAGIC_MICROSECONDS, 1000),
        /** Nothing is lost; read by everything of the last ten years. */
        NANOSECONDS(PcapFormat.MAGIC_NANOSECONDS, 1);

        private final int magic;
        private final int ns;

        Resolution(int magic, int ns) {
            this.magic = magic;
            this.ns = ns;
        }
    }

    private static final int BUFFER_BYTES = 1024 * 1024;

    /** Clearing a MiB takes longer than a short answer. */
    private static final int BUFFER_BYTES_FIRST = 16 * 1024;

    private static final int MAJOR = 2;
    private static final int MINOR = 4;
    private static final int TAG_POSITION = 12;
    private static final int TAG_BYTES = 4;
    private static final long NS_PER_SECOND = 1_000_000_000L;
    private static final long SECONDS_MAX = 0xFFFF_FFFFL;

    private final String name;
    private final Resolution resolution;
    private final WritableByteChannel channel;
    private ByteBuffer memory;
    private final UnsafeBuffer buffer;
    private final UnsafeBuffer frame = new UnsafeBuffer(0, 0);
    private int used;

    private PcapWriter(String name, Resolution resolution, WritableByteChannel channel, int bufferBytes) {
        this.name = name;
        this.resolution = resolution;
        this.channel = channel;
        memory = ByteBuffer.allocateDirect(bufferBytes).order(ByteOrder.nativeOrder());
        buffer = new UnsafeBuffer(memory);
    }

    /**
     * Creates the file anew, also where there is one.
     *
     * @param linkType of all packets that will be written, as {@link PacketCapture#linkType} has it
     */
    public static PcapWriter create(Path path, int linkType, Resolution resolution) {
        try {
            FileChannel channel = FileChannel.open(
                    path, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE);
            return begun(new PcapWriter(path.toString(), resolution, channel, BUFFER_BYTES), linkType);
        } catch (IOException e) {
            throw new CaptureException(path + ": cannot be created: " + e.getMessage(), e);
        }
    }

    /**
     * Writes to a channel, which is closed with the writer. Its memory begins with little, and grows once.
     *
     * @param name of it, for messages
     */
    public static PcapWriter to(WritableByteChannel channel, String name, int linkType, Resolution resolution) {
        return begun(new PcapWriter(name, resolution, channel, BUFFER_BYTES_FIRST), linkType);
    }

    private static PcapWriter begun(PcapWriter writer, int linkType) {
        writer.putHeader(linkType);
        return writer;
    }

    private void putHeader(int linkType) {
        buffer.putInt(0, resolution.magic);
        buffer.putShort(4, (short) MAJOR);
        buffer.putShort(6, (short) MINOR);
        buffer.putInt(16, CaptureOptions.SNAP_LENGTH_MAX);
        buffer.putInt(20, linkType);
        used = PcapFormat.FILE_HEADER_BYTES;
    }

    /** Writes all packets of a batch. */
    @HotPath
    public void write(PacketBatch batch) {
        for (int i = 0; i < batch.size(); i++) {
            write(
                    batch.timestampNs(i),
                    batch.address(i),
                    batch.captured(i),
                    batch.length(i),
                    batch.vlanTci(i),
                    batch.vlanTpid(i));
        }
    }

    /**
     * Writes a packet. A tag that the kernel took off is put back to where it was, behind the addresses.
     *
     * @param timestampNs since the epoch; the format ends in the year 2106
     * @param captured bytes at the address, with the tag at most {@link CaptureOptions#SNAP_LENGTH_MAX}
     * @param length bytes on the wire
     * @param vlanTpid 0: no tag was taken off
     * @throws CaptureException when the disk refuses, or the time does not fit
     */
    @HotPath
    public void write(long timestampNs, long address, int captured, int length, int vlanTci, int vlanTpid) {
        frame.wrap(address, Math.max(0, captured));
        write(timestampNs, frame, 0, captured, length, vlanTci, vlanTpid);
    }

    /** Writes a packet that lies in a buffer, with its tags where they belong; otherwise as above. */
    @HotPath
    public void write(long timestampNs, DirectBuffer from, int offset, int captured, int length) {
        write(timestampNs, from, offset, captured, length, 0, 0);
    }

    @HotPath
    private void write(
            long timestampNs, DirectBuffer from, int offset, int captured, int length, int vlanTci, int vlanTpid) {
        long seconds = Math.floorDiv(timestampNs, NS_PER_SECOND);
        int tagBytes = vlanTpid != 0 && captured >= TAG_POSITION ? TAG_BYTES : 0;
        if (captured < 0 || captured + tagBytes > FileFormat.PACKET_BYTES_MAX || seconds < 0 || seconds > SECONDS_MAX) {
            throw refusal(timestampNs, captured);
        }
        if (memory.capacity() - used < PcapFormat.RECORD_HEADER_BYTES + captured + tagBytes) {
            makeRoom();
        }
        buffer.putInt(used, (int) seconds);
        buffer.putInt(used + 4, (int) (Math.floorMod(timestampNs, NS_PER_SECOND) / resolution.ns));
        buffer.putInt(used + 8, captured + tagBytes);
        buffer.putInt(used + 12, length + tagBytes);
        used += PcapFormat.RECORD_HEADER_BYTES;
        int ahead = tagBytes == 0 ? 0 : TAG_POSITION;
        buffer.putBytes(used, from, offset, ahead);
        if (tagBytes > 0) {
            buffer.putShort(used + TAG_POSITION, (short) vlanTpid, ByteOrder.BIG_ENDIAN);
            buffer.putShort(used + TAG_POSITION + 2, (short) vlanTci, ByteOrder.BIG_ENDIAN);
        }
        buffer.putBytes(used + ahead + tagBytes, from, offset + ahead, captured - ahead);
        used += captured + tagBytes;
    }

    private void makeRoom() {
        if (memory.capacity() == BUFFER_BYTES) {
            flush();
            return;
        }
        ByteBuffer larger = ByteBuffer.allocateDirect(BUFFER_BYTES).order(ByteOrder.nativeOrder());
        larger.put(0, memory, 0, used);
        memory = larger;
        buffer.wrap(larger);
    }

    private CaptureException refusal(long timestampNs, int captured) {
        return new CaptureException(
                name + ": a packet of " + captured + " bytes at " + timestampNs
                        + " ns cannot be written: pcap holds up to " + CaptureOptions.SNAP_LENGTH_MAX
                        + " bytes and the years 1970 to 2106.",
                0);
    }

    /** Hands everything over to the system. */
    public void flush() {
        memory.limit(used).position(0);
        try {
            while (memory.hasRemaining()) {
                channel.write(memory);
            }
        } catch (IOException e) {
            throw new CaptureException(name + ": cannot be written: " + e.getMessage(), e);
        }
        used = 0;
    }

    /** Flushes and closes the file. Doing it twice does nothing. */
    @Override
    public void close() {
        if (!channel.isOpen()) {
            return;
        }
        try (channel) {
            flush();
        } catch (IOException e) {
            throw new CaptureException(name + ": cannot be closed: " + e.getMessage(), e);
        }
    }
}
