package io.chimera.common.config;

import io.chimera.common.config.binding.Default;
import io.chimera.common.config.binding.Doc;
import io.chimera.common.config.binding.Requirements;
import java.time.Duration;

/** Reading of flow records by an input of type ipfix. */
public record IpfixConfig(
        @Doc("Whether packets and bytes are multiplied by the sampling interval announced by the exporter, for"
                + " estimates instead of counts.")
        @Default("false")
        Boolean scale,

        @Doc("Whether elements without a column become fields: element_<number>, or element_<enterprise>_<number>;"
                + " only numbers of up to 8 bytes.")
        @Default("false")
        Boolean otherElements,

        @Doc("Time without a resend after which a UDP template expires; 1m to 1d.") @Default("30m")
        Duration templateTimeout,

        @Doc("Maximum number of templates of all exporters, of up to 512 fields each; 1 to 1_000_000.")
        @Default("10_000") // 80 MB with 512 fields each
        Integer templatesMax,

        @Doc("Maximum number of exporters (observation domain and address); 1 to 100_000.") @Default("1_000")
        Integer exportersMax) {
    /** Checks the values. */
    public IpfixConfig {
        new Requirements()
                .between("template_timeout", templateTimeout, Duration.ofMinutes(1), Duration.ofDays(1))
                .between("templates_max", templatesMax, 1, 1_000_000)
                .between("exporters_max", exportersMax, 1, 100_000)
                .check();
    }
}
