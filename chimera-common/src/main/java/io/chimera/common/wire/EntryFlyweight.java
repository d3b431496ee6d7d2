package io.chimera.common.wire;

import io.chimera.api.HotPath;
import org.agrona.DirectBuffer;

/** Where an entry lies that is read in place; see {@link BodyLayout}. Not thread-safe; allocates nothing. */
abstract sealed class EntryFlyweight permits FieldsFlyweight, PartialFlyweight, RecordFlyweight, SeriesFlyweight {
    DirectBuffer buffer;
    int offset;

    EntryFlyweight() {}

    @HotPath
    final void lay(DirectBuffer source, int start) {
        if (buffer != source) {
            buffer = source; // a reference that is written costs the garbage collector's barrier
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

    /** Bytes of the whole entry. */
    public final int length() {
        return Entries.length(buffer, offset);
    }
}
