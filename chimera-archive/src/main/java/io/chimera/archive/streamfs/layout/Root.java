package io.chimera.archive.streamfs.layout;

import static io.chimera.archive.streamfs.layout.VolumeLayout.ROOT_ENTRY_LENGTH;
import static io.chimera.archive.streamfs.layout.VolumeLayout.ROOT_HEADER_LENGTH;
import static io.chimera.archive.streamfs.layout.VolumeLayout.ROOT_MAGIC;
import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.chimera.archive.streamfs.store.StreamSettings;
import io.chimera.common.wire.Checksums;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Root of a volume: the stream directory, and the range of positions for the search of a recovery.
 *
 * @param generation counts roots; the last bit selects the slot
 * @param epoch counts openings
 * @param low blocks before this position are in the maps, or marked there for reading
 * @param limit no block was written at or after this position
 */
public record Root(long volume, long generation, int epoch, long low, long limit, List<Entry> streams) {
    private static final int CRC = 8;
    private static final int CRC_FROM = 12;
    private static final int NAME = 24;
    private static final int KIND = 104;
    private static final long NUMBER_MAX = 1L << 62;

    /**
     * Stream in the directory.
     *
     * @param settings null for a removed stream; the next stream in its place begins with a later block
     * @param oldestBlock oldest held block; earlier blocks no longer belong to this stream
     */
    public record Entry(@Nullable StreamSettings settings, long oldestBlock, long durable) {}

    /** Returns the encoded length in bytes. */
    public int encode(UnsafeBuffer into, CRC32C crc) {
        int length = ROOT_HEADER_LENGTH + streams.size() * ROOT_ENTRY_LENGTH;
        into.setMemory(0, into.capacity(), (byte) 0);
        into.putLong(0, ROOT_MAGIC, LITTLE_ENDIAN);
        into.putLong(16, volume, LITTLE_ENDIAN);
        into.putLong(24, generation, LITTLE_ENDIAN);
        into.putInt(12, epoch, LITTLE_ENDIAN);
        into.putLong(32, low, LITTLE_ENDIAN);
        into.putLong(40, limit, LITTLE_ENDIAN);
        into.putInt(48, streams.size(), LITTLE_ENDIAN);
        for (int i = 0; i < streams.size(); i++) {
            int at = ROOT_HEADER_LENGTH + i * ROOT_ENTRY_LENGTH;
            Entry entry = streams.get(i);
            into.putLong(at + 8, entry.oldestBlock, LITTLE_ENDIAN);
            into.putLong(at + 16, entry.durable, LITTLE_ENDIAN);
            StreamSettings settings = entry.settings;
            if (settings != null) {
                into.putLong(at, settings.guaranteeBytes(), LITTLE_ENDIAN);
                putText(into, at + NAME, settings.name());
                putText(into, at + KIND, settings.kind());
            }
        }
        into.putInt(CRC, crc(crc, into), LITTLE_ENDIAN);
        return length;
    }

    private static void putText(UnsafeBuffer into, int at, String text) {
        byte[] bytes = text.getBytes(UTF_8);
        into.putByte(at, (byte) bytes.length);
        into.putBytes(at + 1, bytes);
    }

    /** Returns null if the length is out of range. */
    private static @Nullable String text(DirectBuffer from, int at, int lengthMax) {
        if (from.getByte(at) < 0 || from.getByte(at) > lengthMax) {
            return null;
        }
        byte[] bytes = new byte[from.getByte(at)];
        from.getBytes(at + 1, bytes);
        return new String(bytes, UTF_8);
    }

    private static int crc(CRC32C crc, DirectBuffer root) {
        return Checksums.crc32c(crc, root, CRC_FROM, root.capacity() - CRC_FROM);
    }

    /** Returns null if the root is missing, damaged or from another volume. */
    public static @Nullable Root decode(DirectBuffer from, CRC32C crc, long volume) {
        if (from.getLong(0, LITTLE_ENDIAN) != ROOT_MAGIC
                || from.getLong(16, LITTLE_ENDIAN) != volume
                || from.getInt(CRC, LITTLE_ENDIAN) != crc(crc, from)) {
            return null;
        }
        int count = from.getInt(48, LITTLE_ENDIAN);
        if (count < 0 || count > (from.capacity() - ROOT_HEADER_LENGTH) / ROOT_ENTRY_LENGTH) {
            return null;
        }
        List<Entry> streams = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Entry entry = entry(from, ROOT_HEADER_LENGTH + i * ROOT_ENTRY_LENGTH);
            if (entry == null) {
                return null;
            }
            streams.add(entry);
        }
        Root root = new Root(
                volume,
                from.getLong(24, LITTLE_ENDIAN),
                from.getInt(12, LITTLE_ENDIAN),
                from.getLong(32, LITTLE_ENDIAN),
                from.getLong(40, LITTLE_ENDIAN),
                streams);
        return root.isSound() ? root : null;
    }

    /** Returns null for an implausible stream: the checksum detects damage, but does not prove the origin of a root. */
    private static @Nullable Entry entry(DirectBuffer from, int at) {
        String name = text(from, at + NAME, StreamSettings.NAME_LENGTH_MAX);
        String kind = text(from, at + KIND, StreamSettings.KIND_LENGTH_MAX);
        long guaranteeBytes = from.getLong(at, LITTLE_ENDIAN);
        long oldestBlock = from.getLong(at + 8, LITTLE_ENDIAN);
        long durable = from.getLong(at + 16, LITTLE_ENDIAN);
        if (name == null || kind == null || !isNumber(guaranteeBytes) || !isNumber(oldestBlock) || !isNumber(durable)) {
            return null;
        }
        return new Entry(name.isEmpty() ? null : new StreamSettings(name, kind, guaranteeBytes), oldestBlock, durable);
    }

    private boolean isSound() {
        return isNumber(generation) && epoch >= 0 && isNumber(low) && isNumber(limit) && low <= limit;
    }

    /** Returns true if the value is in the range of the counters. */
    private static boolean isNumber(long value) {
        return value >= 0 && value <= NUMBER_MAX;
    }
}
