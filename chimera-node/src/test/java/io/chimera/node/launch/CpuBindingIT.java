package io.chimera.node.launch;

import static io.chimera.common.agent.Waits.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.chimera.common.agent.Waits;
import io.chimera.node.ChimeraHome;
import io.chimera.node.child.ChildProcess;
import io.chimera.node.child.FreePorts;
import io.chimera.node.load.HttpTarget;
import io.chimera.node.replay.RowCatcher;
import io.chimera.node.watch.NodeClient;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.openhft.affinity.Affinity;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The threads of a started process have the cores of {@code queue.cpus} and {@code processor.cpus}. */
@Tag("it")
final class CpuBindingIT {
    private static final List<String> JVM =
            List.of("-Xmx256m", "-XX:MaxDirectMemorySize=256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    private static final Path JCMD = Path.of(System.getProperty("java.home"), "bin", "jcmd");

    /** Line of a thread in a thread dump; older JVMs print the id of the system in hexadecimal form. */
    private static final Pattern THREAD = Pattern.compile("^\"(.+)\" .*\\bnid=(0x[0-9a-f]+|\\d+)", Pattern.MULTILINE);

    private static final Pattern CORES = Pattern.compile("^Cpus_allowed_list:\\s*(\\S+)$", Pattern.MULTILINE);

    private static final int POINTS = 10;

    /**
     * Thread of a JVM.
     *
     * @param name name of the thread
     * @param cores allowed cores, as in {@code /proc}
     */
    private record BoundThread(String name, String cores) {}

    @TempDir
    Path folder;

    private final NodeClient client = new NodeClient();
    private final FreePorts ports = new FreePorts(12);

    @Test
    void lanesRunOnTheirCoresAndTheRestOfTheProcessOnAllCores() throws Exception {
        assumeTrue(Affinity.isJNAAvailable(), "the library JNA, which sets the cores, cannot be loaded here");
        assumeTrue(
                Files.isReadable(Path.of("/proc/self/status")), "the cores of a thread are read from /proc of Linux");
        assumeTrue(Files.isExecutable(JCMD), "the names of the threads need jcmd of a JDK");
        BitSet allowed = Affinity.getAffinity();
        assumeTrue(allowed.cardinality() > 1, "two lanes on different cores need two cores; allowed: " + allowed);
        String one = String.valueOf(allowed.nextSetBit(0));
        String other = String.valueOf(allowed.nextSetBit(allowed.nextSetBit(0) + 1));
        String http = ports.next();
        String input = ports.next();
        try (RowCatcher store = new RowCatcher();
                ChildProcess node = start(configure(http, input, store, one, other))) {
            node.awaitReady(() -> client.isReady(http));
            process(http, input);

            List<BoundThread> threads = threads(node.pid());

            assertThat(coresOf(threads, "n-queue-channel-1")).containsExactly(one);
            assertThat(coresOf(threads, "n-queue.1-channel-1")).containsExactly(other);
            assertThat(coresOf(threads, "n-queue-journal-files")).containsExactly(one);
            assertThat(coresOf(threads, "n-queue.1-journal-files")).containsExactly(other);
            assertThat(coresOf(threads, "n-processor-channel-1")).containsExactly(other);
            assertThat(coresOf(threads, "n-processor.1-channel-1")).containsExactly(one);
            // the name of an agent's thread does not have the lane: one thread for each lane
            for (String agent : List.of("journaler", "channel-manager", "dead-letters", "staging", "flusher")) {
                assertThat(coresOf(threads, agent))
                        .as("cores of " + agent + " in " + threads)
                        .containsExactlyInAnyOrder(one, other);
            }
            assertThat(coresOf(threads, "node-http"))
                    .as("cores of other threads")
                    .isNotEmpty()
                    .containsOnly(allowedOf(Path.of("/proc/self")));
        }
    }

    private Path configure(String http, String input, RowCatcher store, String one, String other) throws IOException {
        String zooKeeper = ports.next();
        return Files.writeString(folder.resolve("chimera.yaml"), """
            node: { id: n, host: 127.0.0.1, data_dir: "%s", http: "%s" }
            coordinator: { embedded: { address: "%s" } }
            cycle: { every: 300ms }
            queue: { address: "127.0.0.1:0", lanes: 2, cpus: ["%s", "%s"], ring_slots: 32, journal: { max_bytes: 512MiB } }
            processor: { address: "127.0.0.1:0", lanes: 2, cpus: ["%s", "%s"], ring_slots: 16, max_bytes: 32MiB }
            inputs: { influx: { http: "%s" } }
            pipelines: { each: { aggregate: { by: [host], functions: [count] }, stores: [kairos] } }
            stores: { kairos: { url: "%s" } }
            """.formatted(
                        folder.resolve("data"), http, zooKeeper, one, other, other, one, input, store.url()));
    }

    private ChildProcess start(Path configuration) {
        List<String> arguments = List.of("run", "all", "--exit-with-parent", "--config", configuration.toString());
        return ChildProcess.start(
                "Node", ChimeraHome.find().nodeCommand(JVM, arguments), folder, folder.resolve("node.log"));
    }

    /** Runs a cycle with points, because some threads start with the first work. */
    private void process(String http, String input) throws IOException, InterruptedException {
        HttpTarget target =
                new HttpTarget(URI.create("http://" + input + "/write"), "text/plain", Waits.MAX, new AtomicLong());
        String lines = "load,host=h value=1\n".repeat(POINTS);
        assertThat(target.send(lines.getBytes(UTF_8))).isZero();
        await().until(() ->
                client.status(http, "coordinator").path("totals").path("points").asLong() == POINTS);
    }

    private static List<String> coresOf(List<BoundThread> threads, String name) {
        return threads.stream()
                .filter(thread -> thread.name().contains(name))
                .map(BoundThread::cores)
                .toList();
    }

    private static List<BoundThread> threads(long pid) throws IOException, InterruptedException {
        Process jcmd = new ProcessBuilder(JCMD.toString(), String.valueOf(pid), "Thread.print")
                .redirectErrorStream(true)
                .start();
        String dump = new String(jcmd.getInputStream().readAllBytes(), UTF_8);
        assertThat(jcmd.waitFor()).as(dump).isZero();
        List<BoundThread> threads = new ArrayList<>();
        Matcher found = THREAD.matcher(dump);
        while (found.find()) {
            Path task = Path.of(
                    "/proc",
                    String.valueOf(pid),
                    "task",
                    Long.decode(found.group(2)).toString());
            if (Files.exists(task)) {
                threads.add(new BoundThread(found.group(1), allowedOf(task)));
            }
        }
        return threads;
    }

    private static String allowedOf(Path task) throws IOException {
        Matcher cores = CORES.matcher(Files.readString(task.resolve("status")));
        assertThat(cores.find()).isTrue();
        return cores.group(1);
    }
}
