package io.chimera.bench.archive.peers;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.management.OperatingSystemMXBean;
import io.chimera.archive.query.ArchiveSettings;
import io.chimera.archive.query.packet.PacketArchive;
import io.chimera.archive.server.QueryService;
import io.chimera.archive.server.volume.RecordedSource;
import io.chimera.archive.server.volume.Recorder;
import io.chimera.archive.server.volume.Volume;
import io.chimera.archive.streamfs.layout.FormatSettings;
import io.chimera.archive.streamfs.store.RecordView;
import io.chimera.archive.streamfs.store.StreamCursor;
import io.chimera.archive.streamfs.store.StreamReader;
import io.chimera.archive.streamfs.store.StreamStatus;
import io.chimera.common.agent.Clock;
import io.chimera.common.agent.SystemClock;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.channel.netty.ChannelThreads;
import io.chimera.common.channel.netty.NettyListeners;
import io.chimera.common.error.ErrorLog;
import io.chimera.common.metrics.ArchiveCounter;
import io.chimera.common.metrics.ChannelCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.jni.capture.CaptureOptions;
import io.chimera.node.http.NodeHttp;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;

/**
 * Process with the archive, with the parts and settings of {@code chimera archive record}. The process serves several
 * volumes in succession, so that its code is compiled. Each line of standard input is an order, answered on standard
 * output:
 *
 * <pre>
 *   record FILE BYTES SOURCE  creates and opens a volume and records: "recording", and, after the end of a file or the
 *                             next line, and when all is durable: "recorded PACKETS DROPPED CPU_NS WALL_NS INDEX_BYTES"
 *                             then: "listening PORT", where queries are answered over HTTP until the next line
 * </pre>
 */
public final class ArchivePeer implements AutoCloseable {
    static final String RECORDING = "recording";
    static final String RECORDED = "recorded";
    static final String LISTENING = "listening";

    private static final String STREAM = "packets";
    private static final int RING_BYTES = 256 << 20;
    private static final String FILE = "file";

    private final BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, UTF_8));
    private final OperatingSystemMXBean process = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private final Clock clock = new SystemClock();
    private final IdleStrategy idle =
            new BackoffIdleStrategy(10, 10, TimeUnit.MICROSECONDS.toNanos(50), TimeUnit.MILLISECONDS.toNanos(1));
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private Volume volume;

    private ArchivePeer() {}

    /** Runs until standard input ends. */
    public static void main(String[] arguments) throws IOException {
        try (ArchivePeer peer = new ArchivePeer()) {
            for (String order = peer.orders.readLine(); order != null; order = peer.orders.readLine()) {
                String[] parts = order.split(" ", -1);
                peer.record(parts[1], Long.parseLong(parts[2]), parts[3]);
            }
        }
    }

    private void record(String file, long bytes, String source) throws IOException {
        close();
        Volume.create(List.of(file), bytes, FormatSettings.DEFAULT, new SecureRandom());
        volume = Volume.open(List.of(file), clock);
        Counters<ArchiveCounter> counters = new Counters<>(ArchiveCounter.class);
        CaptureOptions options = CaptureOptions.of(source);
        boolean isFile = options.backEnd().equals(FILE);
        PacketArchive archive = new PacketArchive(
                volume.store(),
                ArchiveSettings.of(STREAM, 0),
                clock,
                counters,
                Runtime.getRuntime().availableProcessors() > 1);
        RecordedSource from =
                new RecordedSource(List.of(isFile ? options : options.withRingBytes(RING_BYTES)), archive, counters);
        try (Recorder recorder = new Recorder(volume.store(), List.of(from), clock)) {
            System.out.println(RECORDING);
            long cpuNs = process.getProcessCpuTime();
            long wallNs = System.nanoTime();
            while (!recorder.isAtEnd() && (isFile || !orders.ready())) {
                idle.idle(recorder.doWork());
            }
            while (!recorder.end()) {
                idle.idle(recorder.doWork());
            }
            wallNs = System.nanoTime() - wallNs;
            cpuNs = process.getProcessCpuTime() - cpuNs;
            volume.show(recorder.streams());
            long dropped = counters.get(ArchiveCounter.ARCHIVE_DROPPED_RING)
                    + counters.get(ArchiveCounter.ARCHIVE_DROPPED_INTERFACE);
            System.out.println(RECORDED + " " + counters.get(ArchiveCounter.ARCHIVE_PACKETS) + " " + dropped + " "
                    + cpuNs + " " + wallNs + " " + indexBytes(archive));
            listen(counters);
        }
        if (!isFile) {
            orders.readLine();
        }
    }

    /** Returns the bytes of records appended by the index; the last blocks of the index are not full. */
    private long indexBytes(PacketArchive archive) {
        long bytes = 0;
        RecordView record = new RecordView();
        try (StreamReader reader = volume.store().reader()) {
            for (StreamStatus other : volume.store().streams()) {
                if (other.stream() != archive.stream().number()) {
                    try (StreamCursor cursor = reader.cursor(other.stream(), Long.MIN_VALUE)) {
                        while (cursor.next(record)) {
                            bytes += record.buffer().capacity();
                        }
                    }
                }
            }
        }
        return bytes;
    }

    /** Answers queries over HTTP, as a recorder does while recording. */
    private void listen(Counters<ArchiveCounter> counters) {
        ErrorLog errors = new ErrorLog(clock, fatal -> {});
        QueryService service = open(new QueryService(volume, QueryService.TIME_MAX_DEFAULT, clock, counters));
        ChannelThreads threads = open(new ChannelThreads("archive"));
        NettyListeners listeners = open(new NettyListeners(threads, new Counters<>(ChannelCounter.class), errors));
        NodeHttp http = open(new NodeHttp());
        http.serve(QueryService.STENOGRAPHER_PATH, service);
        System.out.println(LISTENING + " "
                + http.listen(listeners, new Endpoint("127.0.0.1", 0)).port());
    }

    private <T extends AutoCloseable> T open(T resource) {
        opened.push(resource);
        return resource;
    }

    @Override
    public void close() {
        while (!opened.isEmpty()) {
            CloseHelper.quietClose(opened.pop());
        }
        if (volume != null) {
            volume.close();
        }
    }
}
