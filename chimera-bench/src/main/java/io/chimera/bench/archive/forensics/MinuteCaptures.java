package io.chimera.bench.archive.forensics;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** Splits a capture file into one file per minute with packets. */
final class MinuteCaptures {
    private static final int HEADER = 24;
    private static final int RECORD_HEADER = 16;
    private static final int CAPTURED = 8;
    private static final int MINUTE_S = 60;

    private MinuteCaptures() {}

    /** Writes the files into a folder, in the order of time. */
    static List<Path> cut(Path pcap, Path folder) throws IOException {
        List<Path> minutes = new ArrayList<>();
        try (FileChannel channel = FileChannel.open(pcap)) {
            ByteBuffer capture =
                    channel.map(MapMode.READ_ONLY, 0, channel.size()).order(ByteOrder.LITTLE_ENDIAN);
            int begin = HEADER;
            while (begin < capture.capacity()) {
                int end = begin;
                int limit = capture.getInt(begin) + MINUTE_S;
                while (end < capture.capacity() && capture.getInt(end) < limit) {
                    end += RECORD_HEADER + capture.getInt(end + CAPTURED);
                }
                Path minute = folder.resolve("minute-" + minutes.size() + ".pcap");
                write(minute, capture.slice(0, HEADER), capture.slice(begin, end - begin));
                minutes.add(minute);
                begin = end;
            }
        }
        return minutes;
    }

    private static void write(Path file, ByteBuffer... parts) throws IOException {
        try (FileChannel out = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            for (ByteBuffer part : parts) {
                while (part.hasRemaining()) {
                    out.write(part);
                }
            }
        }
    }
}
