package io.chimera.node.archive;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads a pcap file for comparisons. */
final class CaptureFile {
    private static final int MAGIC_US = 0xA1B2C3D4;
    private static final int MAGIC_NS = 0xA1B23C4D;
    private static final int HEADER = 24;

    private CaptureFile() {}

    record Frame(long timeUs, ByteBuffer bytes, int length) {}

    static List<Frame> read(Path file) throws IOException {
        return read(Files.readAllBytes(file));
    }

    static List<Frame> read(byte[] content) {
        ByteBuffer bytes = ByteBuffer.wrap(content);
        if (bytes.getInt(0) != MAGIC_US && bytes.getInt(0) != MAGIC_NS) {
            bytes.order(ByteOrder.LITTLE_ENDIAN);
        }
        int perUs = bytes.getInt(0) == MAGIC_NS ? 1000 : 1;
        List<Frame> frames = new ArrayList<>();
        for (int at = HEADER; at < bytes.limit(); ) {
            long timeUs = bytes.getInt(at) * 1_000_000L + bytes.getInt(at + 4) / perUs;
            int captured = bytes.getInt(at + 8);
            frames.add(new Frame(timeUs, bytes.slice(at + 16, captured), bytes.getInt(at + 12)));
            at += 16 + captured;
        }
        return frames;
    }
}
