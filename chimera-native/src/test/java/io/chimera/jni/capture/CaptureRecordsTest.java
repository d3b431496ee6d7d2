package io.chimera.jni.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records of captures in memory are those of the reader of files. */
final class CaptureRecordsTest {
    private static final Path CORPUS = Path.of(System.getProperty("basedir", ""), "src/test/c/corpus");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "us-little.pcap",
                "us-big.pcap",
                "ns-little.pcap",
                "ns-big.pcap",
                "interfaces-little.pcapng",
                "interfaces-big.pcapng",
                "sections.pcapng"
            })
    void packetsAreThoseOfTheFile(String name) throws IOException {
        byte[] bytes = Files.readAllBytes(CORPUS.resolve(name));
        CaptureRecords records = CaptureRecords.of(name, bytes, bytes.length);
        List<String> found = new ArrayList<>();
        int likely = 0;
        int all = 0;
        long position = records.first();
        while (position < bytes.length) {
            byte[] rest = Arrays.copyOfRange(bytes, (int) position, bytes.length);
            records.wrap(rest, rest.length, position);
            int length = records.recordBytes(position);
            boolean isPacket = records.read(position, length);
            assertThat(records.failed()).isFalse();
            if (isPacket) {
                found.add(records.timeNs() + " " + records.captured() + " " + records.length());
            }
            int likelyBytes = records.likelyBytes(position);
            likely += likelyBytes == length && records.isLikelyWhole(position, length) ? 1 : 0;
            all++;
            position += length;
        }

        assertThat(found).isEqualTo(ofFile(CORPUS.resolve(name)));
        assertThat(likely).as("records that look like records").isGreaterThanOrEqualTo(all - 1);
    }

    private static List<String> ofFile(Path file) {
        List<String> packets = new ArrayList<>();
        PacketBatch batch = new PacketBatch(4);
        try (FileCapture capture = new FileCapture(CaptureOptions.of(file.toString()), SystemNanoClock.INSTANCE)) {
            while (capture.receive(batch, 0) != PacketCapture.END) {
                for (int i = 0; i < batch.size(); i++) {
                    packets.add(batch.timestampNs(i) + " " + batch.captured(i) + " " + batch.length(i));
                }
            }
        }
        return packets;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3, 23, 24})
    void otherBytesAreNoCapture(int length) {
        assertThatThrownBy(() -> CaptureRecords.of("other", new byte[24], length))
                .isInstanceOf(CaptureException.class)
                .hasMessageContaining("other");
    }
}
