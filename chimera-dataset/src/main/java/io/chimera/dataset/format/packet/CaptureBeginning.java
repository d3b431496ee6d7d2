package io.chimera.dataset.format.packet;

import io.chimera.dataset.format.FormatException;
import io.chimera.dataset.format.codec.SplitContent;
import io.chimera.jni.capture.CaptureException;
import io.chimera.jni.capture.CaptureRecords;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Reads the beginning of a capture, up to its first packet: byte order, resolution of the times, and the interfaces of
 * pcapng. The readers of all splits need it.
 */
final class CaptureBeginning {
    /** Maximum length of the blocks before the first packet. */
    private static final long BYTES_MAX = 4 << 20;

    private CaptureBeginning() {}

    /**
     * Reads the beginning.
     *
     * @param path path of the object, for messages
     * @param content content from the beginning of the object on
     * @return reader of the records, after the definitions at the beginning
     * @throws FormatException when the object is no capture, or its beginning is damaged
     */
    static CaptureRecords read(String path, SplitContent content) throws IOException {
        byte[] bytes = new byte[CaptureRecords.BEGINNING_BYTES];
        int length = 0;
        while (length < bytes.length) {
            int count = content.read(ByteBuffer.wrap(bytes, length, bytes.length - length));
            if (count < 0) {
                break;
            }
            length += count;
        }
        try {
            CaptureRecords records = CaptureRecords.of(path, bytes, length);
            if (records.first() == 0) {
                readDefinitions(records, new PacketWindow(content, records, bytes));
            }
            return records;
        } catch (CaptureException e) {
            throw new FormatException(e.getMessage() + "; correct the format of the job, or write the object again", e);
        }
    }

    private static void readDefinitions(CaptureRecords records, PacketWindow window) throws IOException {
        long position = 0;
        while (position < BYTES_MAX && window.has(position, records.headerBytes())) {
            int bytes = records.recordBytes(position);
            if (records.failed()) {
                throw records.failure();
            }
            if (!window.has(position, bytes) || records.read(position, bytes) || records.isInvalid()) {
                return;
            }
            if (records.failed()) {
                throw records.failure();
            }
            position += bytes;
            window.keepFrom(position);
        }
    }
}
