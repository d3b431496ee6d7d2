package io.chimera.common.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.channel.Endpoint;
import io.chimera.common.config.binding.ByteSize;
import io.chimera.common.config.binding.InvalidRecordException;
import io.chimera.common.config.binding.Sections;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CaptureConfigTest {
    private static CaptureConfig of(String source, Integer flowsMax, Duration idle) {
        return Sections.of(CaptureConfig.class, "source", source, "flows_max", flowsMax, "idle", idle);
    }

    private static InputConfig input(Endpoint http, CaptureConfig capture) {
        return Sections.of(InputConfig.class, "type", InputConfig.CAPTURE, "http", http, "capture", capture);
    }

    @Test
    void hasTheseDefaults() {
        assertThat(of("tpacket:eth0", null, null))
                .isEqualTo(new CaptureConfig(
                        "tpacket:eth0",
                        "",
                        256,
                        ByteSize.ofMebibytes(32),
                        true,
                        true,
                        false,
                        262_144,
                        Duration.ofSeconds(15),
                        Duration.ofSeconds(60),
                        true));
    }

    @Test
    void refusesWhatCannotBe() {
        assertThatThrownBy(() -> of("x", 0, null)).isInstanceOf(InvalidRecordException.class);
        assertThatThrownBy(() -> of("x", null, Duration.ofDays(1))).isInstanceOf(InvalidRecordException.class);
    }

    @Test
    void belongsToAnInputOfItsTypeOnly() {
        CaptureConfig capture = of("tpacket:eth0", null, null);

        assertThat(input(null, capture).fetches()).isTrue();
        assertThatThrownBy(() -> input(null, null)).isInstanceOf(InvalidRecordException.class);
        assertThatThrownBy(() -> input(null, of(null, null, null))).isInstanceOf(InvalidRecordException.class);
        assertThatThrownBy(() -> input(new Endpoint("localhost", 1), capture))
                .isInstanceOf(InvalidRecordException.class);
        assertThatThrownBy(() -> Sections.of(InputConfig.class, "type", InputConfig.INFLUX, "capture", capture))
                .isInstanceOf(InvalidRecordException.class);
    }

    @Test
    void knowsNothingOfExporters() {
        CaptureConfig capture = of("tpacket:eth0", null, null);
        FlowConfig flow =
                Sections.of(FlowConfig.class, "tags", List.of(FlowColumn.SRC), "fields", List.of(FlowColumn.SRC_AS));

        assertThat(input(null, capture).flow()).isEqualTo(FlowConfig.DEFAULT);
        assertThatThrownBy(() ->
                        Sections.of(InputConfig.class, "type", InputConfig.CAPTURE, "capture", capture, "flow", flow))
                .isInstanceOf(InvalidRecordException.class);
    }
}
