package io.chimera.common.channel.netty.node;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.chimera.api.ColdPath;
import io.chimera.api.HotPath;
import io.chimera.common.wire.Checksums;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Splits received bytes into frames and verifies them, on the connection's event loop. A frame contained completely in
 * one read is passed without a copy. Only a frame spread over several reads is assembled in its own buffer, allocated
 * after verifying the length.
 */
final class FrameReader implements AutoCloseable {
    /** Consumer of frames. */
    @FunctionalInterface
    interface Frames {
        /** Accepts a frame; returns false to get the same frame again later. */
        boolean onFrame(int kind, DirectBuffer buffer, int offset, int length);
    }

    /** Result of a read. */
    enum Outcome {
        /** The whole input was consumed. */
        CONSUMED,
        /** The consumer refused a frame for now; read again with the same input. */
        REFUSED,
        /** The input is invalid; {@link #fault()} has the reason. No further input is read. */
        BROKEN
    }

    private final ByteBufAllocator allocator;
    private final Frames frames;
    private final CRC32C crc = new CRC32C();
    private final UnsafeBuffer view = new UnsafeBuffer(0, 0);
    private final byte[] headerBytes = new byte[ChannelFrame.HEADER_LENGTH];
    private final UnsafeBuffer header = new UnsafeBuffer(headerBytes);
    private int headerLength;
    private boolean started;
    private boolean checked;
    private int word;
    private ByteBuf assembly;
    private String fault;

    FrameReader(ByteBufAllocator allocator, Frames frames) {
        this.allocator = allocator;
        this.frames = frames;
    }

    /** Reads frames from the input and advances its reader index. */
    @HotPath
    Outcome read(ByteBuf in) {
        Outcome outcome = fault == null ? Outcome.CONSUMED : Outcome.BROKEN;
        boolean more = outcome == Outcome.CONSUMED;
        while (more) {
            if (!readHeader(in)) {
                outcome = fault == null ? Outcome.CONSUMED : Outcome.BROKEN;
                more = false;
            } else if (!hasPayload(in)) {
                outcome = Outcome.CONSUMED;
                more = false;
            } else if (!handOver(in)) {
                outcome = fault == null ? Outcome.REFUSED : Outcome.BROKEN;
                more = false;
            }
        }
        return outcome;
    }

    /** Reason for invalid input, or null. */
    String fault() {
        return fault;
    }

    @Override
    public void close() {
        fault = "closed";
        releaseAssembly();
    }

    /** Returns true for a complete and valid header. */
    private boolean readHeader(ByteBuf in) {
        if (headerLength == headerBytes.length) {
            return true;
        }
        int count = Math.min(headerBytes.length - headerLength, in.readableBytes());
        in.readBytes(headerBytes, headerLength, count);
        headerLength += count;
        if (headerLength < headerBytes.length) {
            return false;
        }
        word = header.getInt(0, LITTLE_ENDIAN);
        fault = ChannelFrame.fault(word);
        if (fault == null && started == (ChannelFrame.kind(word) == ChannelFrame.START)) {
            fault = started ? "it sent START twice" : "it did not begin with START";
        }
        return fault == null;
    }

    /** Returns true if the payload is complete, in the input or in the assembly. */
    private boolean hasPayload(ByteBuf in) {
        int length = ChannelFrame.length(word);
        if (assembly == null) {
            if (in.readableBytes() >= length) {
                return true;
            }
            if (!in.isReadable()) {
                return false;
            }
            assembly = allocator.directBuffer(length, length);
        }
        assembly.writeBytes(in, Math.min(assembly.writableBytes(), in.readableBytes()));
        return assembly.writableBytes() == 0;
    }

    @ColdPath
    private static String mismatch(int length) {
        return "checksum mismatch in a frame of " + length + " bytes";
    }

    private boolean handOver(ByteBuf in) {
        int length = ChannelFrame.length(word);
        ByteBuf source = assembly == null ? in : assembly;
        ByteBuffer bytes = source.internalNioBuffer(source.readerIndex(), length);
        view.wrap(bytes, bytes.position(), length);
        if (!checked && Checksums.crc32c(crc, view, 0, length) != header.getInt(ChannelFrame.CRC, LITTLE_ENDIAN)) {
            fault = mismatch(length);
            return false;
        }
        checked = true;
        if (!frames.onFrame(ChannelFrame.kind(word), view, 0, length)) {
            return false;
        }
        source.skipBytes(length);
        started = true;
        checked = false;
        headerLength = 0;
        releaseAssembly();
        return true;
    }

    private void releaseAssembly() {
        if (assembly != null) {
            assembly.release();
            assembly = null;
        }
    }
}
