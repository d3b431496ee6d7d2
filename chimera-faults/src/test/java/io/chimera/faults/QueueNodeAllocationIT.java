package io.chimera.faults;

import static io.chimera.common.agent.Waits.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.chimera.common.agent.AgentThreads;
import io.chimera.common.agent.SerialExecutor;
import io.chimera.common.agent.SystemClock;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.channel.netty.ChannelThreads;
import io.chimera.common.channel.netty.NettyListeners;
import io.chimera.common.channel.netty.NettyTransport;
import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.CyclePeriods;
import io.chimera.common.cluster.membership.ReplicationPolicy;
import io.chimera.common.config.InputConfig;
import io.chimera.common.config.ProcessorConfig;
import io.chimera.common.config.QueueConfig;
import io.chimera.common.config.binding.Sections;
import io.chimera.common.config.pipeline.AggregateConfig;
import io.chimera.common.config.pipeline.PipelineConfig;
import io.chimera.common.metrics.ChannelCounter;
import io.chimera.common.metrics.CoordinatorCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.ProcessorCounter;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.common.plugin.PluginHost;
import io.chimera.coordinator.conductor.Conductor;
import io.chimera.coordinator.conductor.ConductorSettings;
import io.chimera.processor.ProcessorEnvironment;
import io.chimera.processor.ProcessorIdentity;
import io.chimera.processor.ProcessorNode;
import io.chimera.queue.QueueEnvironment;
import io.chimera.queue.QueueIdentity;
import io.chimera.queue.QueueNode;
import io.chimera.queue.QueuePorts;
import io.chimera.queue.QueueSettings;
import io.chimera.queue.journal.DiskLimits;
import io.chimera.queue.journal.JournalSettings;
import io.chimera.queue.journal.RollLimits;
import io.chimera.queue.journal.SyncPolicy;
import io.chimera.queue.journal.SyncSchedule;
import io.chimera.queue.journal.chronicle.ChronicleJournal;
import io.chimera.queue.peer.LocalNode;
import io.chimera.testkit.cluster.MemoryCluster;
import io.chimera.testkit.store.MemoryStore;
import io.netty.util.ResourceLeakDetector;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Measures the memory allocated by a whole queue node for points of known series, from the socket over ring, journal
 * and channel to the processor, in all of its threads. A point allocates nothing: the remaining allocations are per
 * request, cycle or wake-up, and larger batches spread the cost over more points.
 */
final class QueueNodeAllocationIT {
    private static final int SERIES = 1_000;
    private static final int WARM_UP_POINTS = 1_500_000;
    private static final int POINTS = 1_000_000;
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final Endpoint ANY = new Endpoint("127.0.0.1", 0);
    private static final SortedMap<String, PipelineConfig> PIPELINES = new TreeMap<>(Map.of(
            "all",
            Sections.of(
                    PipelineConfig.class,
                    "aggregate",
                    Sections.of(AggregateConfig.class, "by", List.of("rack"), "functions", List.of("count", "sum")),
                    "stores",
                    List.of("memory"),
                    "delivery",
                    PipelineConfig.Delivery.AT_LEAST_ONCE)));

    private final ThreadMXBean memory = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final ResourceLeakDetector.Level level = ResourceLeakDetector.getLevel();
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private final SystemClock clock = new SystemClock();
    private final MemoryCluster cluster = MemoryCluster.immediate();
    private final ChannelThreads queueThreads = new ChannelThreads("q1");
    private final ChannelThreads processorThreads = new ChannelThreads("p1");
    private final AgentThreads conducting = new AgentThreads("c1", failures::add);
    private final Counters<ChannelCounter> channelCounters = new Counters<>(ChannelCounter.class);
    private final NettyTransport queueTransport = new NettyTransport(queueThreads, channelCounters, failures::add);
    private final NettyTransport processorTransport =
            new NettyTransport(processorThreads, new Counters<>(ChannelCounter.class), failures::add);
    private final Counters<QueueCounter> counters = new Counters<>(QueueCounter.class);

    private ProcessorNode processor;
    private QueueNode queue;
    private Map<String, Endpoint> inputs;

    @BeforeEach
    void start(@TempDir Path folder) {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED); // tracking of buffers allocates
        Conductor conductor = new Conductor(
                cluster.lead(),
                clock,
                new ConductorSettings(
                        CyclePeriods.fixed(Duration.ofSeconds(1)),
                        10_000_000,
                        4,
                        ReplicationPolicy.of(1),
                        new ConfigurationDigest("same"),
                        new ConductorSettings.Tolerances(
                                Duration.ofSeconds(10),
                                Duration.ofMinutes(10),
                                Duration.ofMinutes(10),
                                ConductorSettings.CLOCK_STEP_MAX_DEFAULT,
                                ConductorSettings.UNREACHABLE_AFTER_DEFAULT)),
                new Counters<>(CoordinatorCounter.class));
        conducting.startControl(conductor, conductor.wakeup());
        processor = new ProcessorNode(
                new ProcessorIdentity("test", "p1", 2, "127.0.0.1", "", new ConfigurationDigest("same"), folder),
                new ProcessorEnvironment(
                        clock,
                        cluster.join(),
                        processorTransport,
                        new Counters<>(ProcessorCounter.class),
                        failures::add,
                        PluginHost.ofClassPath()),
                Sections.of(ProcessorConfig.class, "address", ANY),
                PIPELINES,
                Map.of("memory", new MemoryStore()));
        processor.start();
        queue = new QueueNode(
                new QueueIdentity(
                        new LocalNode("test", "q1", 1, 4711), "127.0.0.1", "", new ConfigurationDigest("same"), folder),
                new QueueEnvironment(
                        clock,
                        cluster.join(),
                        QueuePorts.open(
                                queueTransport,
                                new NettyListeners(queueThreads, channelCounters, failures::add),
                                clock),
                        counters,
                        failures::add,
                        PluginHost.ofClassPath()),
                ChronicleJournal.open(
                        new JournalSettings(
                                folder.resolve("journal"),
                                new SyncSchedule(SyncPolicy.NONE, 100),
                                new DiskLimits(4L << 30, 0),
                                new RollLimits(64 << 20, 60_000)),
                        "q1",
                        clock,
                        SerialExecutor.onThread("q1-journal-files", failures::add)),
                new QueueSettings(
                        Sections.of(QueueConfig.class, "address", ANY, "acks", 1, "min_acks", 1),
                        CyclePeriods.fixed(Duration.ofSeconds(1)),
                        new TreeMap<>(Map.of(
                                "in",
                                Sections.of(InputConfig.class, "type", InputConfig.INFLUX, "http", ANY, "tcp", ANY))),
                        PIPELINES));
        inputs = queue.start();
    }

    @AfterEach
    void stop() {
        CloseHelper.closeAll(
                queue, processor, conducting, queueTransport, processorTransport, queueThreads, processorThreads);
        ResourceLeakDetector.setLevel(level);
        assertThat(failures).isEmpty();
    }

    @Test
    void allocatesLessThanAByteForAPointOverTcp() throws IOException {
        try (Socket socket = connect("in/tcp")) {
            byte[] text = lines(SERIES);

            double bytes = measure(SERIES, () -> socket.getOutputStream().write(text));

            assertThat(bytes).as("bytes for a point").isLessThan(1);
        }
    }

    @Test
    void allocatesForARequestWhateverNumberOfPointsIsInIt() throws IOException {
        try (Socket socket = connect("in/http")) {
            String host = "127.0.0.1:" + socket.getPort();
            Sending few = new Posts(socket, host, 100);
            Sending many = new Posts(socket, host, 5_000);

            double bytesOfFew = 100 * measure(100, few); // 1,300 bytes measured, mostly by Netty
            double bytesOfMany = measure(5_000, many);

            assertThat(bytesOfFew).as("bytes for a request of 100 points").isLessThan(4_000);
            assertThat(bytesOfMany).as("bytes for a point among 5,000").isLessThan(2);
        }
    }

    @FunctionalInterface
    private interface Sending {
        void send() throws IOException;
    }

    /** Sends requests one after the other, each after the answer to the request before. */
    private static final class Posts implements Sending {
        private final Socket socket;
        private final byte[] request;
        private final byte[] answer = new byte[4_096];

        Posts(Socket socket, String host, int points) {
            this.socket = socket;
            byte[] body = lines(points);
            byte[] head = ("POST /write HTTP/1.1\r\nHost: " + host + "\r\nContent-Length: " + body.length + "\r\n\r\n")
                    .getBytes(UTF_8);
            request = new byte[head.length + body.length];
            System.arraycopy(head, 0, request, 0, head.length);
            System.arraycopy(body, 0, request, head.length, body.length);
        }

        @Override
        public void send() throws IOException {
            socket.getOutputStream().write(request);
            InputStream in = socket.getInputStream();
            int length = 0;
            while (!endsHead(length)) {
                length += in.read(answer, length, answer.length - length);
            }
            assertThat(new String(answer, 0, 12, UTF_8)).isEqualTo("HTTP/1.1 204");
        }

        private boolean endsHead(int length) {
            return length >= 4 && answer[length - 4] == '\r' && answer[length - 1] == '\n';
        }
    }

    private Socket connect(String input) throws IOException {
        Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), inputs.get(input).port());
        socket.setSoTimeout((int) PATIENCE.toMillis());
        return socket;
    }

    private static byte[] lines(int count) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            int host = i % SERIES;
            text.append("cpu,host=h").append(host).append(",rack=r").append(host % 10);
            text.append(" user=")
                    .append(i % 100)
                    .append(".5,system=")
                    .append(i % 7)
                    .append("i\n");
        }
        return text.toString().getBytes(UTF_8);
    }

    /** Returns the bytes allocated per point by all threads of the node, after a warm-up. */
    private double measure(int points, Sending sending) throws IOException {
        send(WARM_UP_POINTS / points, points, sending);
        long before = allocated();
        send(POINTS / points, points, sending);
        return (double) (allocated() - before) / POINTS;
    }

    private void send(int times, int points, Sending sending) throws IOException {
        long wanted = counters.get(QueueCounter.DISPATCH_POINTS) + (long) times * points;
        for (int i = 0; i < times; i++) {
            sending.send();
        }
        await().pollInterval(10, TimeUnit.MILLISECONDS)
                .until(() -> counters.get(QueueCounter.DISPATCH_POINTS) >= wanted);
    }

    private long allocated() {
        long sum = 0;
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().startsWith("q1-")) {
                sum += memory.getThreadAllocatedBytes(thread.getId());
            }
        }
        return sum;
    }
}
