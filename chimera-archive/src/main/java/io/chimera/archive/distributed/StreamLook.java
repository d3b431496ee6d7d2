package io.chimera.archive.distributed;

import io.chimera.archive.index.GroupSummary;
import io.chimera.archive.index.IndexGroups;
import io.chimera.common.error.ChimeraException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the sender has seen of the groups of one stream. Its thread. */
final class StreamLook implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StreamLook.class);

    private final String name;
    private final IndexGroups groups;
    private final Spans spans;
    private long seenNumber;

    /** Up to this interval the catalog knows of all. */
    private long touchedNumber;

    /** Of the group that this interval is in, as it was seen: its first interval, and its spans. */
    private long touchedFirst;

    private SpanRange touchedRange;

    /** Of all that had not ended in this look. */
    private SpanRange open;

    private boolean isBlind;

    StreamLook(IndexedStream stream, Spans spans) {
        name = stream.name();
        groups = stream.index().groups();
        this.spans = spans;
    }

    String name() {
        return name;
    }

    /** Looks at what is new. */
    void look(SpanCatalog catalog, long nowNs) {
        open = null;
        boolean isWhole = groups.look(seenNumber, entry -> {
            SpanRange range = new SpanRange(spans.of(entry.firstNs()), spans.of(entry.lastNs()));
            touch(entry, range, catalog, nowNs);
            if (entry.isEnded()) {
                seenNumber = entry.lastNumber();
            } else {
                open = open == null ? range : open.with(range);
            }
        });
        if (!isWhole && !isBlind) {
            isBlind = true;
            LOG.warn(
                    "The index of stream {} does not cover all of its data; this node shares no more of it, and is asked"
                            + " itself. See that its guarantee is large enough (chimera archive ls), and check the volume"
                            + " (chimera archive check).",
                    name);
        }
    }

    /** What was seen of a group before is not new: of those spans nobody was told meanwhile, as it had not ended. */
    private void touch(IndexGroups.Entry entry, SpanRange range, SpanCatalog catalog, long nowNs) {
        if (entry.lastNumber() <= touchedNumber) {
            return;
        }
        if (touchedRange != null && entry.firstNumber() == touchedFirst) {
            catalog.touch(range, touchedRange, nowNs);
        } else {
            catalog.touch(range, nowNs);
        }
        touchedNumber = entry.lastNumber();
        touchedFirst = entry.firstNumber();
        touchedRange = range;
    }

    /** Whether there are data that no group stands for. It stays so until the next start. */
    boolean isBlind() {
        return isBlind;
    }

    /** The spans of the group that has not ended; null without. */
    SpanRange open() {
        return open;
    }

    /** Groups that may hold something of a span, from one behind a number on; null when one cannot be read. */
    List<IndexGroups.Entry> groups(long span, long behindNumber) {
        List<IndexGroups.Entry> found = new ArrayList<>();
        try {
            boolean isRead = groups.meeting(spans.firstNs(span), spans.lastNs(span), entry -> {
                if (entry.lastNumber() > behindNumber) {
                    found.add(entry);
                }
            });
            return isRead ? found : null;
        } catch (ChimeraException e) {
            LOG.warn("The index of stream {} cannot be read: {}", name, e.getMessage());
            return null;
        }
    }

    /** What is told of a group; null when it cannot be read. */
    GroupSummary summary(IndexGroups.Entry group, int bitsPerKey) {
        try {
            return groups.summary(group, bitsPerKey);
        } catch (ChimeraException e) {
            LOG.warn("The index of stream {} cannot be read: {}", name, e.getMessage());
            return null;
        }
    }

    @Override
    public void close() {
        groups.close();
    }
}
