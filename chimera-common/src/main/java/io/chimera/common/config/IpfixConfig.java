package io.chimera.common.config;

import java.time.Duration;

/** Reading of flow records by an input of type ipfix. */
public record IpfixConfig(
        @Doc("Whether packets and bytes are multiplied by the sampling interval announced by the exporter, for"
                + " estimates instead of counts.")
        Boolean scale,

        @Doc("Whether elements without a column become fields: element_<number>, or element_<enterprise>_<number>;"
                + " only numbers of up to 8 bytes.")
        Boolean otherElements,

        @Doc("Time without a resend after which a UDP template expires; 1m to 1d.")
        Duration templateTimeout,

        @Doc("Maximum number of templates of all exporters, of up to 512 fields each; 1 to 1_000_000.")
        Integer templatesMax,

        @Doc("Maximum number of exporters (observation domain and address); 1 to 100_000.")
        Integer exportersMax) {
    /** Sets the defaults. */
    public IpfixConfig {
        scale = scale != null && scale;
        otherElements = otherElements != null && otherElements;
        templateTimeout = templateTimeout == null ? Duration.ofMinutes(30) : templateTimeout;
        templatesMax = templatesMax == null ? 10_000 : templatesMax; // 80 MB with 512 fields each
        exportersMax = exportersMax == null ? 1_000 : exportersMax;
        new Requirements()
                .between("template_timeout", templateTimeout, Duration.ofMinutes(1), Duration.ofDays(1))
                .between("templates_max", templatesMax, 1, 1_000_000)
                .between("exporters_max", exportersMax, 1, 100_000)
                .check();
    }
}
