package io.chimera.bench.peers.storm;

import io.chimera.bench.peers.job.Call;
import io.chimera.bench.peers.job.CallPartitions;
import io.chimera.bench.peers.job.Job;
import java.util.Map;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.tuple.Tuple;

/** Keeps the filters of its partitions and reports alert scores. */
final class DetectBolt extends BaseRichBolt {
    private transient OutputCollector collector;
    private transient CallPartitions partitions;

    @Override
    public void prepare(Map<String, Object> config, TopologyContext context, OutputCollector out) {
        collector = out;
        partitions = new CallPartitions();
        Passes.CALLS.executorIsReady();
    }

    @Override
    public void execute(Tuple tuple) {
        if (tuple.getSourceStreamId().equals(Nudges.STREAM)) {
            return;
        }
        Call call = (Call) tuple.getValue(1);
        if (call == null) {
            Passes.CALLS.hasEnded();
        } else {
            detect(call, tuple.getInteger(2), tuple.getInteger(3));
        }
        collector.ack(tuple);
    }

    private void detect(Call call, int callerPartition, int calleePartition) {
        if (callerPartition != CloneBolt.OTHERS) {
            double score = partitions
                    .filters(callerPartition)
                    .called(call.callerHash, call.calleeHash, call.timeNs, call.durationS, call.code);
            CallPartitions.report(Job.RESULTS, call.caller, score);
        }
        if (calleePartition != CloneBolt.OTHERS) {
            double score = partitions.filters(calleePartition).wasCalled(call.calleeHash, call.timeNs);
            CallPartitions.report(Job.RESULTS, call.callee, score);
        }
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        // the last bolt of the topology
    }
}
