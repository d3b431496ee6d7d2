package io.chimera.bench.peers.loop;

import io.chimera.bench.peers.job.Aggregate;
import io.chimera.bench.peers.job.ChunkReader;
import io.chimera.bench.peers.job.EngineProcess;
import io.chimera.bench.peers.job.Job;
import io.chimera.bench.peers.job.Point;
import io.chimera.bench.peers.job.PointInput;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** Single-threaded loop: parses, looks up the key, aggregates, emits at the end of a window. */
public final class LoopPeer implements EngineProcess {
    private PointInput input;

    private LoopPeer() {}

    /** Runs until the end of standard input. */
    public static void main(String[] arguments) throws Exception {
        EngineProcess.main(new LoopPeer());
    }

    @Override
    public void open() throws IOException {
        input = PointInput.open(Job.INPUT, Job.LINE_LENGTH);
    }

    @Override
    public void pass() {
        ChunkReader reader = new ChunkReader(input, 0, 1);
        Map<String, Aggregate> groups = new HashMap<>();
        long window = 0;
        for (Point point = reader.next(); point != null; point = reader.next()) {
            if (Job.windowOf(point.timeNs) != window) {
                emit(groups, window);
                window = Job.windowOf(point.timeNs);
            }
            Aggregate group = groups.get(point.key);
            if (group == null) {
                group = new Aggregate();
                groups.put(point.key, group);
            }
            group.add(point);
        }
        emit(groups, window);
    }

    private static void emit(Map<String, Aggregate> groups, long window) {
        groups.forEach((key, group) -> Job.RESULTS.add(group.result(key, window)));
        groups.clear();
    }

    @Override
    public void close() {}
}
