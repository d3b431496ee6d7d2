package io.chimera.common.channel.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.agent.Waits;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.channel.RecordingHandler;
import io.chimera.common.channel.Transport;
import io.chimera.common.channel.TransportContract;
import io.chimera.common.metrics.ChannelCounter;
import io.chimera.common.metrics.Counters;
import io.netty.util.concurrent.EventExecutor;
import java.net.ConnectException;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Transport contract over real sockets on loopback. */
@ExtendWith(NoLeaks.class)
final class NettyTransportIT extends TransportContract {
    private static final ChannelThreads THREADS = new ChannelThreads("test");

    private final Counters<ChannelCounter> counters = new Counters<>(ChannelCounter.class);
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();

    @AfterAll
    static void closeThreads() {
        THREADS.close();
    }

    @AfterEach
    void nothingFailed() {
        assertThat(failures).isEmpty();
    }

    /** Busy event loops rarely call their selector, which closes the socket. */
    @Test
    void aPortTakesNoConnectionOnceItsTransportIsClosedEvenWhileTheEventLoopsAreBusy() {
        Transport transport = newTransport("q");
        Endpoint address = transport.listen(anyAddress(), RecordingHandler::new);
        AtomicBoolean busy = new AtomicBoolean(true);
        THREADS.loops().forEach(loop -> keepBusy(loop, busy));
        try {
            transport.close();

            assertThatThrownBy(() -> new Socket(address.host(), address.port()).close())
                    .isInstanceOf(ConnectException.class)
                    .hasMessageStartingWith("Connection refused");
        } finally {
            busy.set(false);
        }
    }

    private static void keepBusy(EventExecutor loop, AtomicBoolean busy) {
        loop.execute(() -> {
            if (busy.get()) {
                keepBusy(loop, busy);
            }
        });
    }

    @Override
    protected Transport newTransport(String node) {
        return new NettyTransport(THREADS, counters, failures::add);
    }

    @Override
    protected void await(BooleanSupplier condition) {
        Waits.await()
                .pollInterval(Duration.ofMillis(1))
                .pollDelay(Duration.ZERO)
                .until(condition::getAsBoolean);
    }

    @Override
    protected void rest() {
        Waits.await().pollDelay(Duration.ofMillis(50)).until(() -> true);
    }
}
