package io.chimera.dataset.format.packet;

import io.chimera.api.spi.PointSink;
import io.chimera.dataset.format.text.MappedRow;
import io.chimera.dataset.format.text.RowMapping;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Hands packets as points to a sink, by a mapping of columns. One thread; allocates nothing per packet. */
final class PacketRow {
    private final MappedRow row;
    private final PacketColumn[] columns;
    private final byte[] text;

    /**
     * Creates a row.
     *
     * @param mapping mapping with names of {@link PacketColumn}
     * @throws IllegalArgumentException when a name is none of a column
     */
    PacketRow(RowMapping mapping) {
        row = new MappedRow(mapping);
        List<String> names = row.columns();
        columns = names.stream()
                .map(name -> PacketColumn.ofName(name)
                        .orElseThrow(() -> new IllegalArgumentException(
                                "packets have no column " + name + "; expected one of " + PacketColumn.names())))
                .toArray(PacketColumn[]::new);
        text = new byte[columns.length * PacketColumn.TEXT_BYTES_MAX];
    }

    /**
     * Writes a packet.
     *
     * @return null; the reason to reject the packet when it is no point
     */
    @Nullable
    String write(PacketValues packet, PointSink sink) {
        row.clear();
        int used = 0;
        for (int i = 0; i < columns.length; i++) {
            int end = columns[i].put(packet, text, used);
            if (end > used) {
                row.set(i, text, used, end);
            }
            used = end;
        }
        return row.write(sink, used);
    }
}
