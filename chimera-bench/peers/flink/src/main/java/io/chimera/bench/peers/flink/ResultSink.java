package io.chimera.bench.peers.flink;

import io.chimera.bench.peers.job.Job;
import io.chimera.bench.peers.job.WindowResult;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;

/** Counts the results. */
final class ResultSink implements Sink<WindowResult> {
    @Override
    public SinkWriter<WindowResult> createWriter(WriterInitContext context) {
        return new SinkWriter<>() {
            @Override
            public void write(WindowResult result, Context at) {
                Job.RESULTS.add(result);
            }

            @Override
            public void flush(boolean endOfInput) {}

            @Override
            public void close() {}
        };
    }
}
