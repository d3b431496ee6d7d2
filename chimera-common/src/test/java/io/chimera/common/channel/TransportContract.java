package io.chimera.common.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.error.ChimeraException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Contract of every {@link Transport}. */
public abstract class TransportContract {
    private final List<Transport> transports = new ArrayList<>();
    private final List<RecordingHandler> accepted = new CopyOnWriteArrayList<>();
    private final RecordingHandler client = new RecordingHandler();

    /** Creates a transport for another node of the same network. */
    protected abstract Transport newTransport(String node);

    /** Runs the network until the condition holds; fails if the condition never holds. */
    protected abstract void await(BooleanSupplier condition);

    /** Runs the network for a while, or until no event is possible. */
    protected abstract void rest();

    /** An address to listen on. */
    protected Endpoint anyAddress() {
        return new Endpoint("127.0.0.1", 0);
    }

    @AfterEach
    final void closeTransports() {
        transports.forEach(Transport::close);
        rest();
        assertThat(client.overlapped()).isFalse();
        assertThat(accepted).noneMatch(RecordingHandler::overlapped);
    }

    @Test
    void opensBothEndsAndCarriesFramesBothWaysInOrder() {
        RecordingHandler server = connected();

        IntStream.range(0, 100)
                .forEach(i -> assertThat(client.offer("request " + i)).isTrue());
        IntStream.range(0, 100)
                .forEach(i -> assertThat(server.offer("answer " + i)).isTrue());
        await(() -> server.frames() == 100 && client.frames() == 100);

        assertThat(server.heard).startsWith("open", "request 0", "request 1").endsWith("request 99");
        assertThat(server.heard).isEqualTo(expected("request "));
        assertThat(client.heard).isEqualTo(expected("answer "));
    }

    @Test
    void takesOffersFromWithinOnOpen() {
        List<Boolean> results = new CopyOnWriteArrayList<>();
        Transport transport = open("q1");
        Endpoint address = open("q2").listen(anyAddress(), this::newServer);
        transport.connect(address, new ConnectionHandler() {
            @Override
            public void onOpen(Connection connection) {
                results.add(connection.offer(new UnsafeBuffer("hello".getBytes(StandardCharsets.UTF_8)), 0, 5));
            }

            @Override
            public boolean onFrame(Connection from, org.agrona.DirectBuffer buffer, int offset, int length) {
                return true;
            }

            @Override
            public void onClose(String reason) {}
        });
        await(() -> accepted.size() == 1 && accepted.get(0).frames() == 1);

        assertThat(results).containsExactly(true);
        assertThat(accepted.get(0).heard).containsExactly("open", "hello");
    }

    @Test
    void carriesTheLargestFrameAndRefusesLargerAndEmptyOnes() {
        RecordingHandler server = connected();
        UnsafeBuffer large = new UnsafeBuffer(new byte[Transport.FRAME_LENGTH_MAX + 1]);

        assertThat(client.connection().offer(large, 1, Transport.FRAME_LENGTH_MAX))
                .isTrue();
        await(() -> server.bytes() == Transport.FRAME_LENGTH_MAX);

        assertThatThrownBy(() -> client.connection().offer(large, 0, Transport.FRAME_LENGTH_MAX + 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> client.connection().offer(large, 0, 0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void refusesOffersWhenTheCreditIsUsedUpAndTakesThemAgainWhenItIsGivenBack() {
        RecordingHandler server = connected();
        server.hoardCredit();
        UnsafeBuffer frame = new UnsafeBuffer(new byte[64 << 10]);
        long sent = offerUntilRefused(frame);
        await(() -> server.bytes() == sent);

        assertThat(sent).isEqualTo(CreditWindow.BYTES);
        rest();
        assertThat(client.connection().offer(frame, 0, 1)).isFalse();

        server.connection().consumed(CreditWindow.BYTES / 2);
        await(() -> client.connection().offer(frame, 0, frame.capacity()));
        long sentAgain = offerUntilRefused(frame) + frame.capacity();
        assertThat(sentAgain).isEqualTo(CreditWindow.BYTES / 2);
        await(() -> server.bytes() == sent + sentAgain);
    }

    @Test
    void handsARefusedFrameOverAgainAndKeepsTheOrder() {
        RecordingHandler server = connected();
        server.refuse(true);
        IntStream.range(0, 100).forEach(i -> client.offer("request " + i));
        await(() -> server.refusals() > 0);
        rest();
        assertThat(server.frames()).isZero();

        server.refuse(false);
        await(() -> server.frames() == 100);

        assertThat(server.heard).isEqualTo(expected("request "));
    }

    @Test
    void deliversWhatWasOfferedBeforeClosingAndTellsBothEnds() {
        RecordingHandler server = connected();
        IntStream.range(0, 100).forEach(i -> client.offer("request " + i));
        client.connection().close();
        await(() -> server.reason() != null && client.reason() != null);

        assertThat(server.frames()).isEqualTo(100);
        assertThat(server.heard).endsWith("request 99", "closed");
        assertThat(client.heard).containsExactly("open", "closed");
        assertThat(client.reason()).startsWith("This node closed the connection with ");
        assertThat(server.reason()).endsWith(" closed the connection.");
        assertThat(client.connection().isOpen()).isFalse();
        assertThat(server.connection().isOpen()).isFalse();
        assertThat(client.offer("late")).isFalse();
        assertThat(server.offer("late")).isFalse();
        client.connection().close();
        server.connection().consumed(1);
    }

    @Test
    void tellsTheConnectorWhereNobodyListens() {
        Transport transport = open("q1");
        Transport other = open("q2");
        Endpoint address = other.listen(anyAddress(), this::newServer);
        other.close();
        transport.connect(address, client);
        await(() -> client.reason() != null);

        assertThat(client.heard).containsExactly("closed");
        assertThat(client.reason())
                .isEqualTo("Cannot connect to " + address + ": Connection refused"
                        + ". Check that the node is running and that the address is correct.");
    }

    @Test
    void refusesToListenWhereAnotherDoes() {
        Endpoint address = open("q1").listen(anyAddress(), this::newServer);
        Transport other = open("q2");

        assertThat(address.port()).isPositive();
        assertThatThrownBy(() -> other.listen(address, this::newServer))
                .isInstanceOfSatisfying(ChimeraException.class, e -> assertThat(e.category())
                        .isEqualTo(ChimeraException.Category.FATAL))
                .hasMessageStartingWith(
                        "Cannot listen on " + address + ": Address already in use. Stop the program that uses the port")
                .hasMessageEndingWith(" or set another address.");
    }

    @Test
    void closesEverythingWithTheTransport() {
        RecordingHandler server = connected();
        transports.get(0).close();
        transports.get(0).close();
        await(() -> server.reason() != null && client.reason() != null);

        assertThat(client.reason()).isEqualTo("This node closed its channels.");
        assertThatThrownBy(() -> transports.get(0).connect(new Endpoint("127.0.0.1", 1), client))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> transports.get(0).listen(anyAddress(), this::newServer))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void connectsAgainAfterTheOtherEndWentAway() {
        RecordingHandler server = connected();
        server.connection().close();
        await(() -> client.reason() != null);
        Endpoint address = transports.get(1).listen(anyAddress(), this::newServer);
        RecordingHandler again = new RecordingHandler();
        transports.get(0).connect(address, again);
        await(() -> again.connection() != null && accepted.size() == 2);

        assertThat(again.offer("again")).isTrue();
        await(() -> accepted.get(1).frames() == 1);
    }

    private RecordingHandler connected() {
        Transport near = open("q1");
        Transport far = open("q2");
        near.connect(far.listen(anyAddress(), this::newServer), client);
        await(() -> client.connection() != null
                && accepted.size() == 1
                && accepted.get(0).connection() != null);
        return accepted.get(0);
    }

    private Transport open(String node) {
        Transport transport = newTransport(node);
        transports.add(transport);
        return transport;
    }

    private RecordingHandler newServer() {
        RecordingHandler handler = new RecordingHandler();
        accepted.add(handler);
        return handler;
    }

    /**
     * Offers until a lasting refusal. The real queue is also bounded in frames and drains in the meantime, so only a
     * lasting refusal counts.
     */
    private long offerUntilRefused(UnsafeBuffer frame) {
        long sent = 0;
        while (client.connection().offer(frame, 0, frame.capacity())) {
            sent += frame.capacity();
        }
        return sent;
    }

    private static List<String> expected(String prefix) {
        List<String> expected = new ArrayList<>(List.of("open"));
        IntStream.range(0, 100).forEach(i -> expected.add(prefix + i));
        return expected;
    }
}
