package io.chimera.testkit.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.channel.Connection;
import io.chimera.common.channel.ConnectionHandler;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.channel.RecordingHandler;
import io.chimera.common.channel.Transport;
import io.chimera.common.channel.TransportContract;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

final class MemoryTransportTest extends TransportContract {
    private final MemoryNetwork network = new MemoryNetwork();

    @Override
    protected Transport newTransport(String node) {
        return network.transport(node);
    }

    @Override
    protected void await(BooleanSupplier condition) {
        boolean moved = true;
        while (!condition.getAsBoolean()) {
            assertThat(moved).as("something can move").isTrue();
            moved = network.step();
        }
    }

    @Override
    protected void rest() {
        network.settle();
    }

    @Test
    void repeatsARunOfTheSameSeed() {
        assertThat(run(7)).isEqualTo(run(7)).isNotEqualTo(run(8));
    }

    /** Returns the arrival order of the frames of four connections. */
    private static List<String> run(long seed) {
        MemoryNetwork seeded = new MemoryNetwork();
        List<String> order = new ArrayList<>();
        MemoryTransport hub = seeded.transport("hub");
        Endpoint address = hub.listen(new Endpoint("hub", 7000), () -> new Ordering(order));
        List<RecordingHandler> clients = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            RecordingHandler handler = new RecordingHandler();
            clients.add(handler);
            seeded.transport("n" + i).connect(address, handler);
        }
        seeded.settle();
        for (int i = 0; i < 40; i++) {
            clients.get(i % 4).offer(i % 4 + "-" + i / 4);
        }
        Random random = new Random(seed);
        while (seeded.step(random::nextInt)) {
            assertThat(order).hasSizeLessThanOrEqualTo(40);
        }
        assertThat(order).hasSize(40);
        return order;
    }

    private record Ordering(List<String> order) implements ConnectionHandler {
        @Override
        public void onOpen(Connection connection) {}

        @Override
        public boolean onFrame(Connection from, org.agrona.DirectBuffer buffer, int offset, int length) {
            return order.add(buffer.getStringWithoutLengthUtf8(offset, length));
        }

        @Override
        public void onClose(String reason) {}
    }

    @Test
    void losesWhatIsOnTheWayWhenCut() {
        Pair pair = new Pair();
        pair.near.offer("lost");
        network.cut("a", "b");
        network.settle();

        assertThat(pair.far.heard).containsExactly("open", "closed");
        assertThat(pair.near.heard).containsExactly("open", "closed");
        assertThat(pair.far.reason()).endsWith("Connection reset by peer.");
        assertThat(pair.near.connection().isOpen()).isFalse();
    }

    @Test
    void holdsWhatIsOnTheWayWhileBlocked() {
        Pair pair = new Pair();
        network.block("b", "a");
        pair.near.offer("held");
        network.settle();
        assertThat(pair.far.frames()).isZero();
        assertThat(pair.near.connection().isOpen()).isTrue();

        network.unblock("a", "b");
        network.settle();
        assertThat(pair.far.heard).containsExactly("open", "held");
    }

    @Test
    void holdsOneWayAndLetsTheOtherThrough() {
        Pair pair = new Pair();
        network.blockOneWay("a", "b");
        pair.near.offer("held");
        pair.far.offer("through");
        network.settle();
        assertThat(pair.far.heard).containsExactly("open");
        assertThat(pair.near.heard).containsExactly("open", "through");

        network.unblock("a", "b");
        network.settle();
        assertThat(pair.far.heard).containsExactly("open", "held");
    }

    @Test
    void tellsBothEndsOfACutThroughABlock() {
        Pair pair = new Pair();
        network.block("a", "b");
        network.cut("a", "b");
        network.settle();

        assertThat(pair.near.heard).containsExactly("open", "closed");
        assertThat(pair.far.heard).containsExactly("open", "closed");
    }

    @Test
    void callsNoHandlerOfAPausedNodeUntilItGoesOn() {
        Pair pair = new Pair();
        network.pause(pair.a, true);
        pair.far.offer("later");
        network.settle();
        assertThat(pair.near.heard).containsExactly("open");

        network.pause(pair.a, false);
        network.settle();
        assertThat(pair.near.heard).containsExactly("open", "later");
    }

    @Test
    void losesSingleFramesWhenTold() {
        Pair pair = new Pair();
        network.lose((frame, offset, length) -> length == 4);
        pair.near.offer("lost");
        pair.near.offer("there");
        network.settle();

        assertThat(pair.far.heard).containsExactly("open", "there");
    }

    @Test
    void refusesConnectsWhenTold() {
        MemoryTransport a = network.transport("a");
        Endpoint address = network.transport("b").listen(new Endpoint("b", 1), RecordingHandler::new);
        network.refuse(address, true);
        RecordingHandler refused = new RecordingHandler();
        a.connect(address, refused);
        network.settle();
        assertThat(refused.reason()).contains("Connection refused");

        network.refuse(address, false);
        RecordingHandler taken = new RecordingHandler();
        a.connect(address, taken);
        network.settle();
        assertThat(taken.heard).containsExactly("open");
    }

    @Test
    void callsNoHandlerOfACrashedNode() {
        Pair pair = new Pair();
        pair.far.offer("never seen");
        network.crash(pair.a);
        network.settle();

        assertThat(pair.near.heard).containsExactly("open");
        assertThat(pair.far.heard).containsExactly("open", "closed");
    }

    /** Two connected nodes. */
    private final class Pair {
        final MemoryTransport a = network.transport("a");
        final RecordingHandler near = new RecordingHandler();
        final RecordingHandler far = new RecordingHandler();

        Pair() {
            a.connect(network.transport("b").listen(new Endpoint("b", 9), () -> far), near);
            network.settle();
        }
    }
}
