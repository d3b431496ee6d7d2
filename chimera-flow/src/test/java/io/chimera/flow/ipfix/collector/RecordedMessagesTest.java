package io.chimera.flow.ipfix.collector;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.metrics.QueueCounter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Recorded messages of other exporters; the README in the resource folder documents each recording. */
final class RecordedMessagesTest {
    private final FlowRig rig = FlowRig.datagrams();

    private void receive(String name) throws IOException {
        try (InputStream in = getClass().getResourceAsStream(name + ".hex");
                BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.US_ASCII))) {
            lines.lines().map(HexFormat.of()::parseHex).forEach(rig::datagram);
        }
        assertThat(rig.sink.rejects).isEmpty();
        assertThat(rig.count(QueueCounter.IPFIX_SETS_UNTOLD)).isZero();
        if (!name.contains("ipfix")) { // softflowd numbers an IPFIX message by its last record instead of its first
            assertThat(rig.count(QueueCounter.IPFIX_RECORDS_LOST)).isZero();
            assertThat(rig.count(QueueCounter.IPFIX_SEQUENCE_BACKWARD)).isZero();
        }
        assertThat(rig.count(QueueCounter.IPFIX_MESSAGES_LOST)).isZero();
    }

    private long sum(String... fields) {
        return rig.points().stream()
                .mapToLong(point ->
                        List.of(fields).stream().mapToLong(point::number).sum())
                .sum();
    }

    @ParameterizedTest
    @CsvSource({
        "softflowd-netflow5, 60, 180, 22200",
        "softflowd-netflow9, 80, 240, 28740",
        "softflowd-ipfix, 80, 240, 28740",
        "softflowd-ipfix-both, 40, 240, 28740",
        "softflowd-ipfix-nano, 80, 240, 28740",
        "nfreplay-netflow9, 80, 240, 28740"
    })
    void comeToTheSumsOfTheirPackets(String name, int flows, long packets, long bytes) throws IOException {
        receive(name);

        assertThat(rig.points()).hasSize(flows);
        assertThat(sum("packets", "reverse_packets")).isEqualTo(packets);
        assertThat(sum("bytes", "reverse_bytes")).isEqualTo(bytes);
        assertThat(rig.points().stream().map(point -> point.tags().get("src")))
                .contains("10.0.0.1")
                .allMatch(source -> source.startsWith("10.0.") || source.startsWith("2001:db8:"));
    }

    @Test
    void tellHowPacketsWereSampled() throws IOException {
        receive("softflowd-ipfix-sampled");

        assertThat(sum("packets")).isEqualTo(120);
        assertThat(rig.points()).allMatch(point -> point.number("sampling_interval") == 2);
    }
}
