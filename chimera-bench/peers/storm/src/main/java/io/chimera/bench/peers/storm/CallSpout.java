package io.chimera.bench.peers.storm;

import io.chimera.bench.peers.job.Call;
import io.chimera.bench.peers.job.CallInput;
import io.chimera.bench.peers.job.CallReader;
import io.chimera.bench.peers.job.Job;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichSpout;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Values;

/** Reads calls and emits a tuple per call; a tuple without a call ends the pass. */
final class CallSpout extends BaseRichSpout {
    private transient SpoutOutputCollector collector;
    private transient CallInput input;
    private transient CallReader reader;
    private transient int pass;
    private transient Nudges nudges;

    @Override
    public void open(Map<String, Object> config, TopologyContext context, SpoutOutputCollector out) {
        collector = out;
        nudges = new Nudges(out);
        try {
            input = CallInput.open(Job.INPUT, CallInput.CALLS);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Passes.CALLS.executorIsReady();
    }

    @Override
    public void nextTuple() {
        if (reader == null) {
            if (pass == Passes.CALLS.begun()) {
                nudges.send(pass);
                return;
            }
            reader = new CallReader(input.pass(pass++));
        }
        Call call = reader.next();
        collector.emit(new Values(call));
        if (call == null) {
            reader = null;
        }
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        declarer.declare(new Fields("call"));
        declarer.declareStream(Nudges.STREAM, new Fields(Nudges.FIELD));
    }
}
