package io.chimera.bench.peers.flink;

import io.chimera.bench.peers.job.ChunkReader;
import io.chimera.bench.peers.job.Job;
import io.chimera.bench.peers.job.LineParser;
import io.chimera.bench.peers.job.Point;
import io.chimera.bench.peers.job.PointInput;
import java.io.IOException;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichFlatMapFunction;
import org.apache.flink.api.java.tuple.Tuple3;
import org.apache.flink.util.Collector;

/**
 * Parses the chunk with a number, chained to the source. Flink splits the sequence into one range per task; chunks are
 * distributed so that the times of all tasks advance together and windows close early. Emits key, time and values; the
 * aggregation knows the field names, so that they are not serialised with each point.
 */
final class ParseChunk extends RichFlatMapFunction<Long, Tuple3<String, Long, double[]>> {
    private final int perTask;
    private transient PointInput input;
    private transient LineParser parser;
    private transient byte[] lines;

    ParseChunk(int chunks) {
        perTask = (chunks + Job.PARALLELISM - 1) / Job.PARALLELISM;
    }

    @Override
    public void open(OpenContext context) throws IOException {
        input = PointInput.open(Job.INPUT, Job.LINE_LENGTH);
        parser = new LineParser();
        lines = new byte[ChunkReader.CHUNK * input.lineLength()];
    }

    @Override
    public void flatMap(Long number, Collector<Tuple3<String, Long, double[]>> out) {
        int chunk = (int) (number % perTask) * Job.PARALLELISM + (int) (number / perTask);
        input.copy(chunk * ChunkReader.CHUNK, ChunkReader.CHUNK, lines);
        for (int offset = 0; offset < lines.length; offset += input.lineLength()) {
            Point point = parser.parse(lines, offset);
            out.collect(Tuple3.of(point.key, point.timeNs, point.values));
        }
    }
}
