package io.chimera.dataset.format.codec;

import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.agrona.BufferUtil;
import org.jspecify.annotations.Nullable;

/** Decodes frames of zstd with the native library. The decoder's memory is the window and a few blocks. */
final class ZstdFrame implements FrameDecoder {
    private static final String PART = "zstd frame";

    /** Largest block of the format. */
    private static final int OUTPUT_BYTES = 128 << 10;

    private final long windowBytesMax;
    private final ZstdDecompressCtx context = new ZstdDecompressCtx();

    /** Content that is decoded and not handed on. */
    private final ByteBuffer output = ByteBuffer.allocateDirect(OUTPUT_BYTES).limit(0);

    private boolean isEnded;

    ZstdFrame(long windowBytesMax) {
        this.windowBytesMax = windowBytesMax;
    }

    @Override
    public void begin(CompressedInput in) throws IOException {
        in.require(Integer.BYTES, PART);
        int magic = in.buffer().getInt(in.buffer().position());
        isEnded = SkippableFrame.isMagic(magic);
        if (isEnded) {
            SkippableFrame.skip(in);
            return;
        }
        if (magic != ZstdFrameHeader.MAGIC) {
            throw in.damaged("no zstd frame");
        }
        in.request(ZstdFrameHeader.LENGTH_MAX);
        check(
                in,
                ZstdFrameHeader.parse(
                        in.buffer(), in.buffer().position(), in.buffer().remaining()));
        context.reset();
    }

    private void check(CompressedInput in, @Nullable ZstdFrameHeader header) throws IOException {
        if (header == null) {
            in.require(ZstdFrameHeader.LENGTH_MAX, PART);
            throw in.damaged("damaged header of a zstd frame");
        }
        if (header.dictionaryId() != 0) {
            throw in.refused(
                    "zstd frame that needs the dictionary " + header.dictionaryId(),
                    "compress the object without a dictionary");
        }
        if (!header.fits(windowBytesMax)) {
            throw in.refused(
                    "zstd frame with a window of " + Long.toUnsignedString(header.windowBytes())
                            + " bytes; the limit is " + windowBytesMax,
                    "compress the object with a smaller window (without --long or --ultra), or raise the limit up to "
                            + CodecLimits.WINDOW_BYTES_LIMIT);
        }
    }

    @Override
    public int decode(CompressedInput in, ByteBuffer into) throws IOException {
        if (!output.hasRemaining()) {
            if (isEnded) {
                return -1;
            }
            output.clear();
            fill(in);
            output.flip();
            if (!output.hasRemaining()) {
                return -1;
            }
        }
        int count = Math.min(into.remaining(), output.remaining());
        int limit = output.limit();
        into.put(output.limit(output.position() + count));
        output.limit(limit);
        return count;
    }

    /** Decodes until there is output, or until the end of the frame. */
    private void fill(CompressedInput in) throws IOException {
        ByteBuffer input = in.buffer();
        while (output.position() == 0 && !isEnded) {
            int before = input.remaining();
            isEnded = decompress(in);
            if (!isEnded && output.position() == 0 && input.remaining() == before) {
                if (before > 0) {
                    throw in.damaged("zstd frame without progress");
                }
                in.require(1, PART);
            }
        }
    }

    private boolean decompress(CompressedInput in) throws IOException {
        try {
            return context.decompressDirectByteBufferStream(output, in.buffer());
        } catch (ZstdException e) {
            throw in.damaged("damaged zstd frame: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        context.close();
        BufferUtil.free(output);
    }
}
