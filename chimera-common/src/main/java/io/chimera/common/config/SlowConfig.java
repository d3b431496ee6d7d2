package io.chimera.common.config;

import io.chimera.common.channel.Listeners.Pace;
import io.chimera.common.config.binding.ByteSize;
import io.chimera.common.config.binding.Default;
import io.chimera.common.config.binding.Doc;
import io.chimera.common.config.binding.Requirements;
import java.time.Duration;

/** Limits for slow clients of an input; a slower client is answered 408 or disconnected, and counted. */
public record SlowConfig(
        @Doc("Time limit for the headers of an HTTP request; 1s to 10m.") @Default(Pace.HEADERS_MS_DEFAULT + "ms")
        Duration headersWithin,

        @Doc("Minimum rate of an HTTP body, per second; 1 to 1MiB.") @Default(Pace.BYTES_PER_SECOND_DEFAULT + "B")
        ByteSize rateMin,

        @Doc("Period over which the rate is measured; 1s to 10m.") @Default(Pace.PERIOD_MS_DEFAULT + "ms")
        Duration rateOver,

        @Doc("Time limit for an incomplete line or message of a TCP connection; 1s to 1d.")
        @Default(Pace.LINE_MS_DEFAULT + "ms")
        Duration lineWithin) {
    /** Checks the values. */
    public SlowConfig {
        new Requirements()
                .between("headers_within", headersWithin, Duration.ofSeconds(1), Duration.ofMinutes(10))
                .between("rate_min", rateMin, new ByteSize(1), ByteSize.ofMebibytes(1))
                .between("rate_over", rateOver, Duration.ofSeconds(1), Duration.ofMinutes(10))
                .between("line_within", lineWithin, Duration.ofSeconds(1), Duration.ofDays(1))
                .check();
    }
}
