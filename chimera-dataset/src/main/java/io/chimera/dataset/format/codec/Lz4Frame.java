package io.chimera.dataset.format.codec;

import java.io.IOException;
import java.nio.ByteBuffer;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;
import net.jpountz.xxhash.StreamingXXHash32;
import net.jpountz.xxhash.XXHashFactory;
import org.jspecify.annotations.Nullable;

/**
 * Decodes frames of LZ4 block by block. The library's own reader of frames is not used: it refuses linked blocks and
 * tells no offsets. The decoder's memory is two blocks of at most 4 MiB, and 64 KiB of content before the block.
 */
final class Lz4Frame implements FrameDecoder {
    private static final String PART = "lz4 frame";
    private static final int HISTORY_BYTES = 64 << 10;
    private static final int UNCOMPRESSED = 0x80000000;

    private final LZ4SafeDecompressor decompressor =
            LZ4Factory.fastestInstance().safeDecompressor();
    private final StreamingXXHash32 checksum = XXHashFactory.fastestInstance().newStreamingHash32(0);

    private @Nullable Lz4FrameHeader header;
    private byte[] block = new byte[0];

    /** Content: up to 64 KiB of the blocks before, then the block from {@link #HISTORY_BYTES} on. */
    private byte[] output = new byte[0];

    /** Length of the content before the block that is in the output. */
    private int history;

    private int handedOn;
    private int decoded;
    private long contentLength;

    @Override
    public void begin(CompressedInput in) throws IOException {
        header = null;
        in.require(Integer.BYTES, PART);
        int magic = in.buffer().getInt(in.buffer().position());
        if (SkippableFrame.isMagic(magic)) {
            SkippableFrame.skip(in);
            return;
        }
        if (magic == Lz4FrameHeader.MAGIC_LEGACY) {
            throw in.refused("lz4 frame of the legacy format", "compress the object again without lz4 -l");
        }
        if (magic != Lz4FrameHeader.MAGIC) {
            throw in.damaged("no lz4 frame");
        }
        in.request(Lz4FrameHeader.LENGTH_MAX);
        ByteBuffer buffer = in.buffer();
        Lz4FrameHeader found = Lz4FrameHeader.parse(buffer, buffer.position(), buffer.remaining());
        if (found == null) {
            in.require(Lz4FrameHeader.LENGTH_MAX, PART);
            throw in.damaged("damaged header of an lz4 frame");
        }
        if (found.hasDictionary()) {
            throw in.refused("lz4 frame that needs a dictionary", "compress the object without a dictionary");
        }
        buffer.position(buffer.position() + found.length());
        reset(found);
    }

    private void reset(Lz4FrameHeader found) {
        header = found;
        if (block.length < found.blockBytesMax()) {
            block = new byte[found.blockBytesMax()];
            output = new byte[HISTORY_BYTES + found.blockBytesMax()];
        }
        history = 0;
        handedOn = HISTORY_BYTES;
        decoded = HISTORY_BYTES;
        contentLength = 0;
        checksum.reset();
    }

    @Override
    public int decode(CompressedInput in, ByteBuffer into) throws IOException {
        if (header == null) {
            return -1;
        }
        while (handedOn == decoded) {
            if (!nextBlock(in, header)) {
                return -1;
            }
        }
        int count = Math.min(into.remaining(), decoded - handedOn);
        into.put(output, handedOn, count);
        handedOn += count;
        return count;
    }

    /** Decodes the next block; false at the end of the frame. */
    private boolean nextBlock(CompressedInput in, Lz4FrameHeader of) throws IOException {
        in.require(Integer.BYTES, PART);
        int size = in.buffer().getInt();
        if (size == 0) {
            end(in, of);
            return false;
        }
        int length = size & ~UNCOMPRESSED;
        if (length == 0 || length > of.blockBytesMax()) {
            throw in.damaged("lz4 block of " + length + " bytes; at most " + of.blockBytesMax() + " in this frame");
        }
        in.read(block, length, PART);
        if (of.hasBlockChecksum()) {
            in.require(Integer.BYTES, PART);
            if (in.buffer().getInt() != Lz4FrameHeader.hash(block, length)) {
                throw in.damaged("wrong checksum of an lz4 block");
            }
        }
        keepHistory(of);
        if (size < 0) {
            System.arraycopy(block, 0, output, HISTORY_BYTES, length);
            decoded = HISTORY_BYTES + length;
        } else {
            decoded = decompress(in, of, length);
        }
        handedOn = HISTORY_BYTES;
        contentLength += decoded - HISTORY_BYTES;
        if (of.hasContentChecksum()) {
            checksum.update(output, HISTORY_BYTES, decoded - HISTORY_BYTES);
        }
        return true;
    }

    private void keepHistory(Lz4FrameHeader of) {
        if (of.isLinked()) {
            history = Math.min(HISTORY_BYTES, history + decoded - HISTORY_BYTES);
            System.arraycopy(output, decoded - history, output, HISTORY_BYTES - history, history);
        }
    }

    private int decompress(CompressedInput in, Lz4FrameHeader of, int length) throws IOException {
        int limit = HISTORY_BYTES + of.blockBytesMax();
        if (of.isLinked()) {
            int end = Lz4LinkedBlock.decode(block, length, output, HISTORY_BYTES - history, HISTORY_BYTES, limit);
            if (end == Lz4LinkedBlock.DAMAGED) {
                throw in.damaged("damaged lz4 block");
            }
            return end;
        }
        try {
            return HISTORY_BYTES + decompressor.decompress(block, 0, length, output, HISTORY_BYTES, of.blockBytesMax());
        } catch (LZ4Exception e) {
            throw in.damaged("damaged lz4 block", e);
        }
    }

    private void end(CompressedInput in, Lz4FrameHeader of) throws IOException {
        if (of.hasContentChecksum()) {
            in.require(Integer.BYTES, PART);
            if (in.buffer().getInt() != checksum.getValue()) {
                throw in.damaged("wrong checksum of an lz4 frame");
            }
        }
        if (of.contentSize() >= 0 && of.contentSize() != contentLength) {
            throw in.damaged("lz4 frame with " + contentLength + " bytes instead of " + of.contentSize());
        }
    }

    @Override
    public void close() {
        checksum.close();
    }
}
