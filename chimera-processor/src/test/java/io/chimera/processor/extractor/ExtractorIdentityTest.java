package io.chimera.processor.extractor;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.agent.ManualClock;
import io.chimera.common.channel.Connection;
import io.chimera.common.channel.ConnectionHandler;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.identity.NodeIdentity;
import io.chimera.common.identity.PeerCertificate;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.ProcessorCounter;
import io.chimera.common.ring.BatchRing;
import io.chimera.common.wire.Hello;
import io.chimera.processor.pipeline.Sender;
import io.chimera.testkit.cluster.MemoryCluster;
import java.util.List;
import java.util.Optional;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A queue node is admitted only if its certificate names the node of the claimed session. */
final class ExtractorIdentityTest {
    private static final long SESSION = 7;
    private static final QueueMember MEMBER =
            new QueueMember("q1", SESSION, "q1:1", "q1:2", 70, "d", Positions.NONE, Positions.NONE, false);

    private final Counters<ProcessorCounter> counters = new Counters<>(ProcessorCounter.class);
    private final MemoryCluster cluster = MemoryCluster.immediate();
    private final Extractor extractor = new Extractor(
            Hello.of(1, "c"), new ManualClock(), cluster.join(), new BatchRing(2, Extractor.SLOT_LENGTH), counters);

    @BeforeEach
    void announce() {
        cluster.join().announce(MEMBER);
    }

    /** A connection with or without a certificate. */
    private static final class Secured implements Connection {
        private final Optional<PeerCertificate> certificate;
        private boolean isClosed;
        private boolean hasCredit = true;
        private int shown;

        Secured(NodeIdentity... identities) {
            certificate = identities.length == 0
                    ? Optional.empty()
                    : Optional.of(new PeerCertificate("CN=x", List.of(identities), List.of()));
        }

        @Override
        public boolean offer(DirectBuffer buffer, int offset, int length) {
            shown += hasCredit ? 1 : 0;
            return hasCredit;
        }

        @Override
        public void consumed(int bytes) {}

        @Override
        public boolean hasCaughtUp() {
            return true;
        }

        @Override
        public boolean isOpen() {
            return !isClosed;
        }

        @Override
        public void close() {
            isClosed = true;
        }

        @Override
        public String remote() {
            return "remote:1";
        }

        @Override
        public Optional<PeerCertificate> certificate() {
            return certificate;
        }
    }

    private static boolean greet(ConnectionHandler handler, Connection connection, Hello hello) {
        UnsafeBuffer frame = new UnsafeBuffer(new byte[hello.length()]);
        hello.encode(frame, 0);
        return handler.onFrame(connection, frame, 0, hello.length());
    }

    private boolean isBelieved(Secured connection) {
        ConnectionHandler handler = extractor.accept();
        handler.onOpen(connection);
        assertThat(connection.shown).as("before the other end spoke").isZero();
        greet(handler, connection, Hello.of(SESSION, "c"));
        boolean isBelieved = extractor.sender(SESSION) != null;
        assertThat(connection.shown).isEqualTo(isBelieved ? 1 : 0);
        handler.onClose("the test ended");
        return isBelieved;
    }

    @Test
    void showsItsSessionToAdmittedConnectionsOnly() {
        for (Hello stranger : List.of(Hello.of(9, "c"), Hello.of(SESSION, "other"), Hello.of(1, "c"))) {
            Secured connection = new Secured();
            ConnectionHandler handler = extractor.accept();
            handler.onOpen(connection);
            greet(handler, connection, stranger);

            assertThat(connection.shown).as(stranger.toString()).isZero();
        }
        Secured first = new Secured();
        assertThat(greet(extractor.accept(), first, Hello.of(SESSION, "c"))).isTrue();
        Secured second = new Secured();
        assertThat(greet(extractor.accept(), second, Hello.of(SESSION, "c"))).isFalse();

        assertThat(first.shown).isEqualTo(1);
        assertThat(second.shown).as("the session has a connection").isZero();
    }

    @Test
    void theFirstOpenConnectionOfASessionStays() {
        Secured first = new Secured();
        Secured second = new Secured();
        assertThat(extractor.register(new Sender(SESSION, first))).isTrue();

        assertThat(extractor.register(new Sender(SESSION, second)))
                .as("admitted at the same time")
                .isFalse();
        assertThat(extractor.sender(SESSION).connection()).isSameAs(first);

        first.close();
        assertThat(extractor.register(new Sender(SESSION, second))).isTrue();
        assertThat(extractor.sender(SESSION).connection()).isSameAs(second);
    }

    @Test
    void introducesItselfBeforeAnythingElseIsSent() {
        Secured connection = new Secured();
        connection.hasCredit = false;
        ConnectionHandler handler = extractor.accept();

        assertThat(greet(handler, connection, Hello.of(SESSION, "c"))).isFalse();
        assertThat(extractor.sender(SESSION))
                .as("others would send before the HELLO")
                .isNull();

        connection.hasCredit = true;
        assertThat(greet(handler, connection, Hello.of(SESSION, "c"))).isTrue();
        assertThat(extractor.sender(SESSION)).isNotNull();
        assertThat(connection.shown).isEqualTo(1);
    }

    @Test
    void onlyTheNodeOfTheSessionIsBelieved() {
        assertThat(isBelieved(new Secured(new NodeIdentity("c", "queue", "q1"))))
                .isTrue();
        assertThat(isBelieved(
                        new Secured(new NodeIdentity("c", "coordinator", "c1"), new NodeIdentity("c", "queue", "q1"))))
                .isTrue();
        assertThat(isBelieved(new Secured())).as("in the clear").isTrue();

        assertThat(isBelieved(new Secured(new NodeIdentity("c", "queue", "q2"))))
                .isFalse();
        assertThat(isBelieved(new Secured(new NodeIdentity("c", "processor", "q1"))))
                .isFalse();
        assertThat(isBelieved(new Secured(new NodeIdentity("other", "queue", "q1"))))
                .isFalse();
        assertThat(counters.get(ProcessorCounter.EXTRACTOR_CONNECTIONS_REFUSED)).isEqualTo(3);
    }
}
