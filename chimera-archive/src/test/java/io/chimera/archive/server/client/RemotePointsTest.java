package io.chimera.archive.server.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.api.model.Row;
import io.chimera.api.model.Tags;
import io.chimera.api.spi.StoreException;
import io.chimera.archive.query.Question;
import io.chimera.archive.query.answer.ArchiveQuery;
import io.chimera.archive.query.answer.FoundItems;
import io.chimera.archive.query.answer.FoundPoints;
import io.chimera.archive.query.filter.PointFilter;
import io.chimera.archive.server.answer.AnswerFormat;
import io.chimera.archive.server.answer.QueryAnswer;
import io.chimera.archive.server.volume.ArchiveStore;
import io.chimera.archive.server.volume.Volume;
import io.chimera.archive.streamfs.store.MemoryStreamStore;
import io.chimera.common.agent.SystemClock;
import io.chimera.common.cluster.archive.ArchiveKind;
import io.chimera.common.config.VolumeConfig;
import io.chimera.common.config.binding.ByteSize;
import io.chimera.common.config.binding.Sections;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.metrics.ArchiveCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.jni.capture.PcapWriter.Resolution;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class RemotePointsTest {
    private static final long TIME_MS = 1_700_000_000_000L;

    private ArchiveStore store;

    @BeforeEach
    void write() throws StoreException {
        store = new ArchiveStore(
                VolumeConfig.ofPoints(
                        Sections.of(VolumeConfig.class, "devices", List.of("none"), "size", ByteSize.ofMebibytes(32))),
                Path.of("."),
                10_000,
                Duration.ofSeconds(30),
                new SystemClock(),
                new Counters<>(ArchiveCounter.class));
        store.open(new Volume(new MemoryStreamStore()));
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < 3_000; i++) {
            rows.add(row(i));
        }
        store.write(rows);
        store.write(List.of(row(17))); // again, at another time
    }

    private static Row row(int i) {
        Tags tags = Tags.of(Map.of("host", "h" + i % 50));
        return i % 3 == 0
                ? Row.ofLong("m", tags, TIME_MS + i, i)
                : Row.ofDouble("m" + i % 7, tags, TIME_MS + i, i / 8.0);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private byte[] answer(String question) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (FoundItems found = store.askForPeer(Question.parse(question, 0), ArchiveKind.POINTS)) {
            new QueryAnswer(found, bytes, progress -> {}).write(AnswerFormat.POINTS, Resolution.NANOSECONDS, 0);
        }
        return bytes.toByteArray();
    }

    private static List<String> read(FoundPoints points, boolean isMetOnly) {
        List<String> lines = new ArrayList<>();
        while (points.next()) {
            if (points.isMet() || !isMetOnly) {
                lines.add(points.stream() + points.row() + points.writtenNs());
            }
        }
        return lines;
    }

    private static RemotePoints remote(byte[] answer, String filter) {
        return new RemotePoints(() -> new ByteArrayInputStream(answer), PointFilter.compile(filter));
    }

    @Test
    void pointsAreTheSameOnTheOtherSide() {
        for (String filter : List.of("", "host=h7", "metric=m3 and value>100", "not value<300", "host=none")) {
            try (ArchiveQuery<?> here = store.ask(Question.parse(filter, 0))) {
                RemotePoints there = remote(answer(filter), filter);
                assertThat(read(there, true)).as(filter).isEqualTo(read((FoundPoints) here, true));
            }
        }
    }

    @Test
    void anotherNodeAlsoGetsWhatWouldMeetTheFilterWithAnotherValue() {
        assertThat(read(remote(answer("host=h7 and value>100"), "host=h7 and value>100"), false))
                .isEqualTo(read(remote(answer("host=h7"), "host=h7"), false))
                .hasSize(60);
    }

    @Test
    void aStreamThatIsNotThereHoldsNothing() {
        assertThat(read(remote(answer("stream others"), ""), false)).isEmpty();
    }

    @Test
    void anAnswerThatIsDamagedIsReadOrRefused() {
        byte[] whole = answer("host=h7");
        Random random = new Random(3);
        for (int i = 0; i < 2_000; i++) {
            byte[] damaged = whole.clone();
            damaged[random.nextInt(Math.min(600, whole.length))] = (byte) random.nextInt();
            try {
                read(remote(damaged, "value>3"), false);
            } catch (ChimeraException e) {
                // refused
            }
        }
    }
}
