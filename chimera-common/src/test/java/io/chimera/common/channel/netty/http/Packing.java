package io.chimera.common.channel.netty.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.compression.Snappy;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;

/** Compressed bodies for tests. */
public final class Packing {
    private static final int SNAPPY_PIECE = 32 << 10;

    private Packing() {}

    /** Generates text with about the compression ratio of metrics. */
    public static byte[] lines(int length) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; text.length() < length; i++) {
            text.append("cpu,host=h")
                    .append(i % 17)
                    .append(" usage=")
                    .append(i * 7919L % 10_007)
                    .append('\n');
        }
        return text.substring(0, length).getBytes(StandardCharsets.ISO_8859_1);
    }

    public static byte[] gzip(byte[] plain) {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(packed)) {
            out.write(plain);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return packed.toByteArray();
    }

    /** Snappy's block format. Netty encodes at most 32 KiB at once, so a block is made of such pieces. */
    public static byte[] snappy(byte[] plain) {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        writeLength(packed, plain.length);
        for (int from = 0; from < plain.length; from += SNAPPY_PIECE) {
            int length = Math.min(SNAPPY_PIECE, plain.length - from);
            ByteBuf out = Unpooled.buffer();
            new Snappy().encode(Unpooled.wrappedBuffer(plain, from, length), out, length);
            ByteArrayOutputStream preamble = new ByteArrayOutputStream();
            writeLength(preamble, length);
            out.skipBytes(preamble.size());
            packed.write(out.array(), out.arrayOffset() + out.readerIndex(), out.readableBytes());
        }
        return packed.toByteArray();
    }

    private static void writeLength(ByteArrayOutputStream out, int length) {
        int rest = length;
        for (; rest > 0x7F; rest >>>= 7) {
            out.write((rest & 0x7F) | 0x80);
        }
        out.write(rest);
    }

    /** RFC 1950. */
    public static byte[] zlib(byte[] plain) {
        return deflate(plain, new Deflater());
    }

    /** RFC 1951. */
    static byte[] bare(byte[] plain) {
        return deflate(plain, new Deflater(Deflater.DEFAULT_COMPRESSION, true));
    }

    private static byte[] deflate(byte[] plain, Deflater deflater) {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (OutputStream out = new DeflaterOutputStream(packed, deflater)) {
            out.write(plain);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            deflater.end();
        }
        return packed.toByteArray();
    }
}
