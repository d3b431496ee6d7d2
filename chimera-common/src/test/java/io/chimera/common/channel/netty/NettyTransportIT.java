package io.chimera.common.channel.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.channel.Endpoint;
import io.chimera.common.channel.RecordingHandler;
import io.chimera.common.channel.Transport;
import io.chimera.common.channel.TransportContract;
import io.chimera.common.metrics.ChannelCounter;
import io.chimera.common.metrics.Counters;
import java.net.ConnectException;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The contract over real sockets on loopback. */
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

    /** The system itself must refuse it: one that only waits to be accepted hears of the end too late. */
    @Test
    void aPortTakesNoConnectionOnceItsTransportIsClosed() {
        for (int i = 0; i < 50; i++) {
            Transport transport = newTransport("q");
            Endpoint address = transport.listen(anyAddress(), RecordingHandler::new);
            transport.close();

            assertThatThrownBy(() -> new Socket(address.host(), address.port()).close())
                    .isInstanceOf(ConnectException.class)
                    .hasMessageStartingWith("Connection refused");
        }
    }

    @Override
    protected Transport newTransport(String node) {
        return new NettyTransport(THREADS, counters, failures::add);
    }

    @Override
    protected void await(BooleanSupplier condition) {
        Awaitility.await()
                .pollInterval(Duration.ofMillis(1))
                .pollDelay(Duration.ZERO)
                .atMost(Duration.ofSeconds(10))
                .until(condition::getAsBoolean);
    }

    @Override
    protected void rest() {
        Awaitility.await()
                .pollDelay(Duration.ofMillis(50))
                .atMost(Duration.ofSeconds(1))
                .until(() -> true);
    }
}
