package io.chimera.common.config;

import io.chimera.common.config.binding.Default;
import io.chimera.common.config.binding.Doc;
import io.chimera.common.config.binding.Requirements;
import java.time.DateTimeException;
import java.time.ZoneId;

/** Reading of messages by an input of type syslog. */
public record SyslogConfig(
        @Doc("Time zone of messages without a zone (RFC 3164), e.g. Europe/Berlin.") @Default("UTC")
        String timezone) {
    /** Checks the values. */
    public SyslogConfig {
        new Requirements()
                .that(isZone(timezone), "timezone", timezone, "a time zone, e.g. UTC or Europe/Berlin")
                .check();
    }

    private static boolean isZone(String name) {
        try {
            return ZoneId.of(name) != null;
        } catch (DateTimeException e) {
            return false;
        }
    }

    /** Time zone of messages without a zone. */
    public ZoneId zone() {
        return ZoneId.of(timezone);
    }
}
