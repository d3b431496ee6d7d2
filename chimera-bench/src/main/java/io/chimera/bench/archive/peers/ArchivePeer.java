package io.chimera.bench.archive.peers;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.management.OperatingSystemMXBean;
import io.chimera.archive.query.ArchiveSettings;
import io.chimera.archive.query.PacketArchive;
import io.chimera.archive.query.PacketInterval;
import io.chimera.archive.query.PacketQuery;
import io.chimera.archive.query.PacketStream;
import io.chimera.archive.query.Question;
import io.chimera.archive.streamfs.FormatSettings;
import io.chimera.archive.streamfs.RecordView;
import io.chimera.archive.streamfs.StreamCursor;
import io.chimera.archive.streamfs.StreamFs;
import io.chimera.archive.streamfs.StreamReader;
import io.chimera.archive.streamfs.VolumeSettings;
import io.chimera.common.agent.Clock;
import io.chimera.common.agent.SystemClock;
import io.chimera.common.metrics.ArchiveCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.jni.capture.CaptureCounters;
import io.chimera.jni.capture.CaptureOptions;
import io.chimera.jni.capture.Captures;
import io.chimera.jni.capture.PacketBatch;
import io.chimera.jni.capture.PacketCapture;
import io.chimera.jni.capture.PcapWriter;
import io.chimera.jni.capture.PcapWriter.Resolution;
import io.chimera.jni.stream.BlockDevice;
import io.chimera.jni.stream.BlockDevices;
import io.chimera.jni.stream.DeviceOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;

/**
 * A process with our archive, in the settings that {@code chimera archive record} has. It stays for several volumes, so
 * that it is compiled. A line of standard input is an order, and each has its answer on standard output:
 *
 * <pre>
 *   record FILE BYTES SOURCE  makes and opens a volume and records: "recording", and, once a file ended or the next
 *                             line came, and all is durable: "recorded PACKETS DROPPED CPU_NS WALL_NS INDEX_BYTES"
 *   ask INTO QUESTION         "asked PACKETS NS": time until the packets are in the capture file INTO
 * </pre>
 */
public final class ArchivePeer implements AutoCloseable {
    static final String RECORDING = "recording";
    static final String RECORDED = "recorded";
    static final String ASKED = "asked";

    private static final String STREAM = "packets";
    private static final int RING_BYTES = 256 << 20;
    private static final int BATCH_PACKETS = 1024;
    private static final int ETHERNET = 1;
    private static final String FILE = "file";

    private final BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, UTF_8));
    private final OperatingSystemMXBean process = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private final Clock clock = new SystemClock();
    private final IdleStrategy idle = new BackoffIdleStrategy(
            10, 10, TimeUnit.MICROSECONDS.toNanos(50), TimeUnit.MILLISECONDS.toNanos(1));
    private StreamFs store;
    private PacketStream stream;

    private ArchivePeer() {}

    /** Runs until standard input ends. */
    public static void main(String[] arguments) throws IOException {
        try (ArchivePeer peer = new ArchivePeer()) {
            for (String order = peer.orders.readLine(); order != null; order = peer.orders.readLine()) {
                String[] parts = order.split(" ", -1);
                if (parts[0].equals("record")) {
                    peer.record(parts[1], Long.parseLong(parts[2]), parts[3]);
                } else {
                    peer.ask(Path.of(parts[1]), order.substring(order.indexOf(parts[1]) + parts[1].length() + 1));
                }
            }
        }
    }

    private void record(String file, long bytes, String source) throws IOException {
        close();
        store = create(file, bytes);
        CaptureOptions options = CaptureOptions.of(source);
        boolean isFile = options.backEnd().equals(FILE);
        PacketArchive archive = new PacketArchive(
                store, ArchiveSettings.of(STREAM, 0), clock, new Counters<>(ArchiveCounter.class));
        stream = archive.stream();
        CaptureCounters captured = new CaptureCounters();
        try (PacketCapture capture = Captures.open(isFile ? options : options.withRingBytes(RING_BYTES))) {
            System.out.println(RECORDING);
            long cpuNs = process.getProcessCpuTime();
            long wallNs = System.nanoTime();
            archive(capture, archive, isFile);
            wallNs = System.nanoTime() - wallNs;
            cpuNs = process.getProcessCpuTime() - cpuNs;
            capture.counters(captured);
            long dropped = Math.max(captured.droppedRing(), captured.droppedInterface());
            System.out.println(RECORDED + " " + captured.received() + " " + dropped + " " + cpuNs + " " + wallNs + " "
                    + indexBytes());
        }
        if (!isFile) {
            orders.readLine();
        }
    }

    private StreamFs create(String file, long bytes) {
        List<BlockDevice> devices = List.of(BlockDevices.open(file, DeviceOptions.file(bytes)));
        StreamFs.format(devices, FormatSettings.DEFAULT, new SecureRandom());
        return StreamFs.open(devices, VolumeSettings.DEFAULT, clock);
    }

    /** Until the end of the file, or an order. */
    private void archive(PacketCapture capture, PacketArchive archive, boolean isFile) throws IOException {
        PacketBatch batch = new PacketBatch(BATCH_PACKETS);
        int received = 0;
        while (received != PacketCapture.END && (isFile || received > 0 || !orders.ready())) {
            received = capture.receive(batch, 0);
            int taken = received > 0 ? archive.add(batch, 0, capture.linkType()) : 0;
            idle.idle(archive.doWork() + store.doWork() + Math.max(0, received));
            while (taken < received) {
                archive.doWork();
                store.doWork();
                taken = archive.add(batch, taken, capture.linkType());
            }
        }
        while (!archive.end()) {
            store.doWork();
        }
        while (!archive.isDurable()) {
            idle.idle(archive.doWork() + store.doWork());
        }
    }

    /** Of what the index appended; blocks are not full. */
    private long indexBytes() {
        long bytes = 0;
        RecordView record = new RecordView();
        try (StreamReader reader = store.reader();
                StreamCursor cursor = reader.cursor(stream.number() + 1, Long.MIN_VALUE)) {
            while (cursor.next(record)) {
                bytes += record.buffer().capacity();
            }
        }
        return bytes;
    }

    private void ask(Path into, String question) {
        long startNs = System.nanoTime();
        long packets = 0;
        try (PacketQuery query =
                        new PacketQuery(store, List.of(stream), Question.parse(question, clock.epochNs()));
                PcapWriter writer = PcapWriter.create(into, ETHERNET, Resolution.MICROSECONDS)) {
            while (query.next()) {
                PacketInterval packet = query.packet();
                writer.write(
                        packet.timeNs(), packet.buffer(), packet.offset(), packet.captured(), packet.length());
                packets++;
            }
        }
        System.out.println(ASKED + " " + packets + " " + (System.nanoTime() - startNs));
    }

    @Override
    public void close() {
        if (store != null) {
            store.close();
        }
    }
}
