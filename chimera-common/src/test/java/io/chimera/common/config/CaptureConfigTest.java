package io.chimera.common.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.channel.Endpoint;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CaptureConfigTest {
    private static CaptureConfig of(String source, Integer flowsMax, Duration idle) {
        return new CaptureConfig(source, null, null, null, null, null, null, flowsMax, idle, null, null);
    }

    private static InputConfig input(Endpoint http, CaptureConfig capture) {
        return new InputConfig(InputConfig.CAPTURE, http, null, null, null, capture, null);
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
        assertThatThrownBy(() -> new InputConfig(InputConfig.INFLUX, null, null, null, null, capture, null))
                .isInstanceOf(InvalidRecordException.class);
    }

    @Test
    void knowsNothingOfExporters() {
        CaptureConfig capture = of("tpacket:eth0", null, null);
        FlowConfig flow = new FlowConfig(null, List.of(FlowColumn.SRC), List.of(FlowColumn.SRC_AS));

        assertThat(input(null, capture).flow()).isEqualTo(FlowConfig.DEFAULT);
        assertThatThrownBy(
                        () -> new InputConfig(InputConfig.CAPTURE, null, null, null, null, capture, flow, null, null))
                .isInstanceOf(InvalidRecordException.class);
    }
}
