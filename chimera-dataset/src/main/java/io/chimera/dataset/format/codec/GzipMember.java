package io.chimera.dataset.format.codec;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Decodes members of gzip (RFC 1952) with the JDK's inflater. {@link java.util.zip.GZIPInputStream} is not used: it
 * tells no offsets, and ignores any bytes after a member that do not begin another member. Zero bytes after the last
 * member are padding, as for the gzip program.
 */
final class GzipMember implements FrameDecoder {
    private static final String PART = "gzip member";
    private static final int FIXED_HEADER_BYTES = 10;
    private static final int TRAILER_BYTES = 8;
    private static final int DEFLATED = 8;

    private static final int FLAG_HEADER_CHECKSUM = 2;
    private static final int FLAG_EXTRA = 4;
    private static final int FLAG_NAME = 8;
    private static final int FLAG_COMMENT = 16;
    private static final int FLAGS_RESERVED = 0xE0;

    private final Inflater inflater = new Inflater(true);
    private final CRC32 checksum = new CRC32();
    private int contentLength;
    private boolean isAfterMember;
    private boolean isPadding;

    @Override
    public void begin(CompressedInput in) throws IOException {
        if (isAfterMember && in.buffer().get(in.buffer().position()) == 0) {
            isPadding = true;
            return;
        }
        in.require(FIXED_HEADER_BYTES, PART);
        ByteBuffer buffer = in.buffer();
        int at = buffer.position();
        int flags = buffer.get(at + 3);
        if (buffer.get(at) != 0x1F || buffer.get(at + 1) != (byte) 0x8B) {
            throw in.damaged(isAfterMember ? "extra bytes after a gzip member" : "no gzip member");
        }
        if (buffer.get(at + 2) != DEFLATED || (flags & FLAGS_RESERVED) != 0) {
            throw in.damaged("gzip member with an unknown method or flag");
        }
        buffer.position(at + FIXED_HEADER_BYTES);
        skipOptional(in, flags);
        inflater.reset();
        checksum.reset();
        contentLength = 0;
    }

    private static void skipOptional(CompressedInput in, int flags) throws IOException {
        if ((flags & FLAG_EXTRA) != 0) {
            in.require(Short.BYTES, PART);
            in.skip(in.buffer().getShort() & 0xFFFF, PART);
        }
        if ((flags & FLAG_NAME) != 0) {
            skipText(in);
        }
        if ((flags & FLAG_COMMENT) != 0) {
            skipText(in);
        }
        if ((flags & FLAG_HEADER_CHECKSUM) != 0) {
            in.skip(Short.BYTES, PART);
        }
    }

    private static void skipText(CompressedInput in) throws IOException {
        do {
            in.require(1, PART);
        } while (in.buffer().get() != 0);
    }

    @Override
    public int decode(CompressedInput in, ByteBuffer into) throws IOException {
        if (isPadding) {
            skipPadding(in);
            return -1;
        }
        while (true) {
            int start = into.position();
            int count = inflate(in, into);
            if (count > 0) {
                checksum.update(into.array(), into.arrayOffset() + start, count);
                contentLength += count; // modulo 2^32, as in the trailer
                return count;
            }
            if (inflater.finished()) {
                checkTrailer(in);
                isAfterMember = true;
                return -1;
            }
            if (inflater.needsDictionary()) {
                throw in.damaged("gzip member that needs a dictionary");
            }
            in.require(1, PART);
            inflater.setInput(in.buffer());
        }
    }

    private int inflate(CompressedInput in, ByteBuffer into) throws IOException {
        try {
            return inflater.inflate(into);
        } catch (DataFormatException e) {
            throw in.damaged("damaged gzip member: " + e.getMessage(), e);
        }
    }

    private void checkTrailer(CompressedInput in) throws IOException {
        in.require(TRAILER_BYTES, PART);
        int storedChecksum = in.buffer().getInt();
        int storedLength = in.buffer().getInt();
        if (storedChecksum != (int) checksum.getValue() || storedLength != contentLength) {
            throw in.damaged("wrong checksum or length of a gzip member");
        }
    }

    private static void skipPadding(CompressedInput in) throws IOException {
        while (in.request(1)) {
            if (in.buffer().get() != 0) {
                throw in.damaged("extra bytes after a gzip member");
            }
        }
    }

    @Override
    public void close() {
        inflater.end();
    }
}
