package io.chimera.common.config;

import io.chimera.common.channel.Listeners.Limits;
import io.chimera.common.config.binding.ByteSize;
import io.chimera.common.config.binding.Default;
import io.chimera.common.config.binding.Doc;
import io.chimera.common.config.binding.Requirements;
import java.time.Duration;

/** Limits of an input; excess is refused and counted. */
public record LimitsConfig(
        @Doc("Maximum size of one HTTP body, compressed and decompressed; 1KiB to 256MiB.") @Default("20MiB")
        ByteSize bodyMax,

        @Doc("Maximum compression ratio of a body (gzip, deflate, snappy); 1 to 1000.") @Default("100")
        Integer ratioMax,

        @Doc("Maximum total size of concurrent HTTP bodies; above, requests are answered 503 with Retry-After.")
        @Default("64MiB") // three of the largest bodies
        ByteSize inFlightMax,

        @Doc("Maximum number of open connections; 1 to 100_000.") @Default("1_000")
        Integer connectionsMax,

        @Doc("Idle time after which a connection is closed; 1s to 1d.") @Default("5m")
        Duration idle,

        @Doc("Percentage of in_flight_max and of connections_max that one client address (IPv6: network of 64 bits)"
                + " or one principal may use; above, requests are answered 429. Use 100 if all clients share a"
                + " proxy; 1 to 100.")
        @Default("" + Limits.CLIENT_PERCENT_DEFAULT)
        Integer clientShare,

        @Doc("Limits for slow clients.") @Default SlowConfig slow,

        @Doc("Limits on series.") @Default SeriesConfig series) {
    /** Checks the values. */
    public LimitsConfig {
        new Requirements()
                .between("body_max", bodyMax, new ByteSize(1 << 10), ByteSize.ofMebibytes(256))
                .between("ratio_max", ratioMax, 1, 1_000)
                .that(
                        inFlightMax.compareTo(bodyMax) >= 0,
                        "in_flight_max",
                        inFlightMax,
                        "at least body_max (" + bodyMax + ")")
                .between("connections_max", connectionsMax, 1, 100_000)
                .between("idle", idle, Duration.ofSeconds(1), Duration.ofDays(1))
                .between("client_share", clientShare, 1, 100)
                .check();
    }
}
