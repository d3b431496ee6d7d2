package io.chimera.node.dataset.board;

import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.DatasetCounter;
import io.chimera.dataset.cluster.JobBoard;
import io.chimera.dataset.cluster.JobBoardContract;
import java.util.ArrayList;
import java.util.List;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The record of jobs on a real ZooKeeper server keeps the contract of boards. */
@Tag("it")
final class ZooKeeperBoardKitIT extends JobBoardContract {
    private static TestingServer server;

    private final TreeSessions sessions = new TreeSessions(server);
    private final List<JobBoard> boards = new ArrayList<>();

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

    @Override
    protected JobBoard open() {
        JobBoard board = new ZooKeeperJobBoard(sessions.open(), new Counters<>(DatasetCounter.class));
        boards.add(board);
        return board;
    }

    @Override
    protected void end(JobBoard session) {
        sessions.end(boards.indexOf(session));
    }
}
