package io.chimera.apps.node.child;

import io.chimera.apps.node.ChimeraHome;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A KairosDB server on its embedded H2 database, as a process of its own. */
public final class KairosServer {
    /** Idle it takes 200 MB; the rest is room for queries of some hundred thousand rows. */
    private static final List<String> JVM_FLAGS = List.of("-Xmx640m", "-XX:+UseSerialGC");

    private KairosServer() {}

    /**
     * Writes the configuration of one on H2 and makes the command that starts it.
     *
     * @param address host:port of its REST API
     * @param folder takes its configuration and its database
     */
    public static List<String> command(ChimeraHome home, String address, Path folder) {
        return command(home, List.of(), onH2(address, folder));
    }

    /** As {@link #command}, but what it answers with success survives its kill -9, at a fraction of the rate. */
    public static List<String> durableCommand(ChimeraHome home, String address, Path folder) {
        List<String> flags = List.of("@" + home.folder().resolve("conf/kairosdb/h2-durable.options"));
        return command(home, flags, onH2(address, folder));
    }

    private static Path onH2(String address, Path folder) {
        return write(address, folder, "kairosdb.datastore.h2.database_path: \"%s\"".formatted(folder.resolve("h2")));
    }

    /**
     * Writes the configuration of one on Cassandra and makes the command that starts it. It answers with success when it
     * holds points in a queue in its folder, whether Cassandra has them or not.
     *
     * @param address host:port of its REST API
     * @param folder takes its configuration and its queue
     * @param cassandra host of the Cassandra server
     */
    public static List<String> commandOnCassandra(ChimeraHome home, String address, Path folder, String cassandra) {
        String database = """
                kairosdb.service.datastore: "org.kairosdb.datastore.cassandra.CassandraModule"
                kairosdb.datastore.cassandra.write_cluster.cql_host_list: ["%s"]
                kairosdb.datastore.cassandra.write_cluster.keyspace: "kairosdb"
                kairosdb.datastore.cassandra.write_cluster.replication: "{'class': 'SimpleStrategy', 'replication_factor': 1}"
                kairosdb.queue_processor.batch_size: 2000
                kairosdb.queue_processor.min_batch_size: 500
                kairosdb.queue_processor.queue_path: "%s"
                kairosdb.ingest_executor.thread_count: 4
                """.formatted(cassandra, folder.resolve("queue"));
        return command(home, List.of(), write(address, folder, database));
    }

    private static Path write(String address, Path folder, String database) {
        Path configuration = folder.resolve("local.conf");
        int colon = address.lastIndexOf(':');
        try {
            Files.createDirectories(folder);
            // its reports about itself would stand among our rows, and nobody sends to it by telnet
            Files.writeString(configuration, """
                    kairosdb.jetty.address: "%s"
                    kairosdb.jetty.port: %s
                    kairosdb.service.telnet: "<disabled>"
                    kairosdb.service.reporter: "<disabled>"
                    kairosdb.query_cache.cache_dir: "%s"
                    %s
                    """.formatted(
                    address.substring(0, colon), address.substring(colon + 1), folder.resolve("cache"), database));
        } catch (IOException e) {
            throw new ChimeraException(
                    Category.FATAL,
                    folder + " cannot be written (" + e.getMessage() + "); make room or name another folder.",
                    e);
        }
        return configuration;
    }

    /** Its class path is its own but for the one class that guards it. */
    private static List<String> command(ChimeraHome home, List<String> flags, Path configuration) {
        List<String> command = home.java("conf/kairosdb/jvm.options");
        command.addAll(flags);
        command.addAll(JVM_FLAGS);
        command.add("-Dlogback.configurationFile=" + home.folder().resolve("conf/kairosdb/logback.xml"));
        command.add("-cp");
        command.add(home.built("chimera-kairosdb-server/target/lib") + "/*:" + guardClasses());
        command.addAll(List.of(KairosGuard.class.getName(), "-c", "run", "-p", configuration.toString()));
        return command;
    }

    private static Path guardClasses() {
        try {
            return Path.of(KairosGuard.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException("The place of a class is a URI.", e);
        }
    }
}
