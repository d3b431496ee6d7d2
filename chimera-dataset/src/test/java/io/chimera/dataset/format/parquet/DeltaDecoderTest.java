package io.chimera.dataset.format.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class DeltaDecoderTest {
    private static final int GROUPS = 4;
    private static final int GROUP_VALUES = 32;

    private final DeltaDecoder decoder = new DeltaDecoder();

    @Test
    void readsWhatAnEncoderWrites() {
        Random random = new Random(7);
        for (int bits = 0; bits <= 64; bits++) {
            for (int count : new int[] {0, 1, 2, 33, 128, 129, 130, 700}) {
                long[] values = new long[count];
                for (int i = 0; i < count; i++) {
                    values[i] = bits == 0 ? 5 : random.nextLong() >> (64 - bits);
                }
                byte[] page = encode(values);

                decoder.open(page, 3, page.length - LittleEndian.SLACK - 2);
                long[] actual = new long[count];
                long[] part = new long[50];
                for (int i = 0; i < count; ) {
                    int n = Math.min(count - i, 1 + random.nextInt(part.length));
                    decoder.read(part, n);
                    System.arraycopy(part, 0, actual, i, n);
                    i += n;
                }

                assertThat(actual).as("%d values of %d bits", count, bits).isEqualTo(values);
                decoder.open(page, 3, page.length - LittleEndian.SLACK - 2);
                assertThat(decoder.skipAll()).isEqualTo(page.length - LittleEndian.SLACK - 2);
            }
        }
    }

    @Test
    void refusesDamagedHeaders() {
        fails(0x80, 0x01, 0x00, 0x05, 0x00); // no groups
        fails(0x80, 0x01, 0x03, 0x05, 0x00); // 128 values in 3 groups
        fails(0x00, 0x01, 0x05, 0x00); // blocks without values
        fails(0x80, 0x80, 0x80, 0x80, 0x08, 0x01, 0x05, 0x00); // groups of two billion values
        fails(0x80, 0x01, 0x04, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F, 0x00); // too many values
        fails(0x80, 0x01);
    }

    @Test
    void aDeclaredNumberAllocatesNothing() {
        byte[] page = page(0x80, 0x01, 0x04, 0xFF, 0xFF, 0xFF, 0xFF, 0x07, 0x02);

        decoder.open(page, 0, page.length - LittleEndian.SLACK);

        assertThat(decoder.valuesLeft()).isEqualTo(Integer.MAX_VALUE);
        decoder.read(new long[1], 1);
        assertThatThrownBy(() -> decoder.read(new long[1], 1)).isInstanceOf(ParquetDefect.class);
        decoder.open(page, 0, page.length - LittleEndian.SLACK);
        assertThatThrownBy(decoder::skipAll).isInstanceOf(ParquetDefect.class);
    }

    private void fails(int... bytes) {
        byte[] page = page(bytes);
        assertThatThrownBy(() -> decoder.open(page, 0, bytes.length)).isInstanceOf(ParquetDefect.class);
    }

    private static byte[] page(int... bytes) {
        byte[] page = new byte[bytes.length + LittleEndian.SLACK];
        for (int i = 0; i < bytes.length; i++) {
            page[i] = (byte) bytes[i];
        }
        return page;
    }

    /** Encodes values after three other bytes, and before two. */
    private static byte[] encode(long[] values) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(new byte[] {9, 9, 9});
        varint(out, GROUPS * GROUP_VALUES);
        varint(out, GROUPS);
        varint(out, values.length);
        zigzag(out, values.length > 0 ? values[0] : 0);
        for (int block = 1; block < values.length; block += GROUPS * GROUP_VALUES) {
            int count = Math.min(GROUPS * GROUP_VALUES, values.length - block);
            long[] deltas = new long[count];
            Arrays.setAll(deltas, i -> 0);
            long min = Long.MAX_VALUE;
            for (int i = 0; i < count; i++) {
                deltas[i] = values[block + i] - values[block + i - 1];
                min = Math.min(min, deltas[i]);
            }
            zigzag(out, min);
            byte[] widths = new byte[GROUPS];
            ByteArrayOutputStream groups = new ByteArrayOutputStream();
            for (int group = 0; group * GROUP_VALUES < count; group++) {
                int from = group * GROUP_VALUES;
                int to = Math.min(count, from + GROUP_VALUES);
                for (int i = from; i < to; i++) {
                    int width = Long.SIZE - Long.numberOfLeadingZeros(deltas[i] - min);
                    widths[group] = (byte) Math.max(widths[group], width);
                }
                groups.writeBytes(pack(deltas, from, to, min, widths[group]));
            }
            out.writeBytes(widths);
            out.writeBytes(groups.toByteArray());
        }
        out.writeBytes(new byte[2 + LittleEndian.SLACK]);
        return out.toByteArray();
    }

    private static byte[] pack(long[] deltas, int from, int to, long min, int width) {
        byte[] packed = new byte[width * GROUP_VALUES / Byte.SIZE];
        for (int i = from; i < to; i++) {
            for (int bit = 0; bit < width; bit++) {
                if ((((deltas[i] - min) >>> bit) & 1) != 0) {
                    int at = (i - from) * width + bit;
                    packed[at >>> 3] |= (byte) (1 << (at & 7));
                }
            }
        }
        return packed;
    }

    private static void zigzag(ByteArrayOutputStream out, long value) {
        varint(out, (value << 1) ^ (value >> 63));
    }

    private static void varint(ByteArrayOutputStream out, long value) {
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            out.write((int) ((rest & 0x7F) | 0x80));
            rest >>>= 7;
        }
        out.write((int) rest);
    }
}
