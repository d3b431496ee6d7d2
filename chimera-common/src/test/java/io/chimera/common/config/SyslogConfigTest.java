package io.chimera.common.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.config.binding.Sections;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;

final class SyslogConfigTest {
    @Test
    void belongsToInputsOfSyslogOnly() {
        SyslogConfig config = new SyslogConfig("Europe/Berlin");

        assertThat(config.zone()).isEqualTo(ZoneId.of("Europe/Berlin"));
        assertThat(Sections.of(InputConfig.class, "type", InputConfig.SYSLOG).syslog())
                .isEqualTo(new SyslogConfig("UTC"));
        assertThatThrownBy(() -> Sections.of(InputConfig.class, "type", InputConfig.INFLUX, "syslog", config))
                .hasMessageContaining("syslog");
        assertThatThrownBy(() -> new SyslogConfig("Middle/Earth")).hasMessageContaining("timezone");
    }
}
