package io.chimera.node.archive.recorder;

import io.chimera.archive.query.ArchiveSettings;
import io.chimera.archive.query.packet.PacketArchive;
import io.chimera.archive.server.QueryService;
import io.chimera.archive.server.volume.RecordedSource;
import io.chimera.archive.server.volume.Recorder;
import io.chimera.archive.server.volume.Volume;
import io.chimera.archive.streamfs.store.StreamSettings;
import io.chimera.archive.streamfs.store.StreamStatus;
import io.chimera.common.agent.Clock;
import io.chimera.common.agent.SystemClock;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.config.binding.ByteSize;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.common.metrics.ArchiveCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.jni.capture.CaptureException;
import io.chimera.jni.capture.CaptureOptions;
import io.chimera.node.Json;
import io.chimera.node.option.ByteSizeConverter;
import io.chimera.node.option.DurationConverter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Records packets. */
@Command(
        name = "record",
        description = {
            "Record packets of interfaces or files in a volume.",
            "Stops on SIGTERM or Ctrl-C, after --for, or at the end of the files; all received packets are durable"
                    + " then. In a full volume, the oldest packets without a guarantee are overwritten."
        },
        mixinStandardHelpOptions = true)
public final class ArchiveRecordCommand implements Callable<Integer> {
    private static final long CLOSE_SECONDS_MAX = 30;

    @Spec
    private CommandSpec spec;

    @ArgGroup(multiplicity = "1")
    private From from;

    /** Source of the packets. */
    private static final class From {
        @Option(names = "--read", paramLabel = "FILE", description = "Capture file: pcap or pcapng. Repeatable.")
        private List<String> files = new ArrayList<>();

        @Option(
                names = "--capture",
                paramLabel = "BACK-END:INTERFACE",
                description =
                        "Interface: tpacket:eth0, libpcap:eth0, af_xdp:eth0@0 (queue 0), netmap:p}1. Repeatable; each"
                                + " interface has its own stream.")
        private List<String> captures = new ArrayList<>();
    }

    @Option(
            names = "--to",
            required = true,
            split = ",",
            paramLabel = "DEVICE",
            description = "Devices or files of the volume, in the order of their creation.")
    private List<String> devices;

    @Option(
            names = "--stream",
            paramLabel = "NAME",
            description = "Stream. Default: name of the interface; packets for files.")
    private String stream;

    @Option(
            names = "--guarantee",
            paramLabel = "SIZE",
            converter = ByteSizeConverter.class,
            description = "Minimum retained size of each stream, e.g. 100GiB; its index gets a tenth in addition."
                    + " Default: the current guarantee; none for a new stream.")
    private ByteSize guarantee;

    @Option(
            names = "--for",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Duration. Default: until stopped.")
    private Duration duration;

    @Option(names = "--filter", defaultValue = "", description = "Packet filter as for tcpdump. Default: all packets.")
    private String filter;

    @Option(names = "--snap", paramLabel = "BYTES", description = "Maximum recorded bytes per packet. Default: all.")
    private Integer snapLength;

    @Option(
            names = "--speed",
            defaultValue = "0",
            paramLabel = "X",
            description = "Speed of files: 1 as recorded, 2 twice as fast. Default: 0, as fast as possible.")
    private double speed;

    @Option(
            names = "--interval",
            paramLabel = "SIZE",
            defaultValue = "64KiB",
            converter = ByteSizeConverter.class,
            description = "Size of the indexed intervals. Default: ${DEFAULT-VALUE}.")
    private ByteSize interval;

    @Option(
            names = "--http",
            paramLabel = "HOST:PORT",
            description = "Address for queries (POST /query), /status and /metrics. Default:" + " none.")
    private String http;

    @Option(
            names = "--tokens",
            paramLabel = "FILE",
            description = "Token file for --http, as node.tokens. Default: no authentication.")
    private Path tokens;

    @Option(
            names = "--insecure",
            description = "Allow --http to listen beyond loopback without authentication and TLS.")
    private boolean insecure;

    @Mixin
    private ClusterOption cluster = new ClusterOption();

    @Option(
            names = "--query-timeout",
            paramLabel = "TIME",
            defaultValue = "5m",
            converter = DurationConverter.class,
            description = "Time limit for an HTTP answer; the answer is cut off afterwards. A query can set a lower"
                    + " limit: ?timeout=30s. Default: ${DEFAULT-VALUE}.")
    private Duration queryTimeout;

    @Option(names = "--json", description = "Print one JSON object at the end.")
    private boolean json;

    private final Clock clock = new SystemClock();
    private final Counters<ArchiveCounter> counters = new Counters<>(ArchiveCounter.class);
    private final IdleStrategy idle =
            new BackoffIdleStrategy(10, 10, TimeUnit.MICROSECONDS.toNanos(50), TimeUnit.MILLISECONDS.toNanos(1));
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean isStopping;

    @Override
    public Integer call() {
        if (stream != null && from.captures.size() > 1) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(), "Several interfaces have one stream each; remove --stream.");
        }
        Thread hook = new Thread(this::stop, "shutdown");
        Runtime.getRuntime().addShutdownHook(hook);
        try (Volume volume = Volume.open(devices, clock)) {
            long startNs = clock.nanoTime();
            record(volume);
            report((clock.nanoTime() - startNs) / 1e9);
        } catch (CaptureException e) {
            throw new ChimeraException(Category.ERROR, e.getMessage(), e);
        } catch (IllegalArgumentException e) {
            throw new CommandLine.ParameterException(spec.commandLine(), e.getMessage(), e);
        } finally {
            ended.countDown();
            removeHook(hook);
        }
        return 0;
    }

    /** All files in sequence feed one stream; each interface has its own stream. */
    private List<List<CaptureOptions>> captures() {
        return from.captures.isEmpty()
                ? List.of(
                        from.files.stream().map(file -> options("file:" + file)).toList())
                : from.captures.stream().map(source -> List.of(options(source))).toList();
    }

    private CaptureOptions options(String source) {
        CaptureOptions options = CaptureOptions.of(source).withFilter(filter).withSpeed(speed);
        return snapLength == null ? options : options.withSnapLength(snapLength);
    }

    private void record(Volume volume) {
        if (http != null && !insecure && !Endpoint.parse(http).isLoopback()) {
            throw new IllegalArgumentException(
                    "--http is " + http + ", reachable from other machines without authentication and TLS. Listen on"
                            + " 127.0.0.1, or add --insecure in a trusted network.");
        }
        Optional<ArchiveNodeSettings> member = cluster.settings(http);
        List<RecordedSource> sources = new ArrayList<>();
        try {
            Duration groupAge = member.map(ArchiveNodeSettings::span).orElse(ArchiveSettings.GROUP_AGE_DEFAULT);
            captures().forEach(captures -> sources.add(source(volume, captures, groupAge)));
        } catch (Throwable e) {
            sources.forEach(RecordedSource::close);
            throw e;
        }
        try (Recorder recorder = new Recorder(volume.store(), sources, clock)) {
            volume.show(recorder.streams());
            RecorderProcess process = http == null
                    ? null
                    : new RecorderProcess(
                            new RecorderPort(Endpoint.parse(http), tokens),
                            member,
                            volume,
                            service(volume),
                            clock,
                            counters);
            try {
                announce(process);
                run(recorder);
            } finally {
                CloseHelper.close(process);
            }
        }
    }

    private QueryService service(Volume volume) {
        return new QueryService(volume, queryTimeout, clock, counters);
    }

    private RecordedSource source(Volume volume, List<CaptureOptions> captures, Duration groupAge) {
        String name = stream != null
                ? stream
                : from.captures.isEmpty() ? "packets" : captures.get(0).target();
        PacketArchive archive = new PacketArchive(
                volume.store(),
                ArchiveSettings.of(name, guaranteeBytes(volume, name))
                        .withIntervalBytes(Math.toIntExact(interval.bytes()))
                        .withGroupAge(groupAge),
                clock,
                counters,
                Runtime.getRuntime().availableProcessors() > 1);
        return new RecordedSource(captures, archive, counters);
    }

    /**
     * Returns the guarantee of a stream. Without the option, an existing stream keeps its guarantee: a restart must not
     * expose protected packets.
     */
    private long guaranteeBytes(Volume volume, String name) {
        return guarantee != null
                ? guarantee.bytes()
                : volume.store().streams().stream()
                        .map(StreamStatus::settings)
                        .filter(settings -> settings.name().equals(name))
                        .mapToLong(StreamSettings::guaranteeBytes)
                        .findFirst()
                        .orElse(0);
    }

    private void announce(RecorderProcess process) {
        spec.commandLine()
                .getErr()
                .println(process == null ? "Recording." : "Recording; query at http://" + process.address() + "/query");
        spec.commandLine().getErr().flush();
    }

    private void run(Recorder recorder) {
        long startNs = clock.nanoTime();
        try {
            while (!isStopping
                    && !recorder.isAtEnd()
                    && (duration == null || clock.nanoTime() - startNs < duration.toNanos())) {
                idle.idle(recorder.doWork());
            }
        } finally {
            // packets received before a source failed are archived too
            while (!recorder.end()) {
                idle.idle(recorder.doWork());
            }
        }
    }

    private void report(double seconds) {
        Map<String, Object> figures = new LinkedHashMap<>();
        counters.forEach((counter, value) -> figures.put(counter.name().toLowerCase(Locale.ROOT), value));
        figures.put("seconds", seconds);
        spec.commandLine()
                .getOut()
                .println(
                        json
                                ? Json.line(figures)
                                : counters.get(ArchiveCounter.ARCHIVE_PACKETS) + " packets archived in "
                                        + counters.get(ArchiveCounter.ARCHIVE_INTERVALS)
                                        + " intervals; dropped by the capture "
                                        + counters.get(ArchiveCounter.ARCHIVE_DROPPED_RING) + ", by the interface "
                                        + counters.get(ArchiveCounter.ARCHIVE_DROPPED_INTERFACE) + ".");
        spec.commandLine().getOut().flush();
    }

    private void stop() {
        isStopping = true;
        try {
            if (!ended.await(CLOSE_SECONDS_MAX, TimeUnit.SECONDS)) {
                spec.commandLine()
                        .getErr()
                        .println("Some packets are not durable after " + CLOSE_SECONDS_MAX + " s; ending anyway.");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void removeHook(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // the JVM is already shutting down
        }
    }
}
