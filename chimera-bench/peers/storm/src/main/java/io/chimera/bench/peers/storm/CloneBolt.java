package io.chimera.bench.peers.storm;

import io.chimera.bench.peers.job.Call;
import io.chimera.bench.peers.job.CallPartitions;
import io.chimera.bench.peers.job.Job;
import java.util.Map;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;

/**
 * Sends a call to the detector of its caller, and to the detector of its callee if different. A partition of another
 * detector is {@link #OTHERS}.
 */
final class CloneBolt extends BaseRichBolt {
    /** Marks a partition of another detector. */
    static final int OTHERS = -1;

    private transient OutputCollector collector;

    @Override
    public void prepare(Map<String, Object> config, TopologyContext context, OutputCollector out) {
        collector = out;
        Passes.CALLS.executorIsReady();
    }

    @Override
    public void execute(Tuple tuple) {
        if (tuple.getSourceStreamId().equals(Nudges.STREAM)) {
            collector.emit(Nudges.STREAM, new Values(tuple.getValue(0)));
            return;
        }
        Call call = (Call) tuple.getValue(0);
        if (call == null) {
            for (int detector = 0; detector < Job.PARALLELISM; detector++) {
                send(tuple, detector, null, OTHERS, OTHERS);
            }
        } else {
            int caller = CallPartitions.of(call.callerHash);
            int callee = CallPartitions.of(call.calleeHash);
            int detector = caller % Job.PARALLELISM;
            int other = callee % Job.PARALLELISM;
            if (detector == other) {
                send(tuple, detector, call, caller, callee);
            } else {
                send(tuple, detector, call, caller, OTHERS);
                send(tuple, other, call, OTHERS, callee);
            }
        }
        collector.ack(tuple);
    }

    private void send(Tuple anchor, int detector, Call call, int caller, int callee) {
        collector.emit(anchor, new Values(detector, call, caller, callee));
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        declarer.declare(new Fields("detector", "call", "caller", "callee"));
        declarer.declareStream(Nudges.STREAM, new Fields(Nudges.FIELD));
    }
}
