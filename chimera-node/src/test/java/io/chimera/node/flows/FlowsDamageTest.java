package io.chimera.node.flows;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.chimera.jni.capture.NumberedFrames;
import io.chimera.node.Invocation;
import io.chimera.node.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FlowsDamageTest {
    private static final int PACKETS = 1_000;
    private static final int FRAME_BYTES = 100;
    private static final int RECORD_BYTES = 16 + FRAME_BYTES;
    private static final int FILE_HEADER_BYTES = 24;

    @TempDir
    private Path folder;

    private Path file;

    @BeforeEach
    void write() {
        file = folder.resolve("x.pcap");
        byte[] frame = NumberedFrames.frame(1, FRAME_BYTES, 9);
        NumberedFrames.write(file, 1_700_000_000_000_000_000L, Collections.nCopies(PACKETS, frame));
    }

    private Invocation read(String... more) {
        String[] arguments = Arrays.copyOf(new String[] {"flows", "--read", file.toString()}, 3 + more.length);
        System.arraycopy(more, 0, arguments, 3, more.length);
        return Invocation.of(arguments);
    }

    @Test
    void reportsWhatStandsAheadOfTheEndOfAFileThatWasCutOff() throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(bytes, bytes.length - 7));
        String damage = file + ": the record at offset " + (FILE_HEADER_BYTES + 999 * RECORD_BYTES)
                + ", after packet 999," + " needs 116 bytes, of which 109 are there: the file was cut off";

        Invocation flows = read("--json");

        assertThat(flows.exitCode()).isEqualTo(1);
        assertThat(flows.err()).contains(damage + ". The report covers the packets read before.");
        JsonNode report = Json.read("flows", flows.out());
        assertThat(report.path("packets").asInt()).isEqualTo(999);
        assertThat(report.path("flows").asInt()).isEqualTo(1);
        assertThat(report.path("failures").asInt()).isEqualTo(1);
        assertThat(report.path("failure").asText()).isEqualTo(damage);
        assertThat(read().out()).contains("999 IP packets").contains("incomplete: " + damage);
    }

    @Test
    void reportsWhatStandsAheadOfADamagedRecord() throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        Arrays.fill(
                bytes, FILE_HEADER_BYTES + 500 * RECORD_BYTES + 8, FILE_HEADER_BYTES + 500 * RECORD_BYTES + 12, (byte)
                        -1);
        Files.write(file, bytes);

        Invocation flows = read("--json");

        assertThat(flows.exitCode()).isEqualTo(1);
        assertThat(Json.read("flows", flows.out()).path("packets").asInt()).isEqualTo(500);
        assertThat(flows.err())
                .contains("at offset 58024, after packet 500, says 4294967295 bytes, more than any packet has");
    }

    @Test
    void saysThatNothingFailedOfAWholeFile() {
        Invocation flows = read("--json");

        assertThat(flows.exitCode()).isZero();
        JsonNode report = Json.read("flows", flows.out());
        assertThat(report.path("failures").asInt(-1)).isZero();
        assertThat(report.has("failure")).isFalse();
    }
}
