package io.chimera.common.channel.netty.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.channel.CreditWindow;
import io.chimera.common.channel.netty.NoLeaks;
import io.chimera.common.metrics.ChannelCounter;
import io.chimera.common.metrics.Counters;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import org.agrona.concurrent.ManyToManyConcurrentArrayQueue;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(NoLeaks.class)
final class FrameSenderTest {
    private int flushes;
    private final EmbeddedChannel channel = new EmbeddedChannel(new ChannelOutboundHandlerAdapter() {
        @Override
        public void flush(ChannelHandlerContext ctx) {
            flushes++;
            ctx.flush();
        }
    });
    private final Counters<ChannelCounter> counters = new Counters<>(ChannelCounter.class);
    private final CreditWindow credit = new CreditWindow();
    private final FrameSender sender = new FrameSender(channel, credit, counters);
    private final UnsafeBuffer frame = new UnsafeBuffer(new byte[] {1, 2, 3});

    @BeforeEach
    void open() {
        credit.grant(CreditWindow.BYTES);
        sender.open();
    }

    @AfterEach
    void close() {
        sender.close();
        channel.finishAndReleaseAll();
    }

    private int offerUntilRefused() {
        int count = 0;
        while (sender.offer(frame, 0, 3)) {
            count++;
        }
        return count;
    }

    @Test
    void queuesNoMoreThanItsBoundOfFrames() {
        assertThat(offerUntilRefused()).isEqualTo(1024);
        assertThat(counters.get(ChannelCounter.OFFERS_REFUSED)).isOne();

        channel.runPendingTasks();
        assertThat(channel.outboundMessages()).hasSize(1024);
        assertThat(sender.offer(frame, 0, 3)).isTrue();
    }

    /** A queue may refuse a frame although its size is below the capacity, while its consumer is between two steps. */
    @Test
    void refusesTheFrameThatTheQueueRefuses() {
        boolean[] isRefusing = {true};
        FrameSender refused = new FrameSender(channel, credit, counters, new ManyToManyConcurrentArrayQueue<>(8) {
            @Override
            public boolean offer(ByteBuf element) {
                return !isRefusing[0] && super.offer(element);
            }
        });
        refused.open();
        UnsafeBuffer large = new UnsafeBuffer(new byte[CreditWindow.BYTES / 64]);
        for (int i = 0; i < 64 + 1; i++) {
            assertThat(refused.offer(large, 0, large.capacity())).isFalse();
        }
        isRefusing[0] = false;
        assertThat(refused.offer(large, 0, large.capacity()))
                .as("the credit was put back")
                .isTrue();
        refused.drain();
        assertThat(channel.outboundMessages()).hasSize(1);
    }

    @Test
    void writesManyOffersWithOneFlush() {
        for (int i = 0; i < 100; i++) {
            sender.offer(frame, 0, 3);
        }
        channel.runPendingTasks();
        assertThat(flushes).isOne();
        assertThat(counters.get(ChannelCounter.FRAMES_SENT)).isEqualTo(100);
        assertThat(counters.get(ChannelCounter.BYTES_SENT)).isEqualTo(300);
    }

    @Test
    void writesTheFrameThatTheLayoutSays() {
        sender.offer(frame, 1, 2);
        channel.runPendingTasks();
        ByteBuf written = channel.readOutbound();
        byte[] bytes = new byte[written.readableBytes()];
        written.readBytes(bytes).release();
        assertThat(bytes).isEqualTo(WireFrames.data(new byte[] {2, 3}));
    }

    @Test
    void releasesWhatIsQueuedAtTheEnd() {
        offerUntilRefused();
        sender.close();
        assertThat(sender.offer(frame, 0, 3)).isFalse();
        assertThat(sender.isOpen()).isFalse();
        channel.runPendingTasks();
        assertThat(channel.outboundMessages()).isEmpty();
    }
}
