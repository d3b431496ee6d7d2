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
     * Writes its configuration and makes the command that starts it.
     *
     * @param address host:port of its REST API
     * @param folder takes its configuration and its database
     */
    public static List<String> command(ChimeraHome home, String address, Path folder) {
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
                    kairosdb.datastore.h2.database_path: "%s"
                    kairosdb.query_cache.cache_dir: "%s"
                    """.formatted(
                            address.substring(0, colon),
                            address.substring(colon + 1),
                            folder.resolve("h2"),
                            folder.resolve("cache")));
        } catch (IOException e) {
            throw new ChimeraException(
                    Category.FATAL,
                    folder + " cannot be written (" + e.getMessage() + "); make room or name another folder.",
                    e);
        }
        return command(home, configuration);
    }

    /** Its class path is its own but for the one class that guards it. */
    private static List<String> command(ChimeraHome home, Path configuration) {
        List<String> command = home.java("conf/kairosdb/jvm.options");
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
