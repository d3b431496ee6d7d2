package io.chimera.apps.forensics;

import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.jni.capture.CaptureException;
import io.chimera.jni.capture.CaptureOptions;
import io.chimera.jni.capture.Captures;
import io.chimera.jni.capture.PacketBatch;
import io.chimera.jni.capture.PacketCapture;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.agrona.concurrent.UnsafeBuffer;

/** Real traffic in memory, with its hosts ranked by their number of peers. */
final class Background {
    private static final int ETHERNET = 1;
    private static final int IPV4 = 0x0800;
    private static final int ADDRESSES_END = 34;
    private static final int BATCH_PACKETS = 256;

    /** Maximum size in memory; a capture of one minute of campus traffic. */
    private static final long BYTES_MAX = 512L << 20;

    private final List<Packet> packets = new ArrayList<>();
    private final Map<Integer, Set<Integer>> peers = new HashMap<>();

    /**
     * Packet of the real traffic.
     *
     * @param source IPv4 address; 0 for other protocols
     * @param destination IPv4 address; 0 for other protocols
     */
    record Packet(long timeNs, ByteBuffer frame, int length, int source, int destination) {
        boolean isOf(int address) {
            return source == address || destination == address;
        }
    }

    private Background() {}

    /** Reads a capture file with link type Ethernet. */
    static Background read(Path file) {
        Background background = new Background();
        try (PacketCapture capture = Captures.open(CaptureOptions.of("file:" + file))) {
            if (capture.linkType() != ETHERNET) {
                throw new ChimeraException(
                        Category.ERROR,
                        file + " has frames of link type " + capture.linkType() + "; use an Ethernet capture.");
            }
            background.read(capture, file);
        } catch (CaptureException e) {
            throw new ChimeraException(Category.ERROR, e.getMessage(), e);
        }
        if (background.packets.isEmpty()) {
            throw new ChimeraException(Category.ERROR, file + " has no packets; use a capture of real traffic.");
        }
        background.packets.sort(Comparator.comparingLong(Packet::timeNs));
        return background;
    }

    private void read(PacketCapture capture, Path file) {
        PacketBatch batch = new PacketBatch(BATCH_PACKETS);
        long bytes = 0;
        while (capture.receive(batch, 0) != PacketCapture.END) {
            for (int i = 0; i < batch.size(); i++) {
                bytes += batch.captured(i);
                add(batch, i);
            }
            if (bytes > BYTES_MAX) {
                throw new ChimeraException(Category.ERROR, file + " is larger than 512 MiB; use a shorter capture.");
            }
        }
    }

    private void add(PacketBatch batch, int i) {
        byte[] frame = new byte[batch.captured(i)];
        UnsafeBuffer from = new UnsafeBuffer(batch.address(i), frame.length);
        from.getBytes(0, frame);
        int source = 0;
        int destination = 0;
        if (frame.length >= ADDRESSES_END && (from.getShort(12, ByteOrder.BIG_ENDIAN) & 0xFFFF) == IPV4) {
            source = from.getInt(26, ByteOrder.BIG_ENDIAN);
            destination = from.getInt(30, ByteOrder.BIG_ENDIAN);
            peers.computeIfAbsent(source, unseen -> new HashSet<>()).add(destination);
            peers.computeIfAbsent(destination, unseen -> new HashSet<>()).add(source);
        }
        packets.add(new Packet(batch.timestampNs(i), ByteBuffer.wrap(frame), batch.length(i), source, destination));
    }

    /** Returns the packets in the order of their times. */
    List<Packet> packets() {
        return packets;
    }

    /** Returns the hosts in descending order of their number of peers. */
    List<Integer> hosts() {
        return peers.keySet().stream()
                .filter(Background::isHost)
                .sorted(Comparator.<Integer>comparingInt(
                                host -> -peers.get(host).size())
                        .thenComparing(Comparator.naturalOrder()))
                .toList();
    }

    private static boolean isHost(int address) {
        int first = address >>> 24;
        return first > 0 && first < 224 && first != 127 && (address & 0xFF) != 0xFF;
    }

    /** Formats an IPv4 address in dotted notation. */
    static String dotted(int address) {
        return (address >>> 24) + "." + (address >>> 16 & 0xFF) + "." + (address >>> 8 & 0xFF) + "." + (address & 0xFF);
    }
}
