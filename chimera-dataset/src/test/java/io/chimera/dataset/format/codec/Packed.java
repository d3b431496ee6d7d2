package io.chimera.dataset.format.codec;

import com.github.luben.zstd.Zstd;
import io.chimera.dataset.format.ByteRange;
import io.chimera.dataset.format.ObjectBytes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.zip.GZIPOutputStream;
import net.jpountz.lz4.LZ4FrameOutputStream;
import net.jpountz.lz4.LZ4FrameOutputStream.BLOCKSIZE;
import net.jpountz.lz4.LZ4FrameOutputStream.FLG.Bits;

/** Compressed samples, and the content of splits. */
public final class Packed {
    private Packed() {}

    /** Compresses content to one frame, or to one gzip member. */
    public static byte[] frame(Compression compression, byte[] content) {
        try {
            return switch (compression) {
                case PLAIN -> content;
                case GZIP -> gzip(content);
                case ZSTD -> Zstd.compress(content);
                case LZ4 -> lz4(content);
            };
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] gzip(byte[] content) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(content);
        }
        return packed.toByteArray();
    }

    private static byte[] lz4(byte[] content) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (LZ4FrameOutputStream out = new LZ4FrameOutputStream(
                packed, BLOCKSIZE.SIZE_64KB, Bits.BLOCK_INDEPENDENCE, Bits.CONTENT_CHECKSUM, Bits.BLOCK_CHECKSUM)) {
            out.write(content);
        }
        return packed.toByteArray();
    }

    /** Compresses content to frames of 0 to {@code contentMax} bytes of content, some with skippable frames between. */
    public static byte[] frames(Compression compression, byte[] content, RandomGenerator random, int contentMax) {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        for (byte[] piece : pieces(content, random, contentMax)) {
            packed.writeBytes(frame(compression, piece));
            if (compression != Compression.PLAIN && compression != Compression.GZIP && random.nextInt(5) == 0) {
                packed.writeBytes(skippable(0x184D2A50 + random.nextInt(16), new byte[random.nextInt(100)]));
            }
        }
        return packed.toByteArray();
    }

    /** Compresses content to frames of zstd with a seek table at the end. */
    public static byte[] seekable(byte[] content, RandomGenerator random, int contentMax, boolean withChecksums) {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        List<byte[]> pieces = pieces(content, random, contentMax);
        ByteBuffer table = ByteBuffer.allocate(pieces.size() * (withChecksums ? 12 : 8) + 9)
                .order(ByteOrder.LITTLE_ENDIAN);
        for (byte[] piece : pieces) {
            byte[] frame = Zstd.compress(piece);
            packed.writeBytes(frame);
            table.putInt(frame.length).putInt(piece.length);
            if (withChecksums) {
                table.putInt(0);
            }
        }
        table.putInt(pieces.size()).put((byte) (withChecksums ? 0x80 : 0)).putInt(0x8F92EAB1);
        packed.writeBytes(skippable(0x184D2A5E, table.array()));
        return packed.toByteArray();
    }

    static byte[] skippable(int magic, byte[] content) {
        return ByteBuffer.allocate(8 + content.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(magic)
                .putInt(content.length)
                .put(content)
                .array();
    }

    private static List<byte[]> pieces(byte[] content, RandomGenerator random, int contentMax) {
        List<byte[]> pieces = new ArrayList<>();
        int at = 0;
        while (at < content.length || pieces.isEmpty()) {
            int length = Math.min(content.length - at, random.nextInt(contentMax + 1));
            byte[] piece = new byte[length];
            System.arraycopy(content, at, piece, 0, length);
            pieces.add(piece);
            at += length;
        }
        return pieces;
    }

    /** Content of a split without the content after it. */
    static byte[] content(Compression compression, ObjectBytes object, ByteRange range, CodecLimits limits)
            throws IOException {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        ByteBuffer buffer = ByteBuffer.allocate(1000);
        try (SplitContent split = compression.open(object, range, limits)) {
            while (split.read(buffer.clear()) > 0 && split.isInSplit()) {
                content.write(buffer.array(), 0, buffer.position());
            }
        }
        return content.toByteArray();
    }

    static byte[] content(Compression compression, ObjectBytes object) throws IOException {
        return content(compression, object, new ByteRange(0, object.length()), CodecLimits.DEFAULT);
    }
}
