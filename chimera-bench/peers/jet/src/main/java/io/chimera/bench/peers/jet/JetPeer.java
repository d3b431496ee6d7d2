package io.chimera.bench.peers.jet;

import com.hazelcast.config.Config;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.jet.aggregate.AggregateOperation;
import com.hazelcast.jet.aggregate.AggregateOperation1;
import com.hazelcast.jet.config.JobConfig;
import com.hazelcast.jet.datamodel.KeyedWindowResult;
import com.hazelcast.jet.pipeline.BatchSource;
import com.hazelcast.jet.pipeline.Pipeline;
import com.hazelcast.jet.pipeline.Sink;
import com.hazelcast.jet.pipeline.SinkBuilder;
import com.hazelcast.jet.pipeline.SourceBuilder;
import com.hazelcast.jet.pipeline.WindowDefinition;
import io.chimera.bench.peers.job.Aggregate;
import io.chimera.bench.peers.job.ChunkReader;
import io.chimera.bench.peers.job.EngineProcess;
import io.chimera.bench.peers.job.Job;
import io.chimera.bench.peers.job.Point;
import io.chimera.bench.peers.job.PointInput;

/**
 * The job in Jet's pipeline API: a source per core that parses, keyed, aggregated in tumbling windows of event time.
 * A single member, with a cooperative thread per core.
 */
public final class JetPeer implements EngineProcess {
    /** Points per call of the source, the number used by Jet's own sources between backpressure checks. */
    private static final int BATCH = 256;

    private HazelcastInstance member;

    private JetPeer() {}

    /** Runs until its input ends. */
    public static void main(String[] arguments) throws Exception {
        EngineProcess.main(new JetPeer());
    }

    @Override
    public void open() {
        Config config = new Config();
        config.setProperty("hazelcast.phone.home.enabled", "false");
        config.setProperty("hazelcast.logging.type", "none");
        config.setProperty("hazelcast.socket.bind.any", "false");
        config.getNetworkConfig().getInterfaces().setEnabled(true).addInterface("127.0.0.1");
        config.getNetworkConfig().getJoin().getAutoDetectionConfig().setEnabled(false);
        config.getNetworkConfig().getJoin().getMulticastConfig().setEnabled(false);
        config.getJetConfig().setEnabled(true).setCooperativeThreadCount(Job.PARALLELISM);
        config.getMetricsConfig().setEnabled(false);
        member = Hazelcast.newHazelcastInstance(config);
    }

    @Override
    public void pass() {
        Pipeline pipeline = Pipeline.create();
        pipeline.readFrom(source())
                .addTimestamps(point -> point.timeNs, 0)
                .groupingKey(point -> point.key)
                .window(WindowDefinition.tumbling(Job.WINDOW_NS))
                .aggregate(fold())
                .writeTo(sink());
        member.getJet().newJob(pipeline, new JobConfig()).join();
    }

    private static BatchSource<Point> source() {
        return SourceBuilder.batch(
                        "points",
                        context -> new ChunkReader(
                                PointInput.open(Job.INPUT, Job.LINE_LENGTH),
                                context.globalProcessorIndex(),
                                context.totalParallelism()))
                .<Point>fillBufferFn((reader, buffer) -> {
                    for (int i = 0; i < BATCH; i++) {
                        Point point = reader.next();
                        if (point == null) {
                            buffer.close();
                            return;
                        }
                        buffer.add(point);
                    }
                })
                .distributed(Job.PARALLELISM)
                .build();
    }

    private static AggregateOperation1<Point, Aggregate, Aggregate> fold() {
        return AggregateOperation.withCreate(Aggregate::new)
                .<Point>andAccumulate(Aggregate::add)
                .andCombine(Aggregate::add)
                .andExportFinish(aggregate -> aggregate);
    }

    private static Sink<KeyedWindowResult<String, Aggregate>> sink() {
        return SinkBuilder.sinkBuilder("results", context -> Job.RESULTS)
                .<KeyedWindowResult<String, Aggregate>>receiveFn(
                        (results, window) -> results.add(window.result().result(window.key(), window.start())))
                .build();
    }

    @Override
    public void close() {
        member.shutdown();
    }
}
