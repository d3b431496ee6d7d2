package io.chimera.dataset.format.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.ZstdCompressCtx;
import io.chimera.dataset.format.ByteRange;
import io.chimera.dataset.format.FormatException;
import io.chimera.dataset.format.MemoryObject;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

final class CompressionTest {
    private final Random random = new Random(7);

    /** Text that repeats itself near and far, with some random bytes. */
    private byte[] sample(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            boolean repeats = i > 0 && random.nextInt(10) > 0;
            bytes[i] = repeats ? bytes[random.nextInt(Math.max(0, i - 100_000), i)] : (byte) random.nextInt();
        }
        return bytes;
    }

    private static byte[] zstd(byte[] content, int windowLog) {
        try (ZstdCompressCtx context = new ZstdCompressCtx()) {
            context.setContentSize(false).setChecksum(true).setWindowLog(windowLog);
            return context.compress(content);
        }
    }

    private byte[] read(Compression compression, byte[] packed) throws Exception {
        return Packed.content(compression, new MemoryObject("a", packed, random, 300));
    }

    @ParameterizedTest
    @CsvSource({"a.csv, PLAIN", "a.GZ, GZIP", "b/a.csv.zst, ZSTD", "a.zstd, ZSTD", "a.lz4, LZ4", "gz, PLAIN"})
    void knowsSuffixes(String path, Compression expected) {
        assertThat(Compression.ofPath(path)).isEqualTo(expected);
    }

    @ParameterizedTest
    @EnumSource
    void hasNames(Compression compression) {
        assertThat(Compression.ofName(compression.text())).isEqualTo(compression);
        assertThat(Compression.ofPath("a" + compression.suffix())).isEqualTo(compression);
        assertThatThrownBy(() -> Compression.ofName("rar")).hasMessageContaining("zstd");
    }

    @ParameterizedTest
    @EnumSource
    void readsManyMembersAndFrames(Compression compression) throws Exception {
        for (int length : new int[] {1, 100, 70_000, 400_000}) {
            byte[] content = sample(length);
            assertThat(read(compression, Packed.frame(compression, content))).isEqualTo(content);
            byte[] packed = Packed.frames(compression, content, random, 1 + length / 4);
            if (packed.length > 0) {
                assertThat(read(compression, packed)).isEqualTo(content);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "PLAIN")
    void rejectsTruncatedObjects(Compression compression) {
        byte[] packed = Packed.frame(compression, sample(2_000));
        for (int length = 1; length < packed.length; length++) {
            byte[] piece = Arrays.copyOf(packed, length);
            assertThatThrownBy(() -> read(compression, piece))
                    .isInstanceOf(FormatException.class)
                    .hasMessageContaining("a, offset " + length);
        }
    }

    /** A damaged byte is detected, or does not change the content: a file name, a time, or an operating system. */
    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "PLAIN")
    void detectsDamage(Compression compression) throws Exception {
        byte[] content = sample(3_000);
        byte[] packed = compression == Compression.ZSTD ? zstd(content, 10) : Packed.frame(compression, content);
        int detected = 0;
        for (int i = 0; i < packed.length; i++) {
            byte[] damaged = packed.clone();
            damaged[i] ^= (byte) (1 << random.nextInt(8));
            try {
                assertThat(read(compression, damaged)).as("byte " + i).isEqualTo(content);
            } catch (FormatException e) {
                assertThat(e).hasMessageContaining("a, offset");
                detected++;
            }
        }
        assertThat(detected).isGreaterThan(packed.length - 20);
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "PLAIN")
    void rejectsOtherBytes(Compression compression) {
        byte[] text = "cpu value=1 17000000000000000\n".getBytes(UTF_8);
        assertThatThrownBy(() -> read(compression, text))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("no " + compression.text());
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "PLAIN")
    void boundsTheContentOfABomb(Compression compression) {
        byte[] bomb = Packed.frame(compression, new byte[20 << 20]);
        MemoryObject object = new MemoryObject("a", bomb);
        CodecLimits limits = new CodecLimits(CodecLimits.WINDOW_BYTES_LIMIT, 1 << 20, 0);
        assertThatThrownBy(() -> Packed.content(compression, object, new ByteRange(0, bomb.length), limits))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("more than 1048576 bytes");
    }

    @Test
    void refusesALargeWindow() throws Exception {
        byte[] content = sample(1 << 20);
        byte[] packed = zstd(content, 20);
        assertThat(read(Compression.ZSTD, packed)).isEqualTo(content);
        CodecLimits limits = new CodecLimits((1 << 20) - 1, Long.MAX_VALUE, 0);
        MemoryObject object = new MemoryObject("a", packed);
        assertThatThrownBy(() -> Packed.content(Compression.ZSTD, object, new ByteRange(0, packed.length), limits))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("window of 1048576 bytes");
    }

    @Test
    void refusesDictionariesAndLegacyFrames() {
        byte[] zstd = {0x28, (byte) 0xB5, 0x2F, (byte) 0xFD, 0x01, 0x50, 0x07, 0, 0, 0};
        assertThatThrownBy(() -> read(Compression.ZSTD, zstd)).hasMessageContaining("dictionary 7");
        byte[] legacy = {0x02, 0x21, 0x4C, 0x18, 1, 0, 0, 0};
        assertThatThrownBy(() -> read(Compression.LZ4, legacy)).hasMessageContaining("legacy");
    }

    @Test
    void ignoresZerosAfterTheLastMember() throws Exception {
        byte[] content = sample(500);
        byte[] member = Packed.frame(Compression.GZIP, content);
        byte[] padded = Arrays.copyOf(member, member.length + 1000);
        assertThat(read(Compression.GZIP, padded)).isEqualTo(content);
        padded[padded.length - 1] = 1;
        assertThatThrownBy(() -> read(Compression.GZIP, padded)).hasMessageContaining("extra bytes");
        padded[member.length] = 1;
        assertThatThrownBy(() -> read(Compression.GZIP, padded)).hasMessageContaining("extra bytes");
    }

    @Test
    void readsOptionalPartsOfAMember() throws Exception {
        byte[] member = Packed.frame(Compression.GZIP, "x".getBytes(UTF_8));
        byte[] optional = {3, 0, 9, 9, 9, 'n', 0, 'c', 'c', 0, 1, 2};
        byte[] packed = new byte[member.length + optional.length];
        System.arraycopy(member, 0, packed, 0, 10);
        System.arraycopy(optional, 0, packed, 10, optional.length);
        System.arraycopy(member, 10, packed, 10 + optional.length, member.length - 10);
        packed[3] = 2 | 4 | 8 | 16;
        assertThat(read(Compression.GZIP, packed)).isEqualTo("x".getBytes(UTF_8));
        packed[3] = (byte) 0x80;
        assertThatThrownBy(() -> read(Compression.GZIP, packed)).hasMessageContaining("flag");
    }
}
