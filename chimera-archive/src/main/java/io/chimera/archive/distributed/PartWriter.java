package io.chimera.archive.distributed;

import io.chimera.archive.distributed.Parcel.Part;
import io.chimera.archive.distributed.Parcel.StreamGroup;
import io.chimera.archive.index.GroupSummary;
import io.chimera.archive.index.IndexGroups;
import java.util.ArrayList;
import java.util.List;

/** Fills parcels with groups of spans, up to the size limit. The sender's thread. */
final class PartWriter {
    private final List<StreamLook> streams;
    private final SpanCatalog catalog;
    private final int bitsPerKey;
    private final int bytesMax;
    private final List<Part> parts = new ArrayList<>();
    private final List<OwnSpan> wholes = new ArrayList<>();
    private PartCursor cursor;
    private int bytes;
    private int groups;

    PartWriter(List<StreamLook> streams, SpanCatalog catalog, int bitsPerKey, int bytesMax) {
        this.streams = streams;
        this.catalog = catalog;
        this.bitsPerKey = bitsPerKey;
        this.bytesMax = bytesMax;
    }

    /** Collects the next parts for a peer. The collected groups count as published. */
    void fill(PeerState peer) {
        parts.clear();
        wholes.clear();
        bytes = 0;
        groups = 0;
        cursor = peer.cursor();
        if (cursor != null && !(catalog.holds(cursor.span()) && peer.due().contains(cursor.span()))) {
            cursor = null;
        }
        if (cursor != null) {
            write(cursor.span());
        }
        for (OwnSpan own : peer.due()) {
            if (cursor != null || bytes >= bytesMax) {
                return;
            }
            if (!wholes.contains(own) && catalog.holds(own) && own.holder() != peer.incarnation()) {
                write(own);
            }
        }
    }

    private void write(OwnSpan own) {
        List<StreamGroup> found = new ArrayList<>();
        boolean isFirst = cursor == null;
        PartCursor at = isFirst ? new PartCursor(own, 0, 0) : cursor;
        cursor = null;
        for (int stream = at.stream(); stream < streams.size(); stream++) {
            StreamLook look = streams.get(stream);
            List<IndexGroups.Entry> entries = look.groups(own.span(), stream == at.stream() ? at.lastNumber() : 0);
            if (entries == null) {
                own.dark();
                return;
            }
            long lastNumber = stream == at.stream() ? at.lastNumber() : 0;
            for (IndexGroups.Entry entry : entries) {
                GroupSummary summary = look.summary(entry, bitsPerKey);
                if (summary == null) {
                    own.dark();
                    return;
                }
                if (bytes > 0 && bytes + summary.bytes() > bytesMax) {
                    cursor = new PartCursor(own, stream, lastNumber);
                    add(new Part(own.span(), isFirst, false, found), own);
                    return;
                }
                found.add(new StreamGroup(look.name(), summary));
                bytes += summary.bytes();
                lastNumber = entry.lastNumber();
            }
        }
        add(new Part(own.span(), isFirst, true, found), own);
        wholes.add(own);
    }

    private void add(Part part, OwnSpan own) {
        own.told();
        parts.add(part);
        groups += part.groups().size();
    }

    List<Part> parts() {
        return List.copyOf(parts);
    }

    /** Returns the spans completely held by the receiver after this parcel. */
    List<OwnSpan> wholes() {
        return List.copyOf(wholes);
    }

    /** Returns the position of the next parcel within a span; null if the next parcel starts a new span. */
    PartCursor cursor() {
        return cursor;
    }

    /** Returns the number of groups in the parcel. */
    int groups() {
        return groups;
    }
}
