package io.chimera.faults.chaos.cluster;

import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.node.ChimeraHome;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A Cassandra cluster of a single node: its start command and its readiness. */
final class CassandraServer {
    private static final int CLIENT_PORT = 9042;
    private static final int TIMEOUT_MS = 300;

    /** The only node of a ring does not have to wait for other nodes. */
    private static final List<String> JVM_FLAGS = List.of(
            "-Xmx512m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Dcassandra-foreground=yes",
            "-Dcassandra.ring_delay_ms=100",
            "-Dcassandra.skip_wait_for_gossip_to_settle=0");

    private CassandraServer() {}

    /** Writes the configuration and returns the start command. */
    static List<String> command(ChimeraHome home, String address, Path folder) {
        Path configuration = folder.resolve("cassandra.yaml");
        try {
            Files.createDirectories(folder);
            Files.writeString(configuration, """
                    cluster_name: chaos
                    num_tokens: 1
                    partitioner: org.apache.cassandra.dht.Murmur3Partitioner
                    endpoint_snitch: SimpleSnitch
                    seed_provider:
                      - class_name: org.apache.cassandra.locator.SimpleSeedProvider
                        parameters: [{ seeds: "%1$s:7000" }]
                    listen_address: %1$s
                    rpc_address: %1$s
                    commitlog_sync: periodic
                    commitlog_sync_period: 1000ms
                    data_file_directories: ["%2$s/data"]
                    commitlog_directory: "%2$s/commitlog"
                    saved_caches_directory: "%2$s/caches"
                    hints_directory: "%2$s/hints"
                    cdc_raw_directory: "%2$s/cdc"
                    """.formatted(address, folder));
        } catch (IOException e) {
            throw new ChimeraException(
                    Category.FATAL, "Cannot write Cassandra's folder " + folder + ": " + e.getMessage() + ".", e);
        }
        Path lib = home.built("chimera-cassandra-server/target/lib");
        List<String> command = home.java("conf/cassandra/jvm.options");
        command.addAll(JVM_FLAGS);
        command.add("-javaagent:" + agent(lib));
        command.add("-Dcassandra.config=" + configuration.toUri());
        command.add("-Dcassandra.storagedir=" + folder);
        command.add("-Dlogback.configurationFile=" + home.folder().resolve("conf/kairosdb/logback.xml"));
        command.addAll(List.of("-cp", lib + "/*", "org.apache.cassandra.service.CassandraDaemon"));
        return command;
    }

    /** Returns the Java agent for measuring object sizes, required by Cassandra. */
    private static Path agent(Path lib) {
        try (Stream<Path> files = Files.list(lib)) {
            return files.filter(file -> file.getFileName().toString().startsWith("jamm-"))
                    .findFirst()
                    .orElseThrow();
        } catch (IOException e) {
            throw new ChimeraException(Category.FATAL, lib + " cannot be read: " + e.getMessage() + ".", e);
        }
    }

    /** Returns whether clients can connect. */
    static boolean isReady(String address) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(address, CLIENT_PORT), TIMEOUT_MS);
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
