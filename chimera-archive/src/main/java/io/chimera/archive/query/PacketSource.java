package io.chimera.archive.query;

import io.chimera.archive.index.SearchCounts;
import io.chimera.archive.streamfs.RecordView;
import io.chimera.archive.streamfs.StreamStore;
import io.chimera.common.agent.Clock;
import io.chimera.common.error.ChimeraException;

/**
 * The packets of one data stream that match, in the order of arrival: intervals that the index does not rule out are read, and every
 * packet in them is looked at. One thread.
 */
final class PacketSource implements AutoCloseable {
    private final PacketStream stream;
    private final Question question;
    private final PacketFilters filters;
    private final IntervalFeed feed;
    private final IntervalReads reads;
    private final Clock clock;
    private final long startNs;
    private final RecordView record = new RecordView();
    private final PacketInterval packet = new PacketInterval();
    private PacketFilter filter;
    private boolean isOpen;
    private long endNs;
    private long intervals;
    private long gone;
    private long damaged;
    private String damage = "";
    private long dataBytes;
    private long looked;
    private long unasked;
    private long matched;

    /** A source that searches already. */
    PacketSource(StreamStore store, PacketStream stream, Question question, PacketFilters filters, Clock clock) {
        this.stream = stream;
        this.question = question;
        this.filters = filters;
        this.clock = clock;
        startNs = clock.nanoTime();
        feed = new IntervalFeed(
                stream.index(), filters.probe(), question.afterNs(), question.beforeNs(), stream.name(), clock);
        reads = new IntervalReads(store, feed, clock);
    }

    /** Goes to the next packet that matches. False: there is none. */
    boolean next() {
        while (true) {
            if (isOpen && nextOfInterval()) {
                matched++;
                return true;
            }
            if (reads.next() == null) {
                isOpen = false;
                endNs = clock.nanoTime();
                return false;
            }
            isOpen = read();
        }
    }

    private boolean nextOfInterval() {
        try {
            while (packet.next()) {
                looked++;
                if (packet.timeNs() >= question.afterNs() && packet.timeNs() <= question.beforeNs() && matches()) {
                    return true;
                }
            }
        } catch (ChimeraException e) {
            note(e);
        }
        return false;
    }

    private boolean matches() {
        return filters.isEverything()
                || filter.matches(packet.buffer(), packet.offset(), packet.captured(), packet.length());
    }

    private boolean read() {
        try {
            if (!reads.read(record)) {
                gone++;
                return false;
            }
            packet.wrap(record.buffer(), 0, record.buffer().capacity());
            filter = filters.isEverything() ? null : filters.of(packet.linkType());
            intervals++;
            dataBytes += record.buffer().capacity();
            return true;
        } catch (QuestionException e) {
            unasked += packet.packets(); // frames of this kind cannot match, and do not hide those that can
            return false;
        } catch (ChimeraException e) {
            note(e);
            return false;
        }
    }

    /** What cannot be read lacks in the answer, and the answer says so; the rest of it is good. */
    private void note(ChimeraException e) {
        damaged++;
        if (damage.isEmpty()) {
            damage = "stream " + stream.name() + ": " + e.getMessage();
        }
    }

    /** The packet; valid until the next. */
    PacketInterval packet() {
        return packet;
    }

    /** Where it comes from. */
    PacketStream stream() {
        return stream;
    }

    /** What it did up to now. */
    QueryProgress progress() {
        SearchCounts index = feed.counts();
        long unread = index.intervalsDamaged();
        return new QueryProgress(
                1,
                intervals,
                index.intervalsSkippedByGroup() + index.intervalsSkipped(),
                gone + index.intervalsGone(),
                damaged + unread,
                damage.isEmpty() && unread > 0
                        ? "stream " + stream.name() + ": a record that the index lacks cannot be read"
                        : damage,
                dataBytes,
                index.indexBytes(),
                index.indexReads(),
                looked,
                unasked,
                matched);
    }

    /** What it did up to now, and how long that took; whole once {@link #next} has returned false. */
    Explanation.Part explanation() {
        long waitedNs = reads.waitedNs();
        return new Explanation.Part(
                stream.name(),
                feed.counts(),
                feed.searchNs(),
                intervals,
                reads.reads(),
                dataBytes,
                reads.readNs(),
                waitedNs,
                looked,
                matched,
                (endNs == 0 ? clock.nanoTime() : endNs) - startNs - waitedNs);
    }

    /** There is no next packet any more behind those of the interval at hand. Any thread. */
    void cancel() {
        reads.cancel();
    }

    @Override
    public void close() {
        reads.close();
    }
}
