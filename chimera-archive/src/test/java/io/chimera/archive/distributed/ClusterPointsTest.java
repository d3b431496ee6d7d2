package io.chimera.archive.distributed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.chimera.api.model.Row;
import io.chimera.api.model.Tags;
import io.chimera.archive.distributed.NodeChoice.Target;
import io.chimera.archive.query.QueryProgress;
import io.chimera.archive.query.Question;
import io.chimera.archive.query.answer.FoundPackets;
import io.chimera.archive.query.answer.FoundPoints;
import io.chimera.archive.query.answer.NodeReport.Absent;
import io.chimera.common.cluster.archive.ArchiveMember;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

final class ClusterPointsTest {
    private static final long START_MS = 1_700_000_000_000L;
    private static final long NS_PER_MS = 1_000_000;
    private static final Question ALL = Question.parse("", 0);

    /** Rows of each node, in write order. */
    private final Map<String, List<Written>> nodes = new TreeMap<>();

    private final FakePeers peers = new FakePeers();

    private record Written(Row row, long writtenNs, boolean isMet) {}

    private static Row row(int series, long timeMs, long value) {
        return Row.ofLong("m", Tags.of(Map.of("host", "h" + series)), START_MS + timeMs, value);
    }

    private void write(String node, Row row, long writtenNs) {
        nodes.computeIfAbsent(node, unseen -> new ArrayList<>()).add(new Written(row, writtenNs, true));
    }

    private ClusterPoints ask(Question question, long bytesMax) {
        List<Target> targets = nodes.keySet().stream()
                .map(id -> new ArchiveMember(id, 1, id, new ArchiveMember.IndexFormat(1, ArchiveMember.NO_KEYS), 0))
                .map(member -> new Target(member, question.afterNs(), question.beforeNs()))
                .toList();
        NodeChoice choice = new NodeChoice(targets, targets.size(), 0, 0, List.of(), List.of());
        return new ClusterPoints(choice, question, peers, bytesMax);
    }

    private static List<Row> rows(ClusterPoints points) {
        List<Row> rows = new ArrayList<>();
        while (points.next()) {
            rows.add(points.row());
        }
        return rows;
    }

    @Test
    void aRowOfSeveralNodesIsThereOnceAsItWasWrittenLast() {
        write("a", row(1, 10, 5), 100);
        write("a", row(2, 0, 7), 300);
        write("b", row(1, 10, 6), 200);
        write("b", row(2, 0, 8), 250);
        write("b", row(3, 5, 9), 100);
        ClusterPoints points = ask(ALL, 1 << 20);

        assertThat(rows(points)).containsExactly(row(2, 0, 7), row(3, 5, 9), row(1, 10, 6));
        assertThat(points.stream()).isEqualTo("b/points");
        assertThat(points.progress().found()).isEqualTo(3);
        assertThat(points.nodes().orElseThrow().absent()).isEmpty();
    }

    @Test
    void aRowWhoseLastValueDoesNotMeetTheFilterIsNotThereWithTheOneBefore() {
        nodes.put("a", List.of(new Written(row(1, 0, 9), 100, true)));
        nodes.put("b", List.of(new Written(row(1, 0, 1), 200, false), new Written(row(2, 0, 8), 200, true)));
        assertThat(rows(ask(ALL, 1 << 20))).containsExactly(row(2, 0, 8));
    }

    @Test
    void whateverMemoryThereIsTheAnswerIsTheSame() {
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            nodes.clear();
            Map<String, Written> last = new LinkedHashMap<>();
            for (int i = 0; i < 120; i++) {
                long timeMs = random.nextInt(3) == 0 ? random.nextInt(5) : random.nextInt(1 << random.nextInt(30));
                Row row = row(random.nextInt(4), timeMs, i);
                write(List.of("a", "b", "c").get(random.nextInt(3)), row, i);
                last.put(row.tags() + "@" + row.timeMs(), new Written(row, i, true));
            }
            nodes.values().forEach(written -> shuffleALittle(written, random));
            long afterNs = random.nextBoolean() ? Long.MIN_VALUE : (START_MS + random.nextInt(100)) * NS_PER_MS;
            long beforeNs = random.nextBoolean() ? Long.MAX_VALUE : (START_MS + random.nextInt(1 << 20)) * NS_PER_MS;
            long limit = random.nextInt(3) == 0 ? random.nextInt(100) : Long.MAX_VALUE;
            List<Row> expected = last.values().stream()
                    .map(Written::row)
                    .filter(row -> isWithin(row, afterNs, beforeNs))
                    .sorted(Comparator.comparingLong(Row::timeMs)
                            .thenComparing(row -> row.tags().toString()))
                    .limit(limit)
                    .toList();
            // room for two times with four rows of three nodes
            ClusterPoints points = ask(new Question("", "", afterNs, beforeNs, limit), 4_000 + random.nextInt(40_000));
            assertThat(rows(points)).as("seed %d", seed).isEqualTo(expected);
        }
    }

    private static boolean isWithin(Row row, long afterNs, long beforeNs) {
        long timeNs = row.timeMs() * NS_PER_MS;
        return timeNs >= afterNs && timeNs <= beforeNs;
    }

    private static void shuffleALittle(List<Written> written, Random random) {
        for (int i = 1; i < written.size(); i++) {
            if (random.nextInt(4) == 0) {
                written.set(i, written.set(i - 1, written.get(i)));
            }
        }
    }

    @Test
    void oneMomentOfTooManyRowsIsRefusedBehindWhatCameBefore() {
        for (int i = 0; i < 1_000; i++) {
            write("a", row(i, i < 3 ? 0 : 10, i), 1);
        }
        ClusterPoints points = ask(ALL, 10_000);
        List<Row> found = new ArrayList<>();
        assertThatThrownBy(() -> {
                    while (points.next()) {
                        found.add(points.row());
                    }
                })
                .isInstanceOf(ChimeraException.class)
                .hasMessageContaining("2023-11-14T22:13:20.010Z")
                .hasMessageContaining("fewer series");
        assertThat(found).containsExactly(row(0, 0, 0), row(1, 0, 1), row(2, 0, 2));
    }

    @Test
    void aNodeThatFailsIsNamedFromThereOnAndAskedNoMore() {
        for (int i = 0; i < 100; i++) {
            write("a", row(1, i, i), 1);
            write("b", row(2, i, i), 1);
        }
        peers.failing.put("b", 60);
        ClusterPoints points = ask(ALL, 20_000);
        List<Row> found = rows(points);

        assertThat(found).filteredOn(row -> row.tags().get("host").equals("h1")).hasSize(100);
        List<Absent> absent = points.nodes().orElseThrow().absent();
        assertThat(absent)
                .extracting(Absent::id, Absent::beforeNs, Absent::why)
                .containsExactly(tuple("b", Long.MAX_VALUE, "its disk is gone"));
        assertThat(found)
                .as("all ahead of it")
                .containsAll(nodes.get("b").stream()
                        .map(Written::row)
                        .filter(row -> row.timeMs() * NS_PER_MS < absent.get(0).afterNs())
                        .toList());
    }

    @Test
    void whoCancelsGetsNoMore() {
        write("a", row(1, 0, 1), 1);
        write("a", row(1, 1, 1), 1);
        ClusterPoints points = ask(ALL, 1 << 20);
        assertThat(points.next()).isTrue();
        points.cancel();
        assertThat(points.next()).isFalse();
        assertThat(points.isCancelled()).isTrue();
    }

    @Test
    void nodesWithoutRoomAreAskedAgainAndNoneKeepsAPlaceMeanwhile() {
        write("a", row(1, 0, 1), 1);
        write("b", row(2, 0, 2), 1);
        peers.busy.put("b", 3);
        assertThat(rows(ask(ALL, 1 << 20))).containsExactly(row(1, 0, 1), row(2, 0, 2));
        assertThat(peers.openWhileWaiting).containsExactly(0, 0, 0);
    }

    /** Nodes with answers from the lists. */
    private final class FakePeers implements Peers {
        private final Map<String, Integer> busy = new HashMap<>();
        private final Map<String, Integer> failing = new HashMap<>();
        private final List<Integer> openWhileWaiting = new ArrayList<>();
        private int open;

        @Override
        public FoundPoints points(ArchiveMember from, Question question) {
            assertThat(question.limit()).as("of one node alone").isEqualTo(Long.MAX_VALUE);
            open++;
            return new Answer(
                    nodes.get(from.id()).stream()
                            .filter(written -> isWithin(written.row, question.afterNs(), question.beforeNs()))
                            .toList(),
                    from.id());
        }

        @Override
        public void awaitRoom(int refusals) {
            openWhileWaiting.add(open);
        }

        @Override
        public void bring(ArchiveMember to, byte[] parcel, Consumer<byte[]> reply) {
            throw new UnsupportedOperationException("No index is shared.");
        }

        @Override
        public List<byte[]> ask(List<ArchiveMember> all, List<byte[]> questions) {
            throw new UnsupportedOperationException("No index is shared.");
        }

        @Override
        public FoundPackets packets(ArchiveMember from, Question question) {
            throw new UnsupportedOperationException("Only points are asked for.");
        }

        private final class Answer implements FoundPoints {
            private final List<Written> rows;
            private final String node;
            private int position = -1;
            private boolean isCancelled;
            private boolean isClosed;

            private Answer(List<Written> rows, String node) {
                this.rows = rows;
                this.node = node;
            }

            @Override
            public void prepare() {
                int refusals = busy.getOrDefault(node, 0);
                if (refusals > 0) {
                    busy.put(node, refusals - 1);
                    throw new NodeBusyException();
                }
            }

            @Override
            public boolean next() {
                if (failing.containsKey(node) && failing.merge(node, -1, Integer::sum) < 0) {
                    throw new ChimeraException(Category.WARN, "its disk is gone");
                }
                return !isCancelled && ++position < rows.size();
            }

            @Override
            public Row row() {
                return rows.get(position).row;
            }

            @Override
            public long writtenNs() {
                return rows.get(position).writtenNs;
            }

            @Override
            public boolean isMet() {
                return rows.get(position).isMet;
            }

            @Override
            public List<String> warnings() {
                return List.of();
            }

            @Override
            public String stream() {
                return "points";
            }

            @Override
            public QueryProgress progress() {
                return QueryProgress.NONE;
            }

            @Override
            public void cancel() {
                isCancelled = true;
            }

            @Override
            public boolean isCancelled() {
                return isCancelled;
            }

            @Override
            public void close() {
                open -= isClosed ? 0 : 1;
                isClosed = true;
            }
        }
    }
}
