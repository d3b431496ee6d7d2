package io.chimera.archive.query.packet;

import io.chimera.archive.index.key.Probe;
import io.chimera.archive.query.QueryProgress;
import io.chimera.archive.query.filter.PacketFilter;
import io.chimera.archive.query.filter.PacketFilters;
import io.chimera.archive.query.interval.Items;
import io.chimera.archive.streamfs.store.RecordView;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Cursor over packets of intervals, with a filter. Single-threaded. */
public final class PacketItems implements Items {
    private final PacketFilters filters;
    private final PacketInterval packet = new PacketInterval();
    private @Nullable PacketFilter filter;

    public PacketItems(PacketFilters filters) {
        this.filters = filters;
    }

    /** Returns the current packet, valid until the next packet. */
    public PacketInterval packet() {
        return packet;
    }

    @Override
    public void prepare(BooleanSupplier isStopped) {
        // packets have no versions
    }

    @Override
    public Probe probe() {
        return filters.probe();
    }

    @Override
    public String probeInWords() {
        return filters.probeInWords();
    }

    @Override
    public int steps() {
        return filters.steps();
    }

    @Override
    public void open(RecordView record) {
        packet.wrap(record.buffer(), 0, record.buffer().capacity());
        filter = filters.isEverything() ? null : filters.of(packet.linkType());
    }

    @Override
    public int count() {
        return packet.packets();
    }

    @Override
    public boolean next() {
        return packet.next();
    }

    @Override
    public long timeNs() {
        return packet.timeNs();
    }

    @Override
    public boolean matches() {
        return filter == null || filter.matches(packet.buffer(), packet.offset(), packet.captured(), packet.length());
    }

    @Override
    public QueryProgress prepared() {
        return QueryProgress.NONE;
    }
}
