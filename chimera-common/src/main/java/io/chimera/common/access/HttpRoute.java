package io.chimera.common.access;

import io.chimera.common.identity.AccessRole;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * HTTP routes of all ports, with their required roles. Unlisted paths need a role too, see {@link Surface}; paths are
 * compared exactly, after decoding.
 */
public enum HttpRoute {
    /** Liveness, for probes. */
    NODE_LIVE(Surface.NODE, "/health/live"),
    /** Readiness, for probes. */
    NODE_READY(Surface.NODE, "/health/ready"),
    /** Metrics for Prometheus. */
    NODE_METRICS(Surface.NODE, "/metrics", AccessRole.VIEW),
    /** Status. */
    NODE_STATUS(Surface.NODE, "/status", AccessRole.VIEW),
    /** Past cycles. */
    NODE_CYCLES(Surface.NODE, "/cycles", AccessRole.VIEW),
    /** Data points of a stage. */
    NODE_TAP(Surface.NODE, "/tap", AccessRole.TAP),
    /** Drains and stops the node. */
    NODE_DRAIN(Surface.NODE, "/-/drain", AccessRole.OPERATE),
    /** Reloads the configuration. */
    NODE_RELOAD(Surface.NODE, "/-/reload", AccessRole.OPERATE),
    /** Removes a queue node. */
    NODE_REMOVE(Surface.NODE, "/-/remove", AccessRole.ADMIN),
    /** Shows a cycle with inconsistent accounts, and accepts the operator's decision. */
    NODE_ACCOUNT(Surface.NODE, "/-/account", AccessRole.ADMIN),
    /** Queries to an archive. */
    ARCHIVE_QUERY(Surface.NODE, "/query", AccessRole.TAP),
    /** Queries in the syntax of stenographer. */
    ARCHIVE_STENOGRAPHER(Surface.NODE, "/stenographer/query", AccessRole.TAP),
    /** Indexes of other archive nodes. */
    ARCHIVE_PARCEL(Surface.NODE, "/archive/parcel", AccessRole.OPERATE),
    /** Index lookups of other archive nodes. */
    ARCHIVE_PROBE(Surface.NODE, "/archive/probe", AccessRole.TAP),
    /** Results of jobs over data sets. */
    DATASET_RESULT(Surface.NODE, "/datasets/result", AccessRole.TAP),

    /** InfluxDB 1.x writes. */
    INFLUX_WRITE(Surface.INFLUX, "/write", AccessRole.INGEST),
    /** InfluxDB 2.x writes. */
    INFLUX_V2_WRITE(Surface.INFLUX, "/api/v2/write", AccessRole.INGEST),
    /** InfluxDB 1.x {@code CREATE DATABASE}. */
    INFLUX_QUERY(Surface.INFLUX, "/query", AccessRole.INGEST),
    /** InfluxDB's liveness; public, as in InfluxDB. */
    INFLUX_PING(Surface.INFLUX, "/ping"),
    /** InfluxDB 2.x liveness; public, as in InfluxDB. */
    INFLUX_HEALTH(Surface.INFLUX, "/health"),

    /** KairosDB writes. */
    KAIROSDB_DATAPOINTS(Surface.KAIROSDB, "/api/v1/datapoints", AccessRole.INGEST),
    /** KairosDB's version. */
    KAIROSDB_VERSION(Surface.KAIROSDB, "/api/v1/version"),
    /** KairosDB's health. */
    KAIROSDB_HEALTH_CHECK(Surface.KAIROSDB, "/api/v1/health/check"),
    /** KairosDB's health in words. */
    KAIROSDB_HEALTH_STATUS(Surface.KAIROSDB, "/api/v1/health/status"),

    /** OpenTSDB writes. */
    OPENTSDB_PUT(Surface.OPENTSDB, "/api/put", AccessRole.INGEST),
    /** OpenTSDB's version. */
    OPENTSDB_VERSION(Surface.OPENTSDB, "/api/version"),
    /** OpenTSDB's aggregators, requested by clients at their start. */
    OPENTSDB_AGGREGATORS(Surface.OPENTSDB, "/api/aggregators", AccessRole.INGEST),
    /** OpenTSDB's query filters, requested by clients at their start. */
    OPENTSDB_FILTERS(Surface.OPENTSDB, "/api/config/filters", AccessRole.INGEST),
    /** Prometheus remote write at the path of Prometheus. */
    REMOTE_WRITE(Surface.REMOTE_WRITE, "/api/v1/write", AccessRole.INGEST),
    /** Prometheus remote write at the path of Mimir and Cortex. */
    REMOTE_WRITE_PUSH(Surface.REMOTE_WRITE, "/api/v1/push", AccessRole.INGEST),
    /** Prometheus remote write at the path of Thanos. */
    REMOTE_WRITE_RECEIVE(Surface.REMOTE_WRITE, "/api/v1/receive", AccessRole.INGEST);

    /** Kind of an HTTP port, with the required role of unlisted paths. */
    public enum Surface {
        /** The node's own port. */
        NODE(AccessRole.VIEW),
        /** Input with InfluxDB's protocol. */
        INFLUX(AccessRole.INGEST),
        /** Input with KairosDB's protocol. */
        KAIROSDB(AccessRole.INGEST),
        /** Input with OpenTSDB's protocol. */
        OPENTSDB(AccessRole.INGEST),
        /** Input with Prometheus remote write. */
        REMOTE_WRITE(AccessRole.INGEST),
        /** Input of a parser plugin, with points at every path. */
        PLUGIN(AccessRole.INGEST);

        private final AccessRole otherwise;

        Surface(AccessRole otherwise) {
            this.otherwise = otherwise;
        }
    }

    private static final Map<Surface, Map<String, HttpRoute>> BY_PATH = Arrays.stream(values())
            .collect(Collectors.groupingBy(
                    route -> route.surface, Collectors.toMap(HttpRoute::path, Function.identity())));

    private final Surface surface;
    private final String path;
    private final AccessRole role;

    HttpRoute(Surface surface, String path) {
        this(surface, path, null);
    }

    HttpRoute(Surface surface, String path, AccessRole role) {
        this.surface = surface;
        this.path = path;
        this.role = role;
    }

    /** Returns the route of a path; null for an unlisted path. */
    public static HttpRoute of(Surface surface, String path) {
        return BY_PATH.getOrDefault(surface, Map.of()).get(path);
    }

    /** Returns the required role of a path; empty for a public path. */
    static Optional<AccessRole> roleOf(Surface surface, String path) {
        HttpRoute route = of(surface, path);
        return route == null ? Optional.of(surface.otherwise) : Optional.ofNullable(route.role);
    }

    /** Decoded path. */
    public String path() {
        return path;
    }

    /** Kind of the port with the route. */
    public Surface surface() {
        return surface;
    }

    /** Required role of the route; empty for a public route. */
    public Optional<AccessRole> role() {
        return Optional.ofNullable(role);
    }
}
