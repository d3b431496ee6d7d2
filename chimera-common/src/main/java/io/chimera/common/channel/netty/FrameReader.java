package io.chimera.common.channel.netty;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.chimera.api.HotPath;
import io.chimera.common.wire.Checksums;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Cuts received bytes into frames and checks them, on the connection's event loop. A frame that lies whole in what was
 * received is handed on where it lies; only one that is spread over several reads is put together in a buffer of its own,
 * which is allocated after its length was checked.
 */
final class FrameReader implements AutoCloseable {
    /** Takes the frames. */
    @FunctionalInterface
    interface Frames {
        /** Takes a frame; false when it is to be handed over again later. */
        boolean onFrame(int kind, DirectBuffer buffer, int offset, int length);
    }

    /** What became of the input. */
    enum Outcome {
        /** All of it was taken. */
        CONSUMED,
        /** A frame was refused for now; read again with the same input. */
        REFUSED,
        /** It is no sound sequence of frames; {@link #fault()} says why. Nothing more is read. */
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

    /** Takes frames from the input and moves its reader index behind them. */
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

    /** What is wrong with the input, null when nothing is. */
    String fault() {
        return fault;
    }

    @Override
    public void close() {
        fault = "closed";
        releaseAssembly();
    }

    /** True when the header is whole and sound. */
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
            fault = started ? "it started twice" : "it did not start as a node of Chimera does";
        }
        return fault == null;
    }

    /** True when the payload is whole, in the input or in the assembly. */
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

    private boolean handOver(ByteBuf in) {
        int length = ChannelFrame.length(word);
        ByteBuf source = assembly == null ? in : assembly;
        ByteBuffer bytes = source.internalNioBuffer(source.readerIndex(), length);
        view.wrap(bytes, bytes.position(), length);
        if (!checked && Checksums.crc32c(crc, view, 0, length) != header.getInt(ChannelFrame.CRC, LITTLE_ENDIAN)) {
            fault = "the checksum of a frame of " + length + " bytes is wrong";
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
