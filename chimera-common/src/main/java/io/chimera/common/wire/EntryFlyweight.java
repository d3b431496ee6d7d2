package io.chimera.common.wire;

import io.chimera.api.HotPath;
import org.agrona.DirectBuffer;

/** Base of the flyweights over entries; see {@link BodyLayout}. Not thread-safe; allocates nothing. */
abstract sealed class EntryFlyweight permits FieldsFlyweight, PartialFlyweight, RecordFlyweight, SeriesFlyweight {
    DirectBuffer buffer;
    int offset;

    EntryFlyweight() {}

    @HotPath
    final void lay(DirectBuffer source, int start) {
        if (buffer != source) {
            buffer = source; // skips the GC write barrier when the reference is unchanged
        }
        offset = start;
    }

    /** Buffer under this flyweight. */
    public final DirectBuffer buffer() {
        return buffer;
    }

    /** Index of the entry's first byte in {@link #buffer()}. */
    public final int offset() {
        return offset;
    }

    /** Length of the whole entry in bytes. */
    public final int length() {
        return Entries.length(buffer, offset);
    }
}
