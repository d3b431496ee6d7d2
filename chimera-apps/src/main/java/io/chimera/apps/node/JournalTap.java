package io.chimera.apps.node;

import io.chimera.common.wire.BatchFeed;
import io.chimera.common.wire.BatchLayout;
import io.chimera.common.wire.RecordDecoder;
import io.chimera.common.wire.RecordFlyweight;
import io.chimera.queue.journal.Journal;
import java.util.ArrayList;
import java.util.List;

/** Shows the points that a queue node journaled last, as line protocol. Reads the journal beside its writer. */
final class JournalTap implements Tap {
    private final Journal journal;
    private final long stream;

    /** Shows one stream of a journal. */
    JournalTap(Journal journal, long stream) {
        this.journal = journal;
        this.stream = stream;
    }

    @Override
    public List<String> sample(int limit) {
        List<String> lines = new ArrayList<>();
        long last = journal.position(stream);
        long after = Math.max(0, last - limit);
        if (last == 0) {
            return lines;
        }
        try (BatchFeed feed = journal.feed(stream, after, last)) {
            while (feed.next() == BatchFeed.Step.BATCH) {
                addLines(feed, after, last, lines);
            }
        }
        return lines;
    }

    private static void addLines(BatchFeed feed, long after, long last, List<String> lines) {
        RecordFlyweight record = new RecordFlyweight();
        int position = feed.offset() + BatchLayout.HEADER_LENGTH;
        long seq = BatchLayout.firstSeq(feed.buffer(), feed.offset());
        for (int i = BatchLayout.count(feed.buffer(), feed.offset()); i > 0; i--, seq++) {
            record.wrap(feed.buffer(), position);
            if (seq > after && seq <= last) {
                lines.add(LineProtocol.line(RecordDecoder.point(record)));
            }
            position += record.length();
        }
    }
}
