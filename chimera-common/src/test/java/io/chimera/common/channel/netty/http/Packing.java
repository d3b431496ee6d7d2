package io.chimera.common.channel.netty.http;

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
