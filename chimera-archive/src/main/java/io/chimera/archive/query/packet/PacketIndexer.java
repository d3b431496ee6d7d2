package io.chimera.archive.query.packet;

import io.chimera.api.ColdPath;
import io.chimera.archive.index.IndexWriter;
import io.chimera.archive.query.ArchiveSettings;
import io.chimera.archive.query.interval.IntervalAppender;
import io.chimera.archive.query.key.PacketKeys;
import io.chimera.archive.streamfs.store.RecordHandle;
import io.chimera.archive.streamfs.store.RecordView;
import io.chimera.common.error.ChimeraException;
import java.util.HashMap;
import java.util.Map;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/** Extracts the keys of the packets of an interval and adds them to the index. Thread of the index writer. */
final class PacketIndexer {
    private final IndexWriter index;
    private final PacketInterval packets = new PacketInterval();
    private final Map<Integer, PacketKeys> keysOfKinds = new HashMap<>();

    /** Keys for the link type of the last interval. */
    private @Nullable PacketKeys keys;

    private int keysLinkType;

    PacketIndexer(IndexWriter index) {
        this.index = index;
    }

    /** Adds an appended interval; its memory is off-heap. */
    @ColdPath
    void add(DirectBuffer record, int bytes, RecordHandle handle, long number) {
        packets.wrap(record, 0, bytes);
        index.begin(packets.firstNs(), packets.lastNs());
        PacketKeys current = keys;
        if (current == null || packets.linkType() != keysLinkType) {
            keysLinkType = packets.linkType();
            current = keysOfKinds.computeIfAbsent(
                    keysLinkType, type -> new PacketKeys(type, new IntervalAppender.Indexing(index)));
            keys = current;
        }
        while (packets.next()) {
            current.add(packets.address(), packets.captured());
        }
        index.endInterval(handle, number, packets.firstNs(), packets.lastNs(), packets.packets());
    }

    /**
     * Adds an interval of the data stream missing in the index, copied through other memory.
     *
     * @return false if the record is not a readable interval; nothing was added
     */
    boolean addAgain(RecordView record, PacketIntervalWriter memory) {
        int bytes = record.buffer().capacity();
        if (bytes > ArchiveSettings.INTERVAL_BYTES_MAX) {
            return false;
        }
        DirectBuffer held = memory.hold(record.buffer());
        boolean isInterval = isInterval(held, bytes);
        if (isInterval) {
            add(held, bytes, record.handle(), record.number());
        }
        memory.clear();
        return isInterval;
    }

    private boolean isInterval(DirectBuffer record, int bytes) {
        try {
            packets.wrap(record, 0, bytes);
            boolean isMore = true;
            while (isMore) {
                isMore = packets.next();
            }
            return packets.lastNs() >= packets.firstNs();
        } catch (ChimeraException e) {
            return false;
        }
    }
}
