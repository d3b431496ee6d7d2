package io.chimera.jni.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class CaptureOptionsTest {

    @ParameterizedTest
    @CsvSource({
        "file:x.pcap, file, x.pcap",
        "x.pcap, file, x.pcap",
        "/a/b:c@1.pcap, file, /a/b:c@1.pcap",
        "file:tpacket:eth0, file, tpacket:eth0",
        "tpacket:eth0, tpacket, eth0",
        "libpcap:any, libpcap, any",
        "af_xdp:eth0, af_xdp, eth0",
        "af_xdp:eth0@3, af_xdp, eth0@3",
        "netmap:p}1, netmap, p}1",
        "netmap:v1@7, netmap, v1@7"
    })
    void aSourceNamesBackEndAndTarget(String source, String backEnd, String target) {
        CaptureOptions options = CaptureOptions.of(source);

        assertThat(options.backEnd()).isEqualTo(backEnd);
        assertThat(options.target()).isEqualTo(target);
        assertThat(options.queue()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"tpacket:", "file:", "", "af_xdp:eth0@", "af_xdp:eth0@x", "af_xdp:@0"})
    void aSourceWithoutATargetOrWithHalfAQueueIsRefused(String source) {
        assertThatThrownBy(() -> CaptureOptions.of(source)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void changesOneThingAtATime() {
        CaptureOptions options = CaptureOptions.of("tpacket:eth0")
                .withFilter("tcp")
                .withSnapLength(96)
                .withRingBytes(1 << 20)
                .withQueue(1, 2)
                .withPromiscuous(false)
                .withZeroCopy(true)
                .withBusyPoll(true)
                .withSpeed(2);

        assertThat(options)
                .isEqualTo(new CaptureOptions("tpacket", "eth0", "tcp", 96, 1 << 20, 1, 2, false, true, true, 2));
    }

    @Test
    void refusesWhatNoBackEndCanDo() {
        CaptureOptions options = CaptureOptions.of("tpacket:eth0");

        assertThatThrownBy(() -> options.withSnapLength(0)).hasMessageContaining("1 to 262144 bytes, not 0");
        assertThatThrownBy(() -> options.withSnapLength(262_145)).hasMessageContaining("not 262145");
        assertThatThrownBy(() -> options.withRingBytes(1)).hasMessageContaining("at least 65536 bytes");
        assertThatThrownBy(() -> options.withQueue(-1, 1)).hasMessageContaining("from 0");
        assertThatThrownBy(() -> options.withQueue(0, 0)).hasMessageContaining("1 to 256");
        assertThatThrownBy(() -> options.withSpeed(-1)).hasMessageContaining("0 or more");
        assertThatThrownBy(() -> options.withSpeed(Double.NaN)).hasMessageContaining("0 or more");
        assertThatThrownBy(() -> options.withFilter("a\0b")).hasMessageContaining("zero byte");
    }
}
