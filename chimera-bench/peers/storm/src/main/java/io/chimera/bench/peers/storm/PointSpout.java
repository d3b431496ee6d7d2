package io.chimera.bench.peers.storm;

import io.chimera.bench.peers.job.ChunkReader;
import io.chimera.bench.peers.job.Job;
import io.chimera.bench.peers.job.Point;
import io.chimera.bench.peers.job.PointInput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichSpout;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Values;

/**
 * Parses its share of the points and emits tuples of a hundred points, each to the bolt that owns the keys. A tuple
 * without points ends this spout's share of the pass.
 */
final class PointSpout extends BaseRichSpout {
    private static final int BATCH = 100;

    private final boolean acking;
    private transient SpoutOutputCollector collector;
    private transient Nudges nudges;
    private transient PointInput input;
    private transient ChunkReader reader;
    private transient List<Integer> bolts;
    private transient List<List<Point>> batches;
    private transient int index;
    private transient int pass;
    private transient long sent;

    PointSpout(boolean acking) {
        this.acking = acking;
    }

    @Override
    public void open(Map<String, Object> config, TopologyContext context, SpoutOutputCollector out) {
        collector = out;
        nudges = new Nudges(out);
        index = context.getThisTaskIndex();
        bolts = context.getComponentTasks("fold");
        batches = new ArrayList<>();
        bolts.forEach(bolt -> batches.add(new ArrayList<>(BATCH)));
        try {
            input = PointInput.open(Job.INPUT, Job.LINE_LENGTH);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Passes.POINTS.executorIsReady();
    }

    @Override
    public void nextTuple() {
        if (reader == null) {
            if (pass == Passes.POINTS.begun()) {
                nudges.send(pass);
                return;
            }
            pass++;
            reader = new ChunkReader(input, index, Job.PARALLELISM);
        }
        boolean hasSent = false;
        while (!hasSent) { // after a call without a tuple Storm lets the spout sleep for a millisecond
            Point point = reader.next();
            if (point == null) {
                end();
                return;
            }
            hasSent = add(point);
        }
    }

    /** Adds a point to the batch of its bolt; returns true when the batch was sent. */
    private boolean add(Point point) {
        int bolt = Math.floorMod(point.key.hashCode(), bolts.size());
        List<Point> batch = batches.get(bolt);
        batch.add(point);
        if (batch.size() == BATCH) {
            send(bolt);
            return true;
        }
        return false;
    }

    private void end() {
        for (int bolt = 0; bolt < bolts.size(); bolt++) {
            if (!batches.get(bolt).isEmpty()) {
                send(bolt);
            }
            send(bolt);
        }
        reader = null;
    }

    private void send(int bolt) {
        Values tuple = new Values(index, batches.get(bolt));
        if (acking) {
            collector.emitDirect(bolts.get(bolt), tuple, sent++);
        } else {
            collector.emitDirect(bolts.get(bolt), tuple);
        }
        batches.set(bolt, new ArrayList<>(BATCH));
    }

    @Override
    public void fail(Object message) {
        throw new IllegalStateException("Tuple " + message + " was lost, which a local cluster never does.");
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        declarer.declare(true, new Fields("spout", "points"));
        declarer.declareStream(Nudges.STREAM, new Fields(Nudges.FIELD));
    }
}
