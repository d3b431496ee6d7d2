package io.chimera.jni.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Reads every format in Java and in C: packets, counters and error messages must be equal. */
final class FileFormatsTest {

    private static final Path CORPUS = Path.of(System.getProperty("basedir", ""), "src/test/c/corpus");

    @TempDir
    Path folder;

    static List<Path> corpus() throws IOException {
        try (Stream<Path> files = Files.list(CORPUS)) {
            return files.sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("corpus")
    void javaAndNativeCodeSayTheSame(Path file) throws IOException {
        assumeTrue(CaptureLibrary.isLoaded(), CaptureLibrary.loadFailure());
        byte[] bytes = Files.readAllBytes(file);
        expectTheSameOf(bytes);
        for (int i = 0; i < bytes.length; i++) {
            if (i % 8 == 5) {
                expectTheSameOf(Arrays.copyOf(bytes, i));
            }
            byte kept = bytes[i];
            bytes[i] ^= (byte) 0x81;
            expectTheSameOf(bytes);
            bytes[i] = kept;
        }
    }

    private void expectTheSameOf(byte[] bytes) throws IOException {
        Path file = folder.resolve("x");
        Files.write(file, bytes);
        CaptureOptions options = CaptureOptions.of(file.toString());
        assertThat(told(options, given -> new FileCapture(given, SystemNanoClock.INSTANCE)))
                .isEqualTo(told(options, NativeCapture::new));
    }

    @Test
    void readsInterfacesOfSeveralResolutions() {
        for (String order : List.of("little", "big")) {
            CaptureOptions options = CaptureOptions.of(
                    CORPUS.resolve("interfaces-" + order + ".pcapng").toString());
            String told = told(options, given -> new FileCapture(given, SystemNanoClock.INSTANCE));
            assertThat(told.lines().map(line -> line.replaceAll(" bytes -?\\d+$", "")))
                    .containsExactly(
                            "link type 1",
                            "1700000000123456000 47/47",
                            "1700000005123456789 30/49",
                            "4882812 45/45",
                            "1700000000123457000 43/43",
                            "end",
                            "received 4, bytes 184, dropped_ring 0, dropped_interface 0, truncated 1, invalid 1");
        }
    }

    /** Formats packets, counters and errors of a capture of a file. */
    private static String told(CaptureOptions options, Function<CaptureOptions, PacketCapture> opening) {
        StringBuilder told = new StringBuilder();
        PacketBatch batch = new PacketBatch(2);
        CaptureCounters counters = new CaptureCounters();
        try (PacketCapture capture = opening.apply(options)) {
            told.append("link type ").append(capture.linkType()).append('\n');
            try {
                while (capture.receive(batch, 0) != PacketCapture.END) {
                    for (int i = 0; i < batch.size(); i++) {
                        told.append(batch.timestampNs(i)).append(' ').append(batch.captured(i));
                        told.append('/').append(Integer.toUnsignedString(batch.length(i)));
                        told.append(" bytes ")
                                .append(Arrays.hashCode(NumberedFrames.bytesOf(batch, i)))
                                .append('\n');
                    }
                }
                told.append("end\n");
            } finally {
                capture.counters(counters);
                told.append(counters).append('\n');
            }
        } catch (CaptureException e) {
            told.append(e.getMessage());
        }
        return told.toString();
    }
}
