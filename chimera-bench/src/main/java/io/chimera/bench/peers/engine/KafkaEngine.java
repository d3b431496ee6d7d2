package io.chimera.bench.peers.engine;

import io.chimera.bench.peers.job.ResultTable;
import io.chimera.node.child.FreePorts;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** Kafka Streams with a real broker: a broker in KRaft mode, the application, and a producer that sends the points. */
public final class KafkaEngine implements Engine {
    /** JVM flags of the broker's own start script. */
    private static final List<String> JVM_FLAGS = List.of(
            "-Xms1g",
            "-Xmx1g",
            "-server",
            "-XX:+UseG1GC",
            "-XX:MaxGCPauseMillis=20",
            "-XX:InitiatingHeapOccupancyPercent=35",
            "-XX:+ExplicitGCInvokesConcurrent",
            "-XX:MaxInlineLevel=15",
            "-Djava.awt.headless=true");

    private static final long START_SECONDS = 90;
    private static final long POLL_MS = 100;

    private final Workplace workplace;
    private final FreePorts ports = new FreePorts(2);
    private final String address = ports.next();
    private final String controller = ports.next();
    private final List<Long> pids = new CopyOnWriteArrayList<>();
    private Process broker;
    private PeerProcess streams;
    private PeerProcess feeder;

    /** Creates an engine without starting any process. */
    public KafkaEngine(Workplace workplace) {
        this.workplace = workplace;
    }

    @Override
    public void start() throws IOException, InterruptedException {
        String classPath = PeerBuild.classPath(workplace.home(), "kafka");
        Path settings = workplace.folder().resolve("server.properties");
        Files.writeString(settings, settings());
        Process format = run(
                List.of(),
                classPath,
                "kafka.tools.StorageTool",
                "format",
                "--standalone",
                "-t",
                "Y2hpbWVyYS1iZW5jaC0wMQ",
                "-c",
                settings.toString());
        if (format.waitFor() != 0) {
            throw new IOException("Kafka cannot format its folder; see broker.log in " + workplace.folder() + ".");
        }
        broker = run(JVM_FLAGS, classPath, "kafka.Kafka", settings.toString());
        pids.add(broker.pid());
        awaitBroker();
        List<String> flags = new ArrayList<>(JVM_FLAGS);
        flags.add("-Dkafka.broker=" + address);
        flags.add("-Dkafka.state=" + workplace.folder().resolve("state"));
        streams = PeerProcess.start(workplace, "streams", flags, classPath, "io.chimera.bench.peers.kafka.KafkaPeer");
        pids.add(streams.pid());
        streams.awaitReady();
        List<String> feederFlags = List.of("-Xmx256m", "-Dkafka.broker=" + address);
        feeder = PeerProcess.start(
                workplace, "feeder", feederFlags, classPath, "io.chimera.bench.peers.kafka.KafkaFeeder");
        feeder.awaitReady();
    }

    private String settings() {
        return """
                process.roles=broker,controller
                node.id=1
                controller.listener.names=CONTROLLER
                controller.quorum.bootstrap.servers=%2$s
                listeners=PLAINTEXT://%1$s,CONTROLLER://%2$s
                advertised.listeners=PLAINTEXT://%1$s
                log.dirs=%3$s
                offsets.topic.replication.factor=1
                transaction.state.log.replication.factor=1
                transaction.state.log.min.isr=1
                group.initial.rebalance.delay.ms=0
                socket.send.buffer.bytes=1048576
                socket.receive.buffer.bytes=1048576
                """.formatted(address, controller, workplace.folder().resolve("data"));
    }

    private Process run(List<String> flags, String classPath, String main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(Workplace.java()));
        command.addAll(flags);
        command.addAll(List.of("-cp", classPath, main));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .directory(workplace.folder().toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        workplace.folder().resolve("broker.log").toFile()))
                .start();
    }

    private void awaitBroker() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        int colon = address.lastIndexOf(':');
        InetSocketAddress at =
                new InetSocketAddress(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
        while (true) {
            try (Socket socket = new Socket()) {
                socket.connect(at);
                return;
            } catch (IOException e) {
                if (!broker.isAlive() || System.nanoTime() > deadline) {
                    throw new IOException(
                            "The Kafka broker does not start; see broker.log in " + workplace.folder() + ".", e);
                }
                Thread.sleep(POLL_MS);
            }
        }
    }

    @Override
    public void pass() throws IOException {
        streams.go();
        feeder.go();
        feeder.awaitDone();
        streams.awaitDone();
    }

    @Override
    public List<Long> pids() {
        return pids;
    }

    @Override
    public List<Long> feederPids() {
        return List.of(feeder.pid());
    }

    @Override
    public ResultTable finish() throws IOException, InterruptedException {
        feeder.close();
        return streams.finish();
    }

    @Override
    public void close() {
        if (feeder != null) {
            feeder.close();
        }
        if (streams != null) {
            streams.close();
        }
        if (broker != null) {
            broker.destroyForcibly();
        }
    }
}
