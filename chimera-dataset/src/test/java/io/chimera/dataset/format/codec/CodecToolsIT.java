package io.chimera.dataset.format.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.chimera.dataset.format.ByteRange;
import io.chimera.dataset.format.FormatException;
import io.chimera.dataset.format.MemoryObject;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads what the programs of the compressions write. A test is skipped when its program is not installed. */
final class CodecToolsIT {
    private static final int SECONDS_MAX = 120;

    @TempDir
    Path folder;

    private byte[] content = new byte[0];

    @BeforeEach
    void writeContent() throws Exception {
        Random random = new Random(5);
        StringBuilder text = new StringBuilder();
        while (text.length() < 6_000_000) {
            text.append("cpu,host=server").append(random.nextInt(1000)).append(" value=");
            text.append(random.nextInt())
                    .append(" 17000")
                    .append(random.nextInt())
                    .append('\n');
        }
        content = text.toString().getBytes(StandardCharsets.UTF_8);
        Files.write(folder.resolve("content"), content);
    }

    /** Runs a program with the content as its input; returns the output. */
    private byte[] pack(String command) throws Exception {
        List<String> words = new ArrayList<>(List.of(command.split(" ")));
        Path program = Path.of("/usr/bin", words.get(0));
        assumeTrue(Files.isExecutable(program), words.get(0) + " is not installed; scripts/setup installs it");
        words.set(0, program.toString());
        Path packed = folder.resolve("packed");
        Process process = new ProcessBuilder(words)
                .redirectInput(folder.resolve("content").toFile())
                .redirectOutput(packed.toFile())
                .redirectError(folder.resolve("errors").toFile())
                .start();
        try {
            assertThat(process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.exitValue())
                .as(Files.readString(folder.resolve("errors"), StandardCharsets.ISO_8859_1))
                .isZero();
        return Files.readAllBytes(packed);
    }

    private static Compression compressionOf(String command) {
        return command.startsWith("gzip")
                ? Compression.GZIP
                : command.startsWith("lz4") ? Compression.LZ4 : Compression.ZSTD;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "gzip -1 -c",
                "zstd -q -c",
                "zstd -q -c -T2 -9 --no-check",
                "zstd -q -c --long=27",
                "lz4 -q -c",
                "lz4 -q -c -B4 -BX --no-frame-crc",
                "lz4 -q -c -BD -B4",
                "lz4 -q -c -BD -9 -B7"
            })
    void readsOneAndManyFrames(String command) throws Exception {
        byte[] packed = pack(command);
        Compression compression = compressionOf(command);
        assertThat(Packed.content(compression, new MemoryObject("a", packed))).isEqualTo(content);

        ByteArrayOutputStream several = new ByteArrayOutputStream();
        for (int i = 0; i < 3; i++) {
            several.writeBytes(packed);
        }
        MemoryObject object = new MemoryObject("a", several.toByteArray());
        List<ByteRange> ranges = compression.splits(object, packed.length / 2, CodecLimits.DEFAULT);
        assertThat(ranges).hasSize(compression == Compression.GZIP ? 1 : 3);
        for (ByteRange range : ranges) {
            assertThat(Packed.content(compression, object, range, CodecLimits.DEFAULT))
                    .hasSize(content.length * 3 / ranges.size());
        }
    }

    @Test
    void splitsTheFramesOfPzstd() throws Exception {
        byte[] packed = pack("pzstd -q -c -p 4 -1 content".replace("content", folder.resolve("content") + ""));
        MemoryObject object = new MemoryObject("a", packed);
        List<ByteRange> ranges = Compression.ZSTD.splits(object, 1, CodecLimits.DEFAULT);
        assertThat(ranges).hasSizeGreaterThan(1);
        ByteArrayOutputStream together = new ByteArrayOutputStream();
        for (ByteRange range : ranges) {
            together.writeBytes(Packed.content(Compression.ZSTD, object, range, CodecLimits.DEFAULT));
        }
        assertThat(together.toByteArray()).isEqualTo(content);
    }

    @Test
    void refusesAWindowAboveTheLimit() throws Exception {
        byte[] packed = pack("zstd -q -c --long=28");
        assertThatThrownBy(() -> Packed.content(Compression.ZSTD, new MemoryObject("a", packed)))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("window of 268435456 bytes");
    }

    @Test
    void refusesTheLegacyFormat() throws Exception {
        byte[] packed = pack("lz4 -q -c -l");
        assertThatThrownBy(() -> Packed.content(Compression.LZ4, new MemoryObject("a", packed)))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("legacy");
    }
}
