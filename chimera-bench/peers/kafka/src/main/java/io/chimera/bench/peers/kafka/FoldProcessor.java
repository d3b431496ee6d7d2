package io.chimera.bench.peers.kafka;

import io.chimera.bench.peers.job.Aggregate;
import io.chimera.bench.peers.job.Job;
import io.chimera.bench.peers.job.LineParser;
import io.chimera.bench.peers.job.Point;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Parses and aggregates the points of a partition, whose times increase. The open window is on the heap: a state store
 * would serialise an aggregate twice per point. An empty record ends the pass.
 */
final class FoldProcessor implements Processor<byte[], byte[], Void, Void> {
    private final LineParser parser = new LineParser();
    private final Map<String, Aggregate> groups = new HashMap<>();
    private long window;

    @Override
    public void process(Record<byte[], byte[]> record) {
        byte[] line = record.value();
        if (line.length == 0) {
            emit();
            KafkaPeer.partitionIsDone();
            return;
        }
        Point point = parser.parse(line, 0);
        if (Job.windowOf(point.timeNs) != window) {
            emit();
            window = Job.windowOf(point.timeNs);
        }
        Aggregate group = groups.get(point.key);
        if (group == null) {
            group = new Aggregate();
            groups.put(point.key, group);
        }
        group.add(point);
    }

    private void emit() {
        groups.forEach((key, group) -> Job.RESULTS.add(group.result(key, window)));
        groups.clear();
    }
}
