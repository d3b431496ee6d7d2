package io.chimera.bench.peers.flink;

import io.chimera.bench.peers.job.Aggregate;
import io.chimera.bench.peers.job.ChunkReader;
import io.chimera.bench.peers.job.EngineProcess;
import io.chimera.bench.peers.job.Job;
import io.chimera.bench.peers.job.PointInput;
import io.chimera.bench.peers.job.WindowResult;
import java.time.Duration;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.java.tuple.Tuple3;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.windowing.ProcessWindowFunction;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.apache.flink.util.Collector;

/**
 * The job in Flink's DataStream API: a sequence of chunks, parsed in the source's chain, keyed, aggregated in tumbling
 * windows of event time. One task manager with a slot per core in one process, started before the points arrive.
 */
public final class FlinkPeer implements EngineProcess {
    private MiniCluster cluster;
    private int chunks;
    private String[] fields;

    private FlinkPeer() {}

    /** Runs until its input ends. */
    public static void main(String[] arguments) throws Exception {
        EngineProcess.main(new FlinkPeer());
    }

    @Override
    public void open() throws Exception {
        PointInput input = PointInput.open(Job.INPUT, Job.LINE_LENGTH);
        chunks = input.points() / ChunkReader.CHUNK;
        fields = new ChunkReader(input, 0, 1).next().fields;
        Configuration configuration = new Configuration();
        configuration.set(TaskManagerOptions.NETWORK_MEMORY_MIN, MemorySize.ofMebiBytes(64));
        configuration.set(TaskManagerOptions.NETWORK_MEMORY_MAX, MemorySize.ofMebiBytes(64));
        cluster = new MiniCluster(new MiniClusterConfiguration.Builder()
                .setConfiguration(configuration)
                .setNumTaskManagers(1)
                .setNumSlotsPerTaskManager(Job.PARALLELISM)
                .build());
        cluster.start();
    }

    @Override
    public void pass() throws Exception {
        StreamExecutionEnvironment environment = StreamExecutionEnvironment.getExecutionEnvironment();
        environment.setParallelism(Job.PARALLELISM);
        environment.getConfig().enableObjectReuse();
        environment
                .fromSequence(0, chunks - 1)
                .flatMap(new ParseChunk(chunks))
                .assignTimestampsAndWatermarks(
                        WatermarkStrategy.<Tuple3<String, Long, double[]>>forMonotonousTimestamps()
                                .withTimestampAssigner((point, before) -> point.f1 / 1_000_000))
                .keyBy(point -> point.f0)
                .window(TumblingEventTimeWindows.of(Duration.ofNanos(Job.WINDOW_NS)))
                .aggregate(
                        new Fold(fields),
                        new Emit(),
                        TypeInformation.of(Aggregate.class),
                        TypeInformation.of(Aggregate.class),
                        TypeInformation.of(WindowResult.class))
                .sinkTo(new ResultSink());
        cluster.executeJobBlocking(environment.getStreamGraph().getJobGraph());
    }

    @Override
    public void close() throws Exception {
        cluster.close();
    }

    /** Adds the time of the window and the key to the aggregate. */
    private static final class Emit extends ProcessWindowFunction<Aggregate, WindowResult, String, TimeWindow> {
        @Override
        public void process(String key, Context context, Iterable<Aggregate> aggregates, Collector<WindowResult> out) {
            out.collect(
                    aggregates.iterator().next().result(key, context.window().getStart() * 1_000_000));
        }
    }
}
