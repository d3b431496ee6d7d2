package io.chimera.dataset.format.parquet;

import io.airlift.compress.Decompressor;
import io.airlift.compress.lz4.Lz4Decompressor;
import io.airlift.compress.snappy.SnappyDecompressor;
import io.airlift.compress.zstd.ZstdDecompressor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.zip.GZIPInputStream;
import org.apache.parquet.format.CompressionCodec;

/** Decompresses pages into buffers of the declared length, never further. One thread. */
final class PageCodec {
    private static final int GZIP_BUFFER_BYTES = 8192;

    private final Decompressor snappy = new SnappyDecompressor();
    private final Decompressor zstd = new ZstdDecompressor();
    private final Decompressor lz4 = new Lz4Decompressor();

    /** Returns whether pages with a codec can be read. */
    static boolean isReadable(CompressionCodec codec) {
        return switch (codec) {
            case UNCOMPRESSED, SNAPPY, GZIP, ZSTD, LZ4_RAW -> true;
            case LZO, BROTLI, LZ4 -> false;
        };
    }

    /**
     * Decompresses a page.
     *
     * @param codec a codec that {@link #isReadable}, except {@link CompressionCodec#UNCOMPRESSED}
     * @param from index of the first compressed byte
     * @param length number of compressed bytes
     * @param into receives the page from index 0
     * @param expected number of bytes of the page
     * @throws ParquetDefect when the page has another length, or is damaged
     */
    void decompress(CompressionCodec codec, byte[] bytes, int from, int length, byte[] into, int expected) {
        long actual;
        try {
            actual = switch (codec) {
                case SNAPPY -> snappy.decompress(bytes, from, length, into, 0, expected);
                case ZSTD -> zstd.decompress(bytes, from, length, into, 0, expected);
                case LZ4_RAW -> lz4.decompress(bytes, from, length, into, 0, expected);
                case GZIP -> gunzip(bytes, from, length, into, expected);
                case UNCOMPRESSED, LZO, BROTLI, LZ4 ->
                    throw new IllegalArgumentException("codec " + codec + " does not decompress");
            };
        } catch (IOException | RuntimeException e) {
            throw new ParquetDefect("the page is not valid " + codec + " (" + e.getMessage() + ")");
        }
        if (actual != expected) {
            throw new ParquetDefect("the page has " + actual + " bytes, its header declares " + expected);
        }
    }

    /** Returns the number of bytes; more than expected when the page goes on after the expected bytes. */
    private static long gunzip(byte[] bytes, int from, int length, byte[] into, int expected) throws IOException {
        try (GZIPInputStream in =
                new GZIPInputStream(new ByteArrayInputStream(bytes, from, length), GZIP_BUFFER_BYTES)) {
            int count = in.readNBytes(into, 0, expected);
            return count == expected && in.read() >= 0 ? expected + 1L : count;
        }
    }
}
