package io.chimera.bench.archive.forensics;

import io.chimera.jni.capture.CaptureException;
import io.chimera.jni.capture.CaptureOptions;
import io.chimera.jni.capture.Captures;
import io.chimera.jni.capture.PacketBatch;
import io.chimera.jni.capture.PacketCapture;
import io.chimera.jni.capture.PcapWriter;
import io.chimera.jni.capture.PcapWriter.Resolution;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Writes a capture file of real traffic: all public captures of the tests, overlaid and each compressed into one
 * second.
 */
final class BackgroundFile {
    private static final Path CAPTURES = Path.of("chimera-flow/src/test/resources/io/chimera/flow/captures");
    private static final int ETHERNET = 1;
    private static final int BATCH_PACKETS = 256;
    private static final long SPAN_NS = 1_000_000_000L;
    private static final int TYPE_AT = 12;

    /**
     * Limits of frames that Ethernet transmits unchanged. Frames with VLAN tags are excluded, because the kernel
     * removes the tags.
     */
    private static final int BYTES_MIN = 60;

    private static final int BYTES_MAX = 1514;
    private static final int VLAN = 0x8100;
    private static final int VLAN_OF_PROVIDERS = 0x88A8;

    private final List<Packet> packets = new ArrayList<>();

    private record Packet(long timeNs, ByteBuffer frame) {}

    private BackgroundFile() {}

    /** Writes the capture file. */
    static void write(Path source, Path file) throws IOException {
        BackgroundFile background = new BackgroundFile();
        try (Stream<Path> captures = Files.list(source.resolve(CAPTURES))) {
            for (Path capture : captures.filter(any -> any.toString().matches(".*\\.pcap(ng)?"))
                    .sorted()
                    .toList()) {
                background.read(capture);
            }
        }
        background.packets.sort(Comparator.comparingLong(Packet::timeNs));
        try (PcapWriter writer = PcapWriter.create(file, ETHERNET, Resolution.NANOSECONDS)) {
            for (Packet packet : background.packets) {
                int length = packet.frame.capacity();
                writer.write(packet.timeNs, new UnsafeBuffer(packet.frame), 0, length, length);
            }
        }
    }

    private void read(Path file) throws IOException {
        List<Packet> read = new ArrayList<>();
        try (PacketCapture capture = Captures.open(CaptureOptions.of("file:" + file))) {
            if (capture.linkType() != ETHERNET) {
                return;
            }
            PacketBatch batch = new PacketBatch(BATCH_PACKETS);
            while (capture.receive(batch, 0) != PacketCapture.END) {
                for (int i = 0; i < batch.size(); i++) {
                    add(batch, i, read);
                }
            }
        } catch (CaptureException e) {
            throw new IOException(e.getMessage(), e);
        }
        squeeze(read);
    }

    private static void add(PacketBatch batch, int i, List<Packet> read) {
        int captured = batch.captured(i);
        if (captured != batch.length(i) || captured > BYTES_MAX) {
            return;
        }
        UnsafeBuffer from = new UnsafeBuffer(batch.address(i), captured);
        int type = captured < TYPE_AT + Short.BYTES ? 0 : from.getShort(TYPE_AT, ByteOrder.BIG_ENDIAN) & 0xFFFF;
        if (type != VLAN && type != VLAN_OF_PROVIDERS && type != 0) {
            byte[] frame = new byte[Math.max(BYTES_MIN, captured)];
            from.getBytes(0, frame, 0, captured);
            read.add(new Packet(batch.timestampNs(i), ByteBuffer.wrap(frame)));
        }
    }

    private void squeeze(List<Packet> read) {
        long firstNs = read.stream().mapToLong(Packet::timeNs).min().orElse(0);
        long lastNs = read.stream().mapToLong(Packet::timeNs).max().orElse(0);
        double factor = (double) SPAN_NS / Math.max(1, lastNs - firstNs);
        read.forEach(packet -> packets.add(new Packet((long) ((packet.timeNs - firstNs) * factor), packet.frame)));
    }
}
