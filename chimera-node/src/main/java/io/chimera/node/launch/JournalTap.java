package io.chimera.node.launch;

import io.chimera.common.cluster.StreamRange;
import io.chimera.common.wire.BatchFeed;
import io.chimera.common.wire.BatchLayout;
import io.chimera.common.wire.BodyReader;
import io.chimera.common.wire.LineProtocol;
import io.chimera.common.wire.RecordDecoder;
import io.chimera.node.http.Tap;
import io.chimera.queue.journal.Journal;
import java.util.ArrayList;
import java.util.List;

/**
 * Shows the latest journaled points of a queue node as line protocol. Reads the journal concurrently with its writer.
 */
final class JournalTap implements Tap {
    private final Journal journal;
    private final long stream;

    /** Creates a tap for one stream of a journal. */
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
        try (BatchFeed feed = journal.feed(new StreamRange(stream, after, last))) {
            while (feed.next() == BatchFeed.Step.BATCH) {
                addLines(feed, after, last, lines);
            }
        }
        return lines;
    }

    private static void addLines(BatchFeed feed, long after, long last, List<String> lines) {
        BodyReader body = new BodyReader().wrapBatch(feed.buffer(), feed.offset());
        long seq = BatchLayout.firstSeq(feed.buffer(), feed.offset());
        while (body.nextRecord()) {
            if (seq > after && seq <= last) {
                lines.add(LineProtocol.line(RecordDecoder.point(body)));
            }
            seq++;
        }
    }
}
