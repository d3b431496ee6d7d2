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
 * Writes packets to a pcap file, in native byte order ({@link PcapFormat} has the layout). Used by one thread.
 * Allocates nothing after creation, except when a small buffer grows once. After {@link #flush}, the packets have been
 * handed to the operating system.
 */
public final class PcapWriter implements AutoCloseable {

    /** Resolution of the timestamps. */
    public enum Resolution {
        /** Readable by every tool. */
        MICROSECONDS(PcapFormat.MAGIC_MICROSECONDS, 1000),
        /** Full precision; readable by tools of the last ten years. */
        NANOSECONDS(PcapFormat.MAGIC_NANOSECONDS, 1);

        private final int magic;
        private final int ns;

        Resolution(int magic, int ns) {
            this.magic = magic;
            this.ns = ns;
        }
    }

    private static final int BUFFER_BYTES = 1024 * 1024;

    /** Initial size: clearing 1 MiB takes longer than a short answer. */
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
     * Creates a file, replacing any existing file.
     *
     * @param linkType link type of all packets, as in {@link PacketCapture#linkType}
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
     * Writes to a channel; closing the writer closes the channel. The buffer starts small and grows once.
     *
     * @param name name of the channel, for messages
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
     * Writes a packet. A VLAN tag removed by the kernel is put back after the addresses.
     *
     * @param timestampNs since the epoch; the format ends in the year 2106
     * @param captured bytes at the address; including the tag, at most {@link CaptureOptions#SNAP_LENGTH_MAX}
     * @param length bytes on the wire
     * @param vlanTpid type of the removed tag; 0: no tag was removed
     * @throws CaptureException when the disk reports an error, or the time is out of range
     */
    @HotPath
    public void write(long timestampNs, long address, int captured, int length, int vlanTci, int vlanTpid) {
        frame.wrap(address, Math.max(0, captured));
        write(timestampNs, frame, 0, captured, length, vlanTci, vlanTpid);
    }

    /** Writes a packet from a buffer, with any VLAN tags already in the frame. */
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

    /** Writes all buffered packets to the channel. */
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

    /** Flushes and closes the file. Repeated calls have no effect. */
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
