package io.chimera.common.channel.netty;

import static io.chimera.common.agent.Waits.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.chimera.common.agent.Waits;
import io.chimera.common.channel.Connection;
import io.chimera.common.channel.ConnectionHandler;
import io.chimera.common.metrics.ChannelCounter;
import io.chimera.common.metrics.Counters;
import io.netty.util.ResourceLeakDetector;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Garbage per frame with warm pools. Frame memory is reused. The remaining garbage of the offering thread is Netty's
 * wrapper object, about 130 bytes, because Netty's recycler works only on its own threads. On the event loops a wakeup
 * costs 1 to 10 bytes per frame.
 */
final class ChannelAllocationIT {
    private static final int FRAMES = 5_000;

    private final ThreadMXBean memory = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final ResourceLeakDetector.Level level = ResourceLeakDetector.getLevel();
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private final ChannelThreads threads = new ChannelThreads("allocation");
    private final Counters<ChannelCounter> counters = new Counters<>(ChannelCounter.class);
    private final NettyTransport transport = new NettyTransport(threads, counters, failures::add);

    /** Disables leak detection, which allocates per buffer and may have been enabled by other tests of this JVM. */
    @BeforeEach
    void followNoBuffers() {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
    }

    @AfterEach
    void close() {
        transport.close();
        threads.close();
        ResourceLeakDetector.setLevel(level);
        assertThat(failures).isEmpty();
    }

    private static final class Counting implements ConnectionHandler {
        final AtomicReference<Connection> connection = new AtomicReference<>();

        @Override
        public void onOpen(Connection opened) {
            connection.set(opened);
        }

        @Override
        public boolean onFrame(Connection from, DirectBuffer buffer, int offset, int length) {
            from.consumed(length);
            return true;
        }

        @Override
        public void onClose(String reason) {}
    }

    @ParameterizedTest
    @ValueSource(ints = {64, 4096, 65536})
    void costsLittleGarbagePerFrame(int length) {
        Counting near = new Counting();
        transport.connect(transport.listen(HttpListenerIT.ANY, Counting::new), near);
        await().until(() -> near.connection.get() != null);
        UnsafeBuffer frame = new UnsafeBuffer(new byte[length]);
        send(near.connection.get(), frame);
        long offeringBefore = memory.getCurrentThreadAllocatedBytes();
        long loopsBefore = allocatedByLoops();

        send(near.connection.get(), frame);

        double offering = (double) (memory.getCurrentThreadAllocatedBytes() - offeringBefore) / FRAMES;
        double loops = (double) (allocatedByLoops() - loopsBefore) / FRAMES;
        assertThat(offering)
                .as("bytes of garbage per frame on the offering thread")
                .isLessThan(200);
        assertThat(loops).as("bytes of garbage per frame on the event loops").isLessThan(50);
    }

    private void send(Connection connection, DirectBuffer frame) {
        long target = counters.get(ChannelCounter.FRAMES_RECEIVED) + FRAMES;
        long end = System.nanoTime() + Waits.MAX.toNanos();
        int sent = 0;
        while ((sent < FRAMES || counters.get(ChannelCounter.FRAMES_RECEIVED) < target)
                && System.nanoTime() - end < 0) {
            if (sent < FRAMES && connection.offer(frame, 0, frame.capacity())) {
                sent++;
            } else {
                Thread.onSpinWait();
            }
        }
        assertThat(counters.get(ChannelCounter.FRAMES_RECEIVED)).isEqualTo(target);
    }

    private long allocatedByLoops() {
        long sum = 0;
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().startsWith("allocation-channel-")) {
                sum += memory.getThreadAllocatedBytes(thread.getId());
            }
        }
        return sum;
    }
}
