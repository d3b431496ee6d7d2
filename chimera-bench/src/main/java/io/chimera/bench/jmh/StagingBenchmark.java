package io.chimera.bench.jmh;

import io.chimera.bench.fold.FoldingProcessor;
import io.chimera.bench.fold.PartFrames;
import io.chimera.bench.load.PointShape;
import io.chimera.common.channel.Connection;
import io.chimera.common.channel.ConnectionHandler;
import io.chimera.common.config.ProcessorConfig;
import io.chimera.common.wire.Hello;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * Measures a point's path through a processor on one thread: a frame arrives, is copied into a slot of the extractor,
 * and staging checks its records and aggregates their fields. The series are defined beforehand, as in all of a
 * transmission except its start.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class StagingBenchmark {
    private final PartFrames fourFields = PartFrames.of(PointShape.FOUR_FIELDS);
    private final PartFrames tenFields = PartFrames.of(PointShape.TEN_FIELDS);
    private final Transmission onHeap = new Transmission(ProcessorConfig.Warehouse.ON_HEAP, fourFields);
    private final Transmission onHeap346 = new Transmission(ProcessorConfig.Warehouse.ON_HEAP, tenFields);
    private final Transmission offHeap = new Transmission(ProcessorConfig.Warehouse.OFF_HEAP, fourFields);

    /** Aggregates into a warehouse on the heap. */
    @Benchmark
    @OperationsPerInvocation(PartFrames.POINTS)
    public int onHeap() {
        return onHeap.take(fourFields.others());
    }

    /** Aggregates points with 10 fields into a warehouse on the heap. */
    @Benchmark
    @OperationsPerInvocation(PartFrames.POINTS)
    public int onHeap346() {
        return onHeap346.take(tenFields.others());
    }

    /** Aggregates into an off-heap warehouse. */
    @Benchmark
    @OperationsPerInvocation(PartFrames.POINTS)
    public int offHeap() {
        return offHeap.take(fourFields.others());
    }

    /** A processor, and the connection of its only queue node, on one thread. */
    private static final class Transmission implements Connection {
        private final FoldingProcessor processor;
        private final ConnectionHandler handler;
        private int index;
        private long points;

        Transmission(ProcessorConfig.Warehouse where, PartFrames frames) {
            processor = new FoldingProcessor(where);
            handler = processor.accept();
            connect();
            take(frames.first());
        }

        private void connect() {
            Hello hello = FoldingProcessor.hello();
            UnsafeBuffer frame = new UnsafeBuffer(new byte[hello.length()]);
            hello.encode(frame, 0);
            handler.onOpen(this);
            handler.onFrame(this, frame, 0, frame.capacity());
        }

        int take(List<UnsafeBuffer> frames) {
            for (int i = 0; i < frames.size(); i++) {
                UnsafeBuffer frame = frames.get(i);
                PartFrames.number(frame, index++);
                handler.onFrame(this, frame, 0, frame.capacity());
                processor.doWork();
            }
            points += PartFrames.POINTS;
            if (processor.folded() != points) {
                throw new IllegalStateException(
                        "Only " + processor.folded() + " points of " + points + " were folded.");
            }
            return index;
        }

        @Override
        public boolean offer(DirectBuffer buffer, int offset, int length) {
            return true;
        }

        @Override
        public void consumed(int bytes) {}

        @Override
        public boolean hasCaughtUp() {
            return true;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {
            throw new IllegalStateException("The processor closed the connection.");
        }

        @Override
        public String remote() {
            return "bench";
        }
    }
}
