package io.chimera.bench.peers.storm;

import io.chimera.bench.peers.job.Aggregate;
import io.chimera.bench.peers.job.Job;
import io.chimera.bench.peers.job.Point;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.tuple.Tuple;

/**
 * Aggregates points per key and window of event time. A window closes when every spout has passed the window; Storm's
 * own windowed bolts would keep every tuple until then.
 */
final class FoldBolt extends BaseRichBolt {
    private final int spouts;
    private transient OutputCollector collector;
    private transient TreeMap<Long, Map<String, Aggregate>> windows;
    private transient long[] windowOfSpout;

    FoldBolt(int spouts) {
        this.spouts = spouts;
    }

    @Override
    public void prepare(Map<String, Object> config, TopologyContext context, OutputCollector out) {
        collector = out;
        windows = new TreeMap<>();
        windowOfSpout = new long[spouts];
        Passes.POINTS.executorIsReady();
    }

    @Override
    public void execute(Tuple tuple) {
        if (tuple.getSourceStreamId().equals(Nudges.STREAM)) {
            return;
        }
        int spout = tuple.getInteger(0);
        @SuppressWarnings("unchecked")
        List<Point> points = (List<Point>) tuple.getValue(1);
        if (points.isEmpty()) {
            windowOfSpout[spout] = Long.MAX_VALUE;
        } else {
            fold(points);
            windowOfSpout[spout] = Job.windowOf(points.get(points.size() - 1).timeNs);
        }
        emitBefore(Arrays.stream(windowOfSpout).min().orElseThrow());
        collector.ack(tuple);
    }

    private void fold(List<Point> points) {
        long window = -1;
        Map<String, Aggregate> groups = null;
        for (Point point : points) {
            if (Job.windowOf(point.timeNs) != window) {
                window = Job.windowOf(point.timeNs);
                groups = windows.computeIfAbsent(window, absent -> new HashMap<>());
            }
            groups.computeIfAbsent(point.key, absent -> new Aggregate()).add(point);
        }
    }

    private void emitBefore(long end) {
        while (!windows.isEmpty() && windows.firstKey() < end) {
            Map.Entry<Long, Map<String, Aggregate>> window = windows.pollFirstEntry();
            window.getValue().forEach((key, aggregate) -> Job.RESULTS.add(aggregate.result(key, window.getKey())));
        }
        if (end == Long.MAX_VALUE) {
            Arrays.fill(windowOfSpout, 0);
            Passes.POINTS.hasEnded();
        }
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        // the last bolt of the topology
    }
}
