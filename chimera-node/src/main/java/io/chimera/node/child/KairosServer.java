package io.chimera.node.child;

import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.node.ChimeraHome;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** KairosDB server with its embedded H2 database or with Cassandra, as a child process. */
public final class KairosServer {
    /** JVM flags: 200 MB are used when idle; the rest is for queries of several hundred thousand rows. */
    private static final List<String> JVM_FLAGS = List.of("-Xmx640m", "-XX:+UseSerialGC");

    private KairosServer() {}

    /**
     * Writes the configuration of a server on H2 and returns the command that starts the server.
     *
     * @param address host:port of the REST API
     * @param folder folder for the configuration and the database
     */
    public static List<String> command(ChimeraHome home, String address, Path folder) {
        return command(home, List.of(), onH2(address, folder));
    }

    /** As {@link #command}, but acknowledged rows survive a kill -9 of the server, at a fraction of the rate. */
    public static List<String> durableCommand(ChimeraHome home, String address, Path folder) {
        List<String> flags = List.of("@" + home.folder().resolve("conf/kairosdb/h2-durable.options"));
        return command(home, flags, onH2(address, folder));
    }

    private static Path onH2(String address, Path folder) {
        return write(address, folder, "kairosdb.datastore.h2.database_path: \"%s\"".formatted(folder.resolve("h2")));
    }

    /**
     * Writes the configuration of a server on Cassandra and returns the command that starts the server. The server
     * acknowledges points once they are in a queue in its folder, independent of Cassandra.
     *
     * @param address host:port of the REST API
     * @param folder folder for the configuration and the queue
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
            // no reporter, because its metrics would mix with the stored rows; no telnet, because nothing uses it
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
                    folder + " cannot be written (" + e.getMessage() + "); free disk space or name another folder.",
                    e);
        }
        return configuration;
    }

    /** The class path is KairosDB's own plus the class folder of the guard. */
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
            throw new IllegalStateException("The location of a class is a URI.", e);
        }
    }
}
