package io.chimera.common.config;

import java.time.Duration;

/** Reading of flow records by an input of type ipfix. */
public record IpfixConfig(
        @Doc(
                "Whether packets and bytes are multiplied by the sampling interval that the exporter tells of: estimates then, in the"
                        + " place of what was counted.")
        Boolean scale,

        @Doc(
                "Whether elements without a field of their own become fields: element_<number>, or element_<enterprise>_<number>;"
                        + " numbers of up to 8 bytes, others are skipped.")
        Boolean otherElements,

        @Doc("A template that came by UDP is forgotten when it is not sent again for so long; 1m to 1d.")
        Duration templateTimeout,

        @Doc("Templates of all exporters that are kept at one time, of up to 512 fields each; 1 to 1_000_000.")
        Integer templatesMax,

        @Doc("Exporters that are known at one time: observation domains at addresses; 1 to 100_000.")
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
