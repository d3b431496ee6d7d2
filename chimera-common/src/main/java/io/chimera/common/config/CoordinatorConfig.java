package io.chimera.common.config;

import io.chimera.common.channel.Endpoint;
import io.chimera.common.config.binding.ConfigPath;
import io.chimera.common.config.binding.Default;
import io.chimera.common.config.binding.Doc;
import io.chimera.common.config.binding.Requirements;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Pattern;

/** Coordination of the cluster: an external ZooKeeper, or the embedded server of a coordinator node. */
public record CoordinatorConfig(
        @Doc("ZooKeeper servers, host:port separated by commas; empty: the embedded server.") @Default
        String connect,

        @Doc("Name of the cluster; several clusters may share one ZooKeeper.") @Default("chimera")
        String cluster,

        @Doc("Path in ZooKeeper above the cluster's name.") @Default("/chimera")
        String path,

        @Doc("Time without contact after which a node counts as dead; 1s to 5m.") @Default("4s")
        Duration sessionTimeout,

        @Doc("Delay of a live node behind the other nodes of a cycle after which its work of the cycle is reassigned;"
                + " 1s to 1h.")
        @Default("10s")
        Duration stragglerAfter,

        @Doc("Certificates for ZooKeeper, of its clients and of the embedded server; absent: plaintext connections.")
        TlsConfig tls,

        @Doc("Shared secret of all nodes of the cluster, at least 16 characters; required for reading and writing the"
                + " cluster's znodes, e.g. ${file:/etc/chimera/cluster.secret}; empty: no access control.")
        @Default
        String secret,

        @Doc("The ZooKeeper server inside the coordinator node.") @Default
        Embedded embedded) {
    /** 16 hexadecimal characters are 64 bits, infeasible to guess against a server. */
    private static final int SECRET_LENGTH_MIN = 16;

    private static final int PORT_MAX = 65_535;
    private static final Pattern PORT = Pattern.compile(":(\\d+)");

    /** Embedded ZooKeeper server of the coordinator node. */
    public record Embedded(
            @Doc("Whether a coordinator node runs the server: always, never, or auto (only if connect is empty).")
            @Default("auto")
            Run run,

            @Doc("Listen address, host:port.") @Default("127.0.0.1:2181")
            Endpoint address,

            @Doc("Directory of the log and snapshots; empty: zookeeper in node.data_dir.") @Default
            Path dataDir) {
        /** Condition for running the embedded server. */
        public enum Run {
            /** Only without another configured ZooKeeper. */
            AUTO,
            /** Always. */
            ALWAYS,
            /** Never. */
            NEVER
        }
    }

    /** Checks the values. */
    public CoordinatorConfig {
        connect = connect.replace(" ", "");
        new Requirements()
                .that(
                        connect.isEmpty() || isServers(connect),
                        "connect",
                        "'" + connect + "'",
                        "host:port separated by commas, e.g. zk1:2181,zk2:2181,zk3:2181")
                .that(
                        cluster.matches(ConfigPath.NAME_FORM),
                        "cluster",
                        "'" + cluster + "'",
                        "up to 64 letters, digits, dots, dashes or underscores")
                .that(path.matches("(/[A-Za-z0-9._-]+)+"), "path", "'" + path + "'", "a path such as /chimera")
                .between("session_timeout", sessionTimeout, Duration.ofSeconds(1), Duration.ofMinutes(5))
                .that(
                        secret.isEmpty() || secret.length() >= SECRET_LENGTH_MIN,
                        "secret",
                        "too short",
                        "at least 16 characters, e.g. the output of: openssl rand -hex 32")
                .that(
                        tls == null || tls.ca() != null,
                        "tls",
                        "incomplete",
                        "ca, plus cert and key if the servers require a certificate")
                .between("straggler_after", stragglerAfter, Duration.ofSeconds(1), Duration.ofHours(1))
                .check();
    }

    private static boolean isServers(String connect) {
        return connect.matches("[^,/:]+:\\d{1,5}(,[^,/:]+:\\d{1,5})*(/[^,:/]+)*")
                && PORT.matcher(connect).results().allMatch(port -> isPort(Integer.parseInt(port.group(1))));
    }

    private static boolean isPort(int number) {
        return number > 0 && number <= PORT_MAX;
    }

    /** Formats the configuration without secrets. */
    @Override
    public String toString() {
        return "CoordinatorConfig[connect=" + connect + ", path=" + path + "/" + cluster + ", tls=" + tls + "]";
    }

    /** Returns whether a coordinator node runs the embedded ZooKeeper server. */
    public boolean runsEmbedded() {
        return switch (embedded.run()) {
            case ALWAYS -> true;
            case NEVER -> false;
            case AUTO -> connect.isEmpty();
        };
    }

    /** ZooKeeper connect string. */
    public String connectString() {
        if (!connect.isEmpty()) {
            return connect;
        }
        Endpoint address = embedded.address();
        return Listening.isWildcard(address.host()) ? "127.0.0.1:" + address.port() : address.toString();
    }
}
