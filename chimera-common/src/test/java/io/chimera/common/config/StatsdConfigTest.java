package io.chimera.common.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.channel.Endpoint;
import io.chimera.common.config.StatsdConfig.RelativeGauges;
import io.chimera.common.config.binding.Sections;
import org.junit.jupiter.api.Test;

final class StatsdConfigTest {
    @Test
    void belongsToInputsOfStatsdOnly() {
        StatsdConfig config = new StatsdConfig(RelativeGauges.DELTA);

        assertThat(Sections.of(InputConfig.class, "type", InputConfig.STATSD).statsd())
                .isEqualTo(new StatsdConfig(RelativeGauges.REJECT));
        assertThatThrownBy(() -> Sections.of(InputConfig.class, "type", InputConfig.INFLUX, "statsd", config))
                .hasMessageContaining("statsd");
    }

    @Test
    void hasListenersForLinesAndDatagrams() {
        Endpoint address = Endpoint.parse("127.0.0.1:8125");

        assertThat(Sections.of(InputConfig.class, "type", InputConfig.STATSD, "udp", address, "tcp", address)
                        .listens())
                .isTrue();
        assertThatThrownBy(() -> Sections.of(InputConfig.class, "type", InputConfig.STATSD, "http", address))
                .hasMessageContaining("no HTTP listener");
    }
}
