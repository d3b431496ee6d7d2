package io.chimera.flow.capture;

import io.chimera.common.agent.Clock;
import io.chimera.common.config.pipeline.BlockConfig.Edge;
import io.chimera.flow.table.FlowId;
import io.chimera.jni.capture.PacketCapture;
import java.util.List;
import java.util.function.Consumer;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.OneToOneConcurrentArrayQueue;

/**
 * SNIFFER -> SOURCE -> FLOWID -> STATS -> SINK (Fais et al. 2021, Figure 4). With direct edges one agent calls the
 * operators in sequence ("chained" in the paper). With queued edges each operator has its own agent and an input queue
 * with room for all existing batches, so that no queue is ever full.
 */
final class CapturePipeline {
    /** Interval of empty batches without packets, which expire flows. */
    private static final long EMPTY_MS = 20;

    private final Sniffer sniffer;
    private final FlowId flowId;
    private final FlowStats stats;
    private final RecordSink sink;
    private final TupleBatches batches;
    private final Clock clock;
    private final boolean isLive;
    private final List<Agent> agents;
    private TupleBatch spare;
    private boolean isEnded;
    private long sentMs;
    private volatile boolean isStopping;
    private volatile boolean isDone;

    /**
     * Creates a pipeline with stopped agents.
     *
     * @param isLive whether packet time equals the clock's time
     */
    CapturePipeline(
            Sniffer sniffer,
            FlowId flowId,
            FlowStats stats,
            RecordSink sink,
            TupleBatches batches,
            Clock clock,
            boolean isLive,
            Edge edges) {
        this.sniffer = sniffer;
        this.flowId = flowId;
        this.stats = stats;
        this.sink = sink;
        this.batches = batches;
        this.clock = clock;
        this.isLive = isLive;
        agents = edges == Edge.DIRECT ? List.of(new Direct()) : queued();
    }

    /** Returns the agents, one per thread. */
    List<Agent> agents() {
        return agents;
    }

    /** Stops receiving packets. Thread-safe. */
    void stop() {
        isStopping = true;
    }

    /** Whether the pipeline has ended and all records were emitted. Thread-safe. */
    boolean isDone() {
        return isDone;
    }

    /** Fills a batch; null when all batches are in use or no batch is due. */
    private TupleBatch next() {
        if (isDone) {
            return null;
        }
        TupleBatch batch = spare == null ? batches.take() : spare;
        spare = null;
        if (batch == null) {
            return null;
        }
        int count = isEnded || isStopping ? PacketCapture.END : sniffer.receive(batch.tuples());
        isEnded |= count == PacketCapture.END;
        long nowNs = clock.epochNs();
        batch.filled(Math.max(count, 0), isLive ? nowNs : 0);
        if (isEnded) {
            batch.last();
        } else if (count == 0 && nowNs / 1_000_000 - sentMs < EMPTY_MS) {
            spare = batch;
            return null;
        }
        sentMs = nowNs / 1_000_000;
        return batch;
    }

    private void finish(TupleBatch batch) {
        sink.run(batch);
        boolean isLast = batch.isLast();
        batches.give(batch);
        if (isLast && sink.finish()) {
            isDone = true;
        }
    }

    private List<Agent> queued() {
        var toFlowId = new OneToOneConcurrentArrayQueue<TupleBatch>(TupleBatches.COUNT);
        var toStats = new OneToOneConcurrentArrayQueue<TupleBatch>(TupleBatches.COUNT);
        var toSink = new OneToOneConcurrentArrayQueue<TupleBatch>(TupleBatches.COUNT);
        return List.of(
                new Source(toFlowId),
                new Stage("flow-id", toFlowId, batch -> {
                    flowId.annotate(batch.tuples(), batch.packets());
                    toStats.offer(batch);
                }),
                new Stage("flow-stats", toStats, batch -> {
                    stats.run(batch);
                    toSink.offer(batch);
                }),
                new Sink(toSink));
    }

    /** All operators on one thread. */
    private final class Direct implements Agent {
        @Override
        public int doWork() {
            TupleBatch batch = next();
            int work = sink.pump();
            if (batch == null) {
                return work;
            }
            work += batch.packets();
            flowId.annotate(batch.tuples(), batch.packets());
            stats.run(batch);
            finish(batch);
            return work;
        }

        @Override
        public void onClose() {
            sniffer.close();
        }

        @Override
        public String roleName() {
            return "capture";
        }
    }

    /** SNIFFER and SOURCE. */
    private final class Source implements Agent {
        private final OneToOneConcurrentArrayQueue<TupleBatch> out;

        Source(OneToOneConcurrentArrayQueue<TupleBatch> out) {
            this.out = out;
        }

        @Override
        public int doWork() {
            TupleBatch batch = next();
            if (batch == null) {
                return 0;
            }
            int packets = batch.packets();
            out.offer(batch);
            return packets;
        }

        @Override
        public void onClose() {
            sniffer.close();
        }

        @Override
        public String roleName() {
            return "capture";
        }
    }

    /** Operator between two queues. */
    private static final class Stage implements Agent {
        private final String name;
        private final OneToOneConcurrentArrayQueue<TupleBatch> in;
        private final Consumer<TupleBatch> operator;

        Stage(String name, OneToOneConcurrentArrayQueue<TupleBatch> in, Consumer<TupleBatch> operator) {
            this.name = name;
            this.in = in;
            this.operator = operator;
        }

        @Override
        public int doWork() {
            TupleBatch batch = in.poll();
            if (batch == null) {
                return 0;
            }
            operator.accept(batch);
            return 1;
        }

        @Override
        public String roleName() {
            return name;
        }
    }

    /** SINK. */
    private final class Sink implements Agent {
        private final OneToOneConcurrentArrayQueue<TupleBatch> in;

        Sink(OneToOneConcurrentArrayQueue<TupleBatch> in) {
            this.in = in;
        }

        @Override
        public int doWork() {
            int work = sink.pump();
            TupleBatch batch = in.poll();
            if (batch != null) {
                finish(batch);
                work++;
            }
            return work;
        }

        @Override
        public String roleName() {
            return "flow-sink";
        }
    }
}
