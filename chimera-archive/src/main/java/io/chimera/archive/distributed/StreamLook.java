package io.chimera.archive.distributed;

import io.chimera.archive.index.GroupSummary;
import io.chimera.archive.index.IndexGroups;
import io.chimera.common.error.ChimeraException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Groups of one stream as seen by the sender. The sender's thread. */
final class StreamLook implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StreamLook.class);

    private final String name;
    private final IndexGroups groups;
    private final Spans spans;
    private long seenNumber;

    /** Last interval recorded in the catalog. */
    private long touchedNumber;

    /** First interval and spans of the group of {@link #touchedNumber}, as last seen. */
    private long touchedFirst;

    private SpanRange touchedRange;

    /** Spans of all groups open in the last look. */
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

    /** Records new groups in the catalog. */
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
                    "The index of stream {} does not cover all data; this node stops sharing it and is asked"
                            + " directly. Check that its guarantee is large enough (chimera archive ls), and the volume"
                            + " (chimera archive check).",
                    name);
        }
    }

    /**
     * Records the growth of a group. Spans recorded earlier are unchanged: the open group prevented their publication.
     */
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

    /** Returns true if some data is not covered by a group. The state lasts until the next start. */
    boolean isBlind() {
        return isBlind;
    }

    /** Returns the spans of the open groups; null without open groups. */
    SpanRange open() {
        return open;
    }

    /** Returns the groups with possible data of a span, after an interval number; null if a group cannot be read. */
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

    /** Returns the published summary of a group; null if the group cannot be read. */
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
