package io.chimera.common.config;

import io.chimera.common.channel.Endpoint;
import io.chimera.common.config.binding.ConfigPath;
import io.chimera.common.config.binding.ConfigWriter;
import io.chimera.common.config.binding.Default;
import io.chimera.common.config.binding.Doc;
import io.chimera.common.config.binding.Requirements;
import io.chimera.common.identity.LaneId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Role of this node, its data folder and its listener. */
public record NodeConfig(
        @Doc("Role of the process: queue, processor, coordinator, queue_coordinator (both in one), or all.")
        @Default("all")
        Role role,

        @Doc("Name of the node, unique in its cluster and unchanged across restarts; empty: host name and role."
                + " Must not end with a dot and a number, as the id of a lane does.")
        @Default
        String id,

        @Doc("Host name or address of this node for other nodes; empty: the host name.") @Default
        String host,

        @Doc("Directory of the journal, the dead letters and the embedded ZooKeeper; created if missing.")
        @Default("/var/lib/chimera")
        Path dataDir,

        @Doc("Address of health, metrics, status and taps, host:port.") @Default("127.0.0.1:9600")
        Endpoint http,

        @Doc("Certificates of this node, for TLS between nodes and on node.http; absent: plaintext.")
        TlsConfig tls,

        @Doc("Time limit of the drain after SIGTERM; the node stops at the latest afterwards. 0s to 10m.")
        @Default("10s")
        Duration drainWithin,

        @Doc("Permits node.http, queue.address, processor.address and the embedded ZooKeeper to listen beyond"
                + " loopback without authentication and TLS. Only for a network of trusted machines.")
        @Default("false")
        Boolean insecure,

        @Doc("File with the principals permitted to send to this node and operate it (chimera token new); reloaded on"
                + " changes. Absent: no authentication.")
        Path tokens,

        @Doc("Token of this node, and of commands with this configuration, for other nodes, e.g."
                + " ${file:/etc/chimera/token}.")
        String token) {
    /** Role of a process. */
    public enum Role {
        /** Accepts data points, journals and forwards them. */
        QUEUE,
        /** Aggregates and flushes. */
        PROCESSOR,
        /** Begins and assigns cycles. */
        COORDINATOR,
        /** Queue node and coordinator in one process, for one node of a small cluster next to its processors. */
        QUEUE_COORDINATOR,
        /** One node of each role in one process. */
        ALL;

        /** Nodes of the process in their start order; a node starts after the nodes it depends on. */
        public List<Role> nodes() {
            return switch (this) {
                case QUEUE, PROCESSOR, COORDINATOR -> List.of(this);
                case QUEUE_COORDINATOR -> List.of(COORDINATOR, QUEUE);
                case ALL -> List.of(COORDINATOR, QUEUE, PROCESSOR);
            };
        }
    }

    /** Checks the values. */
    public NodeConfig {
        token = token == null || token.isEmpty() ? null : token;
        new Requirements()
                .between("drain_within", drainWithin, Duration.ZERO, Duration.ofMinutes(10))
                .that(
                        id.isEmpty() || id.matches(ConfigPath.NAME_FORM),
                        "id",
                        "'" + id + "'",
                        "up to 64 letters, digits, dots, dashes or underscores, beginning with a letter or digit")
                .that(
                        !LaneId.isOfLane(id),
                        "id",
                        "'" + id + "'",
                        "a name without a dot and a number at its end, because " + LaneId.of("<id>", 1)
                                + " is the id of a lane: write q-1 in place of q.1")
                .that(host.matches("[A-Za-z0-9.:_-]*"), "host", "'" + host + "'", "a host name or an address")
                .that(
                        tls == null || (tls.hasCertificate() && tls.ca() != null),
                        "tls",
                        "incomplete",
                        "cert, key and ca, because nodes authenticate each other")
                .check();
    }

    /** Formats the keys with the token redacted. */
    @Override
    public String toString() {
        return "NodeConfig" + ConfigWriter.tree(this);
    }
}
