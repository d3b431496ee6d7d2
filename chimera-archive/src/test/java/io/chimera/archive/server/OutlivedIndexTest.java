package io.chimera.archive.server;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.chimera.archive.index.Index;
import io.chimera.archive.index.IndexWriter;
import io.chimera.archive.index.key.IndexKey;
import io.chimera.archive.index.key.SignatureKind;
import io.chimera.archive.index.record.IndexSettings;
import io.chimera.archive.streamfs.store.MemoryStreamStore;
import io.chimera.archive.streamfs.store.RecordHandle;
import io.chimera.archive.streamfs.store.StreamSettings;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** The log warns the operator when the index of a stream is overwritten before its data. */
final class OutlivedIndexTest {
    private static final int BUNDLE = 64;

    private final MemoryStreamStore store = new MemoryStreamStore();
    private final UnsafeBuffer record = new UnsafeBuffer(new byte[Long.BYTES]);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger(Index.class);
    private final int data = store.open(new StreamSettings("eth0", "packets", 0));
    private final int indexStream = store.open(new StreamSettings("eth0.index", "index", 0));
    private final IndexWriter writer = Index.open(
                    store,
                    data,
                    indexStream,
                    new IndexSettings(List.of(IndexKey.exact("a")), SignatureKind.SPLIT_BLOCK, 8, 16, 100, 1, BUNDLE))
            .writer();

    @BeforeEach
    void listen() {
        lines.start();
        logger.addAppender(lines);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(lines);
    }

    private void write(int intervals) {
        for (int i = 0; i < intervals; i++) {
            long number = store.appended(data) + 1;
            RecordHandle handle = store.append(data, number, record, 0, Long.BYTES);
            writer.add(0, number);
            writer.endInterval(handle, number, number, number, 1);
            while (writer.doWork(number) > 0) {
                store.doWork();
            }
        }
    }

    @Test
    void isToldOfOnceWithTheRemedy() {
        write(2 * BUNDLE);
        assertThat(lines.list).isEmpty();
        for (int i = 1; i < 4; i++) {
            store.keep(indexStream, 5);
            write(BUNDLE);
            assertThat(writer.outlived()).isEqualTo((long) i * BUNDLE);
        }
        assertThat(lines.list)
                .singleElement()
                .extracting(ILoggingEvent::getFormattedMessage)
                .asString()
                .contains("eth0.index", "guarantee of stream eth0");
    }
}
