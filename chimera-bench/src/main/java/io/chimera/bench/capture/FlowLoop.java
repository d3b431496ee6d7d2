package io.chimera.bench.capture;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Minimal conversion of packets into flows, as a baseline: one loop over a pcap file in memory, whose packets must be
 * Ethernet with IPv4 and TCP or UDP, and an open-addressed table of bidirectional flows. No timeouts, no tunnels, no
 * fragments, no batches, no checks against damage. An entry has 64 bytes:
 *
 * <pre>
 *   0 addresses u64, the lower one first      16 packets, 24 bytes of the direction from the lower address
 *   8 ports u32 in the same order, protocol   32 packets, 40 bytes of the other direction
 *     u8, flags u8 of both directions         48 first, 56 last, microseconds
 * </pre>
 */
final class FlowLoop {
    private static final int FILE_HEADER = 24;
    private static final int RECORD_HEADER = 16;
    private static final int IP = 14;
    private static final int ENTRY = 64;
    private static final int IPV4 = 0x0008; // in memory byte order
    private static final int TCP = 6;
    private static final int UDP = 17;
    private static final long KEY_MASK = 0xFF_FFFF_FFFFL;
    private static final long MIX = 0x9E37_79B9_7F4A_7C15L;

    private final long table;
    private final int mask;
    private int flows;
    private int packets;

    private FlowLoop(long table, int entries) {
        this.table = table;
        mask = entries - 1;
    }

    /**
     * Reads a file into a new table.
     *
     * @return counted packets, flows, and wall time
     */
    static Counted run(Path file, int flowsMax) throws IOException {
        int entries = BitUtil.findNextPositivePowerOfTwo(2 * flowsMax);
        UnsafeBuffer memory =
                new UnsafeBuffer(BufferUtil.allocateDirectAligned(entries * ENTRY, BitUtil.CACHE_LINE_LENGTH));
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            MappedByteBuffer mapped = channel.map(MapMode.READ_ONLY, 0, channel.size());
            FlowLoop loop = new FlowLoop(memory.addressOffset(), entries);
            long startNs = System.nanoTime();
            loop.read(BufferUtil.address(mapped), mapped.capacity());
            long wallNs = System.nanoTime() - startNs;
            BufferUtil.free(mapped);
            return new Counted(loop.packets, loop.flows, wallNs);
        }
    }

    private void read(long file, long length) {
        long at = file + FILE_HEADER;
        long end = file + length;
        while (at < end) {
            long timeUs = UnsafeApi.getInt(at) * 1_000_000L + UnsafeApi.getInt(at + 4);
            long frame = at + RECORD_HEADER;
            take(frame, timeUs);
            at = frame + UnsafeApi.getInt(at + 8);
        }
    }

    private void take(long frame, long timeUs) {
        long ip = frame + IP;
        int protocol = UnsafeApi.getByte(ip + 9);
        if (UnsafeApi.getShort(frame + 12) != IPV4 || (protocol != TCP && protocol != UDP)) {
            return;
        }
        long transport = ip + (UnsafeApi.getByte(ip) & 0xF) * 4L;
        int bytes = Short.toUnsignedInt(Short.reverseBytes(UnsafeApi.getShort(ip + 2)));
        int flags = protocol == TCP ? UnsafeApi.getByte(transport + 13) & 0xFF : 0;
        long addresses = UnsafeApi.getLong(ip + 12);
        long ports = UnsafeApi.getInt(transport) & 0xFFFF_FFFFL;
        int direction = 16;
        if ((int) addresses > (int) (addresses >>> 32)) {
            addresses = Long.rotateLeft(addresses, 32);
            ports = Integer.rotateLeft((int) ports, 16) & 0xFFFF_FFFFL;
            direction = 32;
        }
        long entry = entry(addresses, ports | (long) protocol << 32, timeUs);
        UnsafeApi.putLong(entry + direction, UnsafeApi.getLong(entry + direction) + 1);
        UnsafeApi.putLong(entry + direction + 8, UnsafeApi.getLong(entry + direction + 8) + bytes);
        UnsafeApi.putLong(entry + 8, UnsafeApi.getLong(entry + 8) | (long) flags << (direction == 16 ? 40 : 48));
        UnsafeApi.putLong(entry + 56, timeUs);
        packets++;
    }

    private long entry(long addresses, long rest, long timeUs) {
        long hash = (addresses ^ rest * MIX) * MIX;
        int slot = (int) (hash >>> 32) & mask;
        while (true) {
            long entry = table + (long) slot * ENTRY;
            long foundRest = UnsafeApi.getLong(entry + 8);
            if (foundRest == 0) {
                UnsafeApi.putLong(entry, addresses);
                UnsafeApi.putLong(entry + 8, rest);
                UnsafeApi.putLong(entry + 48, timeUs);
                flows++;
                return entry;
            }
            if (UnsafeApi.getLong(entry) == addresses && (foundRest & KEY_MASK) == rest) {
                return entry;
            }
            slot = (slot + 1) & mask;
        }
    }
}
