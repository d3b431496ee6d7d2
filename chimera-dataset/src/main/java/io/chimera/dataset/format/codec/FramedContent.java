package io.chimera.dataset.format.codec;

import io.chimera.dataset.format.ByteRange;
import io.chimera.dataset.format.ObjectBytes;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Content of the frames that begin in a split, and of all following frames. {@link Compression} explains the check. */
final class FramedContent implements SplitContent {
    /** Maximum content per byte as stored; texts of measurements have less than 100. */
    private static final long EXPANSION_MAX = 4096;

    /** Content that a split may have in any case. */
    private static final long CONTENT_BYTES_FREE = 64L << 20;

    private final CompressedInput in;
    private final long from;
    private final FrameDecoder decoder;
    private final long to;
    private final long contentBytesMax;

    private long content;
    private long frameStart;
    private boolean isInFrame;
    private boolean isInSplit = true;
    private boolean isClosed;

    FramedContent(ObjectBytes object, ByteRange range, CodecLimits limits, FrameDecoder decoder) {
        this.in = new CompressedInput(object, range.from());
        this.decoder = decoder;
        this.from = range.from();
        this.to = range.to();
        this.contentBytesMax = limits.contentBytesMax();
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        while (true) {
            if (!isInFrame) {
                if (isInSplit && in.position() >= to) {
                    leaveSplit();
                }
                if (in.isAtEnd()) {
                    return end();
                }
                frameStart = in.position();
                decoder.begin(in);
                isInFrame = true;
            }
            int count = decoder.decode(in, into);
            if (count > 0) {
                return counted(count);
            }
            isInFrame = false;
        }
    }

    private void leaveSplit() throws IOException {
        if (in.position() > to) {
            throw in.refused(
                    "no frame begins at the end of the split, offset " + to + "; the last frame began at offset "
                            + frameStart,
                    "discard the results of this object, and read it as one split without a search for frames");
        }
        isInSplit = false;
    }

    private int end() throws IOException {
        if (isInSplit) {
            throw in.damaged("the object ends before the end of the split, offset " + to);
        }
        return -1;
    }

    private int counted(int count) throws IOException {
        content += count;
        if (content > contentBytesMax) {
            throw in.refused(
                    "the split has more than " + contentBytesMax + " bytes of content",
                    "raise the limit of the content of a split, or choose shorter splits");
        }
        if (content > CONTENT_BYTES_FREE && content / EXPANSION_MAX > in.position() - from) {
            throw in.refused(
                    "the split has more than " + EXPANSION_MAX + " times its length of content, as no data set has",
                    "write the object again, or decompress the object first");
        }
        return count;
    }

    @Override
    public boolean isInSplit() {
        return isInSplit;
    }

    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            decoder.close();
            in.close();
        }
    }
}
