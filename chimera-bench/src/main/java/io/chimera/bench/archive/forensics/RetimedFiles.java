package io.chimera.bench.archive.forensics;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Copies files of stenotype with the original packet times, because stenotype only knows the times of receipt. A file
 * consists of the kernel's packet blocks, and the file name is the start in microseconds. An index has positions in the
 * file, but no times.
 */
final class RetimedFiles {
    /** Maximum duration of one stenographer file, on which queries with a time range rely. */
    private static final long FILE_NS_MAX = TimeUnit.MINUTES.toNanos(1);

    private static final int BLOCK_BYTES = 1 << 20;
    private static final int BLOCK_PACKETS = 12;
    private static final int BLOCK_FIRST = 16;
    private static final int PACKET_SECONDS = 4;
    private static final int PACKET_NS = 8;
    private static final int PACKET_CAPTURED = 12;
    private static final int CAPTURE_HEADER = 24;
    private static final int RECORD_HEADER = 16;
    private static final int RECORD_CAPTURED = 8;
    private static final long NS_PER_SECOND = 1_000_000_000L;
    private static final long NS_PER_MICROSECOND = 1_000;

    private final ByteBuffer capture;
    private int next = CAPTURE_HEADER;
    private long firstNs;
    private long lastNs;
    private long packets;

    private RetimedFiles(ByteBuffer capture) {
        this.capture = capture;
    }

    /**
     * Copies all files.
     *
     * @param from folder with stenotype's packets and index
     * @param into folder for the copies with the original times
     * @param pcap the sent packets, with times in nanoseconds
     * @return names of the files
     * @throws IOException when stenotype has other packets than the sent packets, or a file of more than a minute
     */
    static List<String> copy(Path from, Path into, Path pcap) throws IOException {
        Files.createDirectories(into.resolve("packets"));
        Files.createDirectories(into.resolve("index"));
        try (FileChannel channel = FileChannel.open(pcap);
                Stream<Path> files = Files.list(from.resolve("packets"))) {
            RetimedFiles retimed = new RetimedFiles(
                    channel.map(MapMode.READ_ONLY, 0, channel.size()).order(ByteOrder.LITTLE_ENDIAN));
            List<String> names = files.map(file -> file.getFileName().toString())
                    .filter(name -> !name.startsWith("."))
                    .sorted()
                    .toList();
            List<String> copied = new ArrayList<>();
            for (String name : names) {
                byte[] bytes = Files.readAllBytes(from.resolve("packets").resolve(name));
                if (retimed.retime(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN), name)) {
                    String now = Long.toString(retimed.firstNs / NS_PER_MICROSECOND);
                    Files.write(into.resolve("packets").resolve(now), bytes);
                    Files.copy(
                            from.resolve("index").resolve(name),
                            into.resolve("index").resolve(now));
                    copied.add(now);
                }
            }
            if (retimed.next != retimed.capture.capacity()) {
                throw new IOException("stenographer has " + retimed.packets + " packets, but more were sent");
            }
            return copied;
        }
    }

    /** Changes the times of a file; returns false for a file without packets. */
    private boolean retime(ByteBuffer file, String name) throws IOException {
        long before = packets;
        for (int block = 0; block + BLOCK_BYTES <= file.capacity(); block += BLOCK_BYTES) {
            int at = block + file.getInt(block + BLOCK_FIRST);
            for (int left = file.getInt(block + BLOCK_PACKETS); left > 0; left--) {
                retime(file, at, packets == before);
                at += file.getInt(at);
            }
        }
        if (packets > before && lastNs - firstNs > FILE_NS_MAX) {
            throw new IOException("stenographer's file " + name + " spans more than a minute");
        }
        return packets > before;
    }

    private void retime(ByteBuffer file, int at, boolean isFirst) throws IOException {
        if (next >= capture.capacity() || file.getInt(at + PACKET_CAPTURED) != capture.getInt(next + RECORD_CAPTURED)) {
            throw new IOException(
                    "stenographer's packets differ from the sent packets, from packet " + packets + " on");
        }
        int seconds = capture.getInt(next);
        int ns = capture.getInt(next + Integer.BYTES);
        file.putInt(at + PACKET_SECONDS, seconds);
        file.putInt(at + PACKET_NS, ns);
        lastNs = seconds * NS_PER_SECOND + ns;
        firstNs = isFirst ? lastNs : firstNs;
        next += RECORD_HEADER + capture.getInt(next + RECORD_CAPTURED);
        packets++;
    }
}
