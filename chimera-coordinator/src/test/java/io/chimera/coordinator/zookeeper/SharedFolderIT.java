package io.chimera.coordinator.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.cluster.CycleStore;
import io.chimera.common.metrics.ClusterCounter;
import io.chimera.coordinator.zookeeper.SharedFolder.Creation;
import io.chimera.coordinator.zookeeper.SharedFolder.Lifetime;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Runs the folder on a real ZooKeeper server. */
final class SharedFolderIT {
    private static final AtomicInteger CLUSTERS = new AtomicInteger();
    private static TestingServer server;

    private final TestSessions sessions = new TestSessions(server.getConnectString(), "s" + CLUSTERS.incrementAndGet());

    @BeforeAll
    static void startServer() throws Exception {
        server = new TestingServer();
    }

    @AfterAll
    static void stopServer() throws Exception {
        server.close();
    }

    @AfterEach
    void disconnect() {
        sessions.close();
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String read(SharedFolder folder, String path) {
        try {
            return folder.read(path)
                    .map(entry -> new String(entry.data(), StandardCharsets.UTF_8))
                    .orElse("-");
        } catch (TreeException e) {
            return "?";
        }
    }

    private SharedFolder open() {
        ZooKeeperSession session = sessions.open();
        TestSessions.until(() -> session.view().connected());
        return session.datasets();
    }

    @Test
    void othersSeeChangesAlthoughReadsAreKept() throws TreeException {
        SharedFolder writer = open();
        SharedFolder reader = open();
        assertThat(read(reader, "a")).isEqualTo("-");
        assertThat(reader.list("a")).isEmpty();

        assertThat(writer.create("a", text("1"), Lifetime.KEPT)).isEqualTo(Creation.CREATED);
        TestSessions.until(() -> read(reader, "a").equals("1"));
        assertThat(writer.create("a", text("2"), Lifetime.KEPT)).isEqualTo(Creation.EXISTS);
        assertThat(writer.create("b/c", text("2"), Lifetime.KEPT)).isEqualTo(Creation.NO_PARENT);
        assertThat(writer.create("a/b", text("3"), Lifetime.KEPT)).isEqualTo(Creation.CREATED);
        TestSessions.until(() -> read(reader, "a/b").equals("3"));
        assertThat(reader.list("a")).containsExactly("b");

        assertThat(writer.replace("a", text("4"), 0)).isTrue();
        assertThat(writer.replace("a", text("5"), 0)).isFalse();
        TestSessions.until(() -> read(reader, "a").equals("4"));

        writer.deleteAll("a");
        TestSessions.until(
                () -> read(reader, "a").equals("-") && read(reader, "a/b").equals("-"));
        assertThat(reader.list("a")).isEmpty();
    }

    @Test
    void readsOwnWritesAtOnce() throws TreeException {
        SharedFolder folder = open();
        for (int i = 0; i < 200; i++) {
            String path = "n" + i;
            assertThat(read(folder, path)).isEqualTo("-");
            folder.create(path, text("x"), Lifetime.KEPT);
            assertThat(read(folder, path)).isEqualTo("x");
            folder.replace(path, text("y"), 0);
            assertThat(read(folder, path)).isEqualTo("y");
            folder.deleteAll(path);
            assertThat(read(folder, path)).isEqualTo("-");
        }
    }

    @Test
    void createsAllOrNothing() throws TreeException {
        SharedFolder folder = open();
        Map<String, byte[]> records = new LinkedHashMap<>();
        records.put("p", text("1"));
        records.put("p/q", text("2"));

        assertThat(folder.createAll(records)).isTrue();
        records.put("r", text("3"));
        assertThat(folder.createAll(records)).isFalse();
        assertThat(read(folder, "r")).isEqualTo("-");
    }

    @Test
    void recordsOfASessionEndWithItAndTheFolderContinuesWithTheNext() throws TreeException {
        ZooKeeperSession owner = sessions.open();
        TestSessions.until(() -> owner.view().connected());
        SharedFolder first = owner.datasets();
        SharedFolder other = open();
        first.create("mine", text("1"), Lifetime.OF_SESSION);
        assertThat(first.read("mine").orElseThrow().isOwn()).isTrue();
        TestSessions.until(() -> read(other, "mine").equals("1"));
        assertThat(other.read("mine").orElseThrow().isOwn()).isFalse();

        sessions.expire(owner);

        TestSessions.until(() -> read(other, "mine").equals("-"));
        TestSessions.until(() -> read(first, "mine").equals("-"));
        other.create("later", text("2"), Lifetime.KEPT);
        TestSessions.until(() -> read(first, "later").equals("2"));
    }

    @Test
    void refusesRecordsThatAServerWouldNotTake() {
        SharedFolder folder = open();

        assertThatThrownBy(() -> folder.create("x", new byte[SharedFolder.RECORD_MAX + 1], Lifetime.KEPT))
                .isInstanceOf(TreeException.class)
                .hasMessageContaining("limit");
    }

    @Test
    void coordinatorsIgnoreTheFolder() throws TreeException {
        ZooKeeperSession coordinator = sessions.open();
        CycleStore unused = coordinator.conductorship("c");
        TestSessions.until(() -> coordinator.view().connected());
        long before = sessions.counters().get(ClusterCounter.ZNODES_MALFORMED);
        SharedFolder folder = coordinator.datasets();
        folder.create("cycles", text("not a cycle"), Lifetime.KEPT);
        folder.create("cycles/1", text("not a cycle"), Lifetime.KEPT);
        TestSessions.until(() -> read(folder, "cycles/1").equals("not a cycle"));

        assertThat(sessions.counters().get(ClusterCounter.ZNODES_MALFORMED)).isEqualTo(before);
    }
}
