package io.chimera.archive.query.point;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.api.model.Row;
import io.chimera.api.model.Tags;
import io.chimera.archive.index.DamagingStore;
import io.chimera.archive.query.ArchiveSettings;
import io.chimera.archive.query.ArchiveStream;
import io.chimera.archive.query.Question;
import io.chimera.archive.query.answer.ArchiveQuery;
import io.chimera.archive.query.answer.PointQuery;
import io.chimera.archive.query.filter.PointFilter;
import io.chimera.archive.query.packet.PacketArchive;
import io.chimera.archive.query.text.QuestionException;
import io.chimera.archive.streamfs.store.MemoryStreamStore;
import io.chimera.archive.streamfs.store.StreamStore;
import io.chimera.common.agent.ManualClock;
import io.chimera.common.metrics.ArchiveCounter;
import io.chimera.common.metrics.Counters;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

final class PointArchiveTest {
    private static final long TIME_MS = 1_700_000_000_000L;

    private final MemoryStreamStore store = new MemoryStreamStore();
    private final ManualClock clock = new ManualClock();
    private final Counters<ArchiveCounter> counters = new Counters<>(ArchiveCounter.class);

    @Test
    void rowsAreFoundByTagsTimesAndValues() {
        PointArchive archive = archive("points");
        for (int cycle = 0; cycle < 50; cycle++) {
            for (int host = 0; host < 100; host++) {
                write(archive, row("host", "h" + host, cycle, host));
            }
            archive.cut();
        }
        assertThat(ask(archive, "host=h7")).hasSize(50);
        assertThat(ask(archive, "metric=cpu.mean and host=h7 and value>6.5")).hasSize(50);
        assertThat(ask(archive, "value>=98")).hasSize(100);
        assertThat(ask(archive, "host=h7 and after 2023-11-14T22:13:30Z and before 2023-11-14T22:13:50Z"))
                .containsExactly(row("host", "h7", 1, 7), row("host", "h7", 2, 7));
        assertThat(ask(archive, "host=h7 and limit 3")).hasSize(3);
        assertThat(counters.get(ArchiveCounter.ARCHIVE_POINTS)).isEqualTo(5_000);
        assertThat(counters.get(ArchiveCounter.ARCHIVE_POINTS_AGAIN)).isZero();
    }

    @Test
    void intervalsWithoutTheTagAreNotRead() {
        PointArchive archive = archive("points");
        for (int i = 0; i < 200; i++) {
            write(archive, row("host", "h" + i, i, i));
            archive.cut();
        }
        try (PointQuery query = query(store, archive, "host=h7")) {
            assertThat(query.next()).isTrue();
            assertThat(query.next()).isFalse();
            assertThat(query.progress().intervals()).isLessThan(20);
            assertThat(query.progress().skipped()).isGreaterThan(180);
        }
    }

    @Test
    void aRowThatIsWrittenAgainIsThereOnceWithTheLaterValue() {
        PointArchive archive = archive("points");
        write(archive, row("host", "a", 0, 1), row("host", "b", 0, 1));
        archive.cut();
        write(archive, row("host", "a", 0, 9));
        archive.cut();
        assertThat(ask(archive, "")).containsExactlyInAnyOrder(row("host", "a", 0, 9), row("host", "b", 0, 1));
        assertThat(ask(archive, "value<5")).containsExactly(row("host", "b", 0, 1));
        assertThat(ask(archive, "not value>5")).containsExactly(row("host", "b", 0, 1));
        assertThat(counters.get(ArchiveCounter.ARCHIVE_POINTS_AGAIN)).isEqualTo(1);
    }

    @Test
    void aRowTwiceInOneBatchIsThereOnce() {
        PointArchive archive = archive("points");
        write(archive, row("host", "a", 0, 1), row("host", "a", 0, 2));
        archive.cut();
        assertThat(ask(archive, "")).containsExactly(row("host", "a", 0, 2));
    }

    @Test
    void afterARestartTheArchiveKnowsWhatItHas() {
        PointArchive before = archive("points");
        write(before, row("host", "a", 0, 1));
        before.cut();
        PointArchive after = archive("points");
        write(after, row("host", "a", 0, 2), row("host", "a", 1, 3));
        after.cut();
        assertThat(counters.get(ArchiveCounter.ARCHIVE_INTERVALS_REINDEXED)).isEqualTo(1);
        assertThat(ask(after, "host=a")).containsExactly(row("host", "a", 0, 2), row("host", "a", 1, 3));
    }

    @Test
    void aVolumeWithRoomForLessThanACycleIsTold() {
        PointArchive archive = archive("points");
        int data = archive.stream().number();
        for (int cycle = 0; cycle < 3; cycle++) {
            for (int i = 0; i < 4; i++) {
                write(archive, row("host", "h" + i, cycle, 1));
                archive.cut();
                store.keep(data, 4);
            }
        }
        write(archive, row("host", "h0", 0, 2)); // a replay after all rows of the time were overwritten
        archive.cut();
        assertThat(archive.isTooSmall()).isFalse();
        for (int i = 0; i < 6; i++) {
            write(archive, row("host", "h" + i, 3, 1));
            archive.cut();
            store.keep(data, 4);
        }
        assertThat(archive.isTooSmall()).isTrue();
    }

    @Test
    void aLongAndADoubleAreTwoRows() {
        PointArchive archive = archive("points");
        Tags tags = Tags.of(Map.of("host", "a"));
        write(archive, Row.ofLong("m", tags, TIME_MS, Long.MIN_VALUE), Row.ofDouble("m", tags, TIME_MS, -0.25));
        archive.cut();
        assertThat(ask(archive, "metric=m"))
                .containsExactly(
                        Row.ofLong("m", tags, TIME_MS, Long.MIN_VALUE), Row.ofDouble("m", tags, TIME_MS, -0.25));
    }

    @Test
    void whatIsWrittenWhileAnAnswerIsUnderWayChangesNothingInIt() {
        PointArchive archive = archive("points");
        for (int i = 0; i < 1_000; i++) {
            write(archive, row("host", "h" + i, 0, 1));
        }
        archive.cut();
        try (PointQuery query = query(store, archive, "value=1")) {
            List<Row> found = new ArrayList<>();
            while (query.next()) {
                found.add(query.row());
                if (found.size() % 100 == 0) {
                    write(archive, row("host", "h999", 0, 1), row("host", "new", 0, 1));
                    archive.cut();
                }
            }
            assertThat(found).hasSize(1_000).doesNotHaveDuplicates();
        }
    }

    @Test
    void whatCannotBeArchivedIsRefusedWithItsReason() {
        PointArchive archive = archive("points");
        assertThatThrownBy(() -> archive.add(Row.ofDouble("m", Tags.NONE, TIME_MS, Double.NaN)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("cannot be archived");
        assertThatThrownBy(() -> archive.add(Row.ofLong("m", Tags.NONE, -1, 1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> archive.add(Row.ofLong("m", Tags.NONE, Long.MAX_VALUE, 1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> archive.add(row("host", "x".repeat(1 << 20), 0, 1)))
                .isInstanceOf(IllegalArgumentException.class);
        write(archive, row("host", "y".repeat(60_000), 0, 1), row("host", "a", 0, 1));
        archive.cut();
        assertThat(ask(archive, "")).hasSize(2);
    }

    @Test
    void whatCannotBeReadIsToldOfEvenIfTheIndexRulesItOut() {
        PointArchive archive = archive("points");
        write(archive, row("host", "a", 0, 1));
        archive.cut();
        write(archive, row("host", "a", 0, 9));
        archive.cut();
        DamagingStore damaged = new DamagingStore(store);
        damaged.refuse(
                view -> view.number() == 2 && view.stream() == archive.stream().number());
        try (PointQuery query = query(damaged, archive, "value=1")) {
            while (query.next()) {
                assertThat(query.row()).isEqualTo(row("host", "a", 0, 1));
            }
            assertThat(query.progress().damaged()).isPositive();
            assertThat(query.progress().damage()).contains("stream points", "Record 2 is damaged");
        }
    }

    @Test
    void aQuestionIsReadInTheWordsOfTheStreamsThatItAsks() {
        PointArchive points = archive("points");
        write(points, row("host", "a", 0, 1));
        points.cut();
        PacketArchive packets = new PacketArchive(store, ArchiveSettings.of("eth0", 0), clock, counters);
        List<ArchiveStream> both = List.of(points.stream(), packets.stream());
        try (ArchiveQuery<?> query = ArchiveQuery.of(store, both, Question.parse("host=a and stream points", 0))) {
            assertThat(query.next()).isTrue();
        }
        try (ArchiveQuery<?> query = ArchiveQuery.of(store, both, Question.parse("host 10.0.0.1 and stream eth0", 0))) {
            assertThat(query.next()).isFalse();
        }
        assertThatThrownBy(() -> ArchiveQuery.of(store, both, Question.parse("host=a", 0)))
                .isInstanceOf(QuestionException.class)
                .hasMessageContaining("points, eth0");
    }

    @Test
    void rowsThatWereWrittenAgainAreBounded() {
        PointArchive archive = writtenTwice(i -> "h" + i);
        assertThatThrownBy(() -> overwritten(archive, 2_000))
                .isInstanceOf(QuestionException.class)
                .hasMessageContaining("shorter time");
        overwritten(archive, 20_000);
    }

    @Test
    void longNamesOfRowsThatWereWrittenAgainAreBoundedToo() {
        PointArchive archive = writtenTwice(i -> "x".repeat(30_000));
        assertThatThrownBy(() -> overwritten(archive, 20_000)).isInstanceOf(QuestionException.class);
        overwritten(archive, 40_000); // the name is stored once
    }

    /** Creates an archive with rows of twenty times, all written twice. */
    private PointArchive writtenTwice(IntFunction<String> host) {
        PointArchive archive = archive("points");
        for (int turn = 0; turn < 2; turn++) {
            for (int i = 0; i < 20; i++) {
                write(archive, row("host", host.apply(i), i, turn));
            }
            archive.cut();
        }
        return archive;
    }

    private void overwritten(PointArchive archive, long bytesMax) {
        new Overwritten(bytesMax, () -> false)
                .find(store, archive.stream(), Long.MAX_VALUE, Question.parse("", 0), PointFilter.compile(""));
    }

    @Test
    void whatIsFoundOutAheadOfTheFirstPointIsSeenAndCanBeCancelled() {
        PointArchive archive = archive("points");
        for (int turn = 0; turn < 3; turn++) {
            write(archive, row("host", "a", 0, turn));
            archive.cut();
        }
        try (PointQuery query = query(store, archive, "")) {
            query.prepare();
            assertThat(query.progress().intervals()).isEqualTo(2);
            assertThat(query.progress().dataBytes()).isPositive();
        }
        try (PointQuery query = query(store, archive, "")) {
            query.cancel();
            query.prepare();
            assertThat(query.progress().intervals()).isZero();
            assertThat(query.next()).isFalse();
        }
    }

    @Test
    void onlyRowsThatWereWrittenAgainAreCountedSo() {
        PointArchive archive = archive("points");
        for (int i = 0; i < 100; i++) {
            write(archive, row("host", "h" + i, 0, i));
        }
        archive.cut();
        for (int i = 99; i < 200; i++) {
            write(archive, row("host", "h" + i, 0, i));
        }
        archive.cut();
        assertThat(counters.get(ArchiveCounter.ARCHIVE_POINTS_AGAIN)).isEqualTo(1);
    }

    @Test
    void rowsThatAreDroppedDoNotGoOutWithLaterOnes() {
        PointArchive archive = archive("points");
        write(archive, row("host", "a", 0, 1));
        archive.drop();
        write(archive, row("host", "b", 0, 2));
        archive.cut();
        assertThat(ask(archive, "")).containsExactly(row("host", "b", 0, 2));
    }

    @Test
    void rowsAreReadBackOutOfTheIntervalsThatWereWrittenLast() {
        DamagingStore counted = new DamagingStore(store);
        PointArchive archive = archive(counted);
        List<Long> read = new ArrayList<>();
        counted.refuse(view -> {
            read.add(view.number());
            return false;
        });
        for (int shard = 0; shard < 50; shard++) {
            write(archive, row("host", "h" + shard, 0, shard), row("host", "other", 0, shard));
            archive.cut();
            read.clear();
            assertThat(archive.read(List.of(row("host", "h" + shard, 0, shard), row("host", "other", 0, shard))))
                    .hasSize(2);
            assertThat(read).containsExactly(shard + 1L);
        }
        assertThat(archive.read(List.of(row("host", "other", 0, 0), row("host", "h3", 0, 0))))
                .containsExactlyInAnyOrder(row("host", "other", 0, 49), row("host", "h3", 0, 3));
        PointArchive after = archive(counted);
        assertThat(after.read(List.of(row("host", "other", 0, 0), row("host", "none", 0, 0))))
                .containsExactly(row("host", "other", 0, 49));
    }

    @Test
    void rowsOfManyTimesShareAReader() {
        DamagingStore counted = new DamagingStore(store);
        PointArchive archive = archive(counted);
        int before = counted.readers();
        for (int cycle = 0; cycle < 1_000; cycle++) {
            write(archive, row("host", "a", cycle, cycle));
        }
        archive.cut();
        assertThat(counted.readers()).isEqualTo(before);
        archive.close();
    }

    @Test
    void rowsOfATimeThatCannotBeReadWholeMayHaveBeenThere() {
        DamagingStore damaged = new DamagingStore(store);
        PointArchive before = archive(damaged);
        for (int i = 0; i < 3; i++) {
            write(before, row("host", "h" + i, 0, 1));
            before.cut();
        }
        damaged.refuse(
                view -> view.number() == 2 && view.stream() == before.stream().number());
        PointArchive after = archive(damaged);
        write(after, row("host", "h1", 0, 2));
        after.cut();
        assertThat(counters.get(ArchiveCounter.ARCHIVE_POINTS_AGAIN)).isEqualTo(1);
        damaged.refuse(view -> false);
        assertThat(ask(after, "host=h1")).containsExactly(row("host", "h1", 0, 2));
    }

    @Test
    void aRecordThatIsNoIntervalIsLeftOutAtTheStartAndToldOf() {
        PointArchive before = archive("points");
        write(before, row("host", "a", 0, 1));
        before.cut();
        store.append(before.stream().number(), TIME_MS * 1_000_000, new UnsafeBuffer(new byte[100]), 0, 100);
        PointArchive after = archive("points");
        write(after, row("host", "b", 1, 1));
        after.cut();
        assertThat(counters.get(ArchiveCounter.ARCHIVE_INTERVALS_FOREIGN)).isEqualTo(1);
        try (PointQuery query = query(store, after, "")) {
            assertThat(query.next()).isTrue();
            assertThat(query.next()).isTrue();
            assertThat(query.next()).isFalse();
            assertThat(query.progress().damaged()).isPositive();
        }
    }

    private PointArchive archive(StreamStore on) {
        return new PointArchive(on, ArchiveSettings.ofPoints("points", 0), clock, counters);
    }

    private PointArchive archive(String name) {
        return new PointArchive(store, ArchiveSettings.ofPoints(name, 0), clock, counters);
    }

    private static Row row(String tag, String value, int cycle, double number) {
        return Row.ofDouble("cpu.mean", Tags.of(Map.of(tag, value)), TIME_MS + 10_000L * cycle, number);
    }

    private static void write(PointArchive archive, Row... rows) {
        for (Row row : rows) {
            assertThat(archive.add(row)).isTrue();
        }
    }

    private static PointQuery query(StreamStore store, PointArchive archive, String question) {
        return new PointQuery(store, List.of(archive.stream()), Question.parse(question, 0));
    }

    private List<Row> ask(PointArchive archive, String question) {
        List<Row> found = new ArrayList<>();
        try (PointQuery query = query(store, archive, question)) {
            while (query.next()) {
                found.add(query.row());
            }
            assertThat(query.progress().damaged()).isZero();
        }
        return found;
    }
}
