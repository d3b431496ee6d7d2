package io.chimera.jni.capture;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Arbitrary bytes of a capture file cause no other exception than a {@link CaptureException}, and no read outside of
 * the block of a packet: the window has exactly the bytes of the file, and assertions check the place of each packet.
 */
final class PcapngFormatFuzz {
    private static final Path CORPUS = Path.of(System.getProperty("basedir", ""), "src/test/c/corpus");

    /** Smallest and largest values of lengths, and values near the limits of their checks. */
    private static final int[] EXTREMES = {
        0, 1, 4, 7, 8, 11, 12, 16, 20, 28, 32, 0xFFFF, 0x7FFFFFFF, 0x80000000, -4, -1, CaptureOptions.SNAP_LENGTH_MAX
    };

    private static final byte[] SECTION = {0x0A, 0x0D, 0x0D, 0x0A};

    @TempDir
    Path folder;

    @FuzzTest(maxDuration = "1m")
    void readsAnything(byte[] bytes) throws IOException {
        check(bytes);
        byte[] section = Arrays.copyOf(SECTION, SECTION.length + bytes.length);
        System.arraycopy(bytes, 0, section, SECTION.length, bytes.length);
        check(section);
    }

    @Test
    void readsChangedFiles() throws IOException {
        Random random = new Random(20240606);
        List<byte[]> files = pcapng();
        for (int i = 0; i < 2_000; i++) {
            byte[] bytes = files.get(i % files.size()).clone();
            for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
                ByteBuffer changed = ByteBuffer.wrap(bytes)
                        .order(random.nextBoolean() ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
                int at = random.nextInt(bytes.length / 4) * 4;
                int value = EXTREMES[random.nextInt(EXTREMES.length)];
                if (random.nextBoolean()) {
                    changed.putInt(at, value);
                } else {
                    changed.putShort(at + 2 * random.nextInt(2), (short) value);
                }
            }
            check(random.nextInt(4) == 0 ? Arrays.copyOf(bytes, random.nextInt(bytes.length)) : bytes);
        }
    }

    /** The last block of a file has any length: a read after its end is a read after the end of the window. */
    @Test
    void readsBlocksOfAnyLength() throws IOException {
        Random random = new Random(7);
        int[] types = {PcapngFormat.BLOCK_SECTION, 1, 2, 3, 6};
        int[] words = {0, 1, 4, 8, 20, -1, 14 | 8 << 16, 9 | 1 << 16}; // the last two begin options
        for (int i = 0; i < 2_000; i++) {
            ByteBuffer file = ByteBuffer.allocate(200).order(ByteOrder.nativeOrder());
            block(file, PcapngFormat.BLOCK_SECTION, 0x1A2B3C4D, 1, -1, -1);
            block(file, 1, 1, 0);
            int[] body = random.ints(random.nextInt(10), 0, words.length)
                    .map(n -> words[n])
                    .toArray();
            int type = types[random.nextInt(types.length)];
            if (type == PcapngFormat.BLOCK_SECTION && body.length > 0) {
                body[0] = 0x1A2B3C4D;
            }
            block(file, type, body);
            check(Arrays.copyOf(file.array(), file.position()));
        }
    }

    private static void block(ByteBuffer into, int type, int... body) {
        int total = 12 + 4 * body.length;
        into.putInt(type).putInt(total);
        for (int word : body) {
            into.putInt(word);
        }
        into.putInt(total);
    }

    private static List<byte[]> pcapng() throws IOException {
        List<byte[]> files = new ArrayList<>();
        try (Stream<Path> all = Files.list(CORPUS)) {
            for (Path file : all.filter(each -> each.toString().endsWith(".pcapng"))
                    .sorted()
                    .toList()) {
                files.add(Files.readAllBytes(file));
            }
        }
        assertThat(files).isNotEmpty();
        return files;
    }

    private void check(byte[] bytes) throws IOException {
        Path file = folder.resolve("x");
        Files.write(file, bytes);
        List<Integer> captured = records(file);
        assertThat(received(file)).isEqualTo(captured);
    }

    /** Reads the records without {@link FileCapture}; returns the captured bytes of each packet. */
    private static List<Integer> records(Path file) throws IOException {
        List<Integer> captured = new ArrayList<>();
        try (MappedFile mapped = MappedFile.open(file, MappedFile.WINDOW_BYTES_DEFAULT)) {
            FileFormat format = FileFormat.of(mapped);
            long position = format.open();
            while (format.headerBytes() <= mapped.size() - position) {
                int bytes = format.recordBytes(position);
                if (bytes < 0 || bytes > mapped.size() - position) {
                    return captured;
                }
                assertThat(bytes).isGreaterThanOrEqualTo(format.headerBytes());
                if (format.read(position, bytes)) {
                    assertThat(format.captured()).isBetween(0, FileFormat.PACKET_BYTES_MAX);
                    assertThat(format.dataPosition()).isGreaterThanOrEqualTo(position + 8);
                    assertThat(format.dataPosition() + format.captured()).isLessThanOrEqualTo(position + bytes);
                    captured.add(format.captured());
                }
                if (format.failed()) {
                    return captured;
                }
                position += bytes;
            }
        } catch (CaptureException e) {
            assertThat(e).hasMessageContaining(": ");
        }
        return captured;
    }

    private static List<Integer> received(Path file) {
        List<Integer> captured = new ArrayList<>();
        PacketBatch batch = new PacketBatch(3);
        try (FileCapture capture = new FileCapture(CaptureOptions.of(file.toString()), SystemNanoClock.INSTANCE)) {
            while (capture.receive(batch, 0) != PacketCapture.END) {
                for (int i = 0; i < batch.size(); i++) {
                    captured.add(batch.captured(i));
                }
            }
        } catch (CaptureException e) {
            assertThat(e).hasMessageContaining(": ");
        }
        return captured;
    }
}
