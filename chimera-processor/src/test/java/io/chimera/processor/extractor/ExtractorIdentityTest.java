package io.chimera.processor.extractor;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.agent.ManualClock;
import io.chimera.common.channel.Connection;
import io.chimera.common.channel.ConnectionHandler;
import io.chimera.common.cluster.MemoryCluster;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.ProcessorCounter;
import io.chimera.common.ring.BatchRing;
import io.chimera.common.security.NodeIdentity;
import io.chimera.common.security.PeerCertificate;
import io.chimera.common.wire.Hello;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A queue node is believed only if its certificate names the node that its session stands for. */
final class ExtractorIdentityTest {
    private static final long SESSION = 7;
    private static final QueueMember MEMBER =
            new QueueMember("q1", SESSION, "q1:1", "q1:2", 70, "d", new TreeMap<>(), new TreeMap<>(), false);

    private final Counters<ProcessorCounter> counters = new Counters<>(ProcessorCounter.class);
    private final MemoryCluster cluster = MemoryCluster.immediate();
    private final Extractor extractor = new Extractor(
            Hello.of(1, "c"), new ManualClock(), cluster.join(), new BatchRing(2, Extractor.SLOT_LENGTH), counters);

    @BeforeEach
    void announce() {
        cluster.join().announce(MEMBER);
    }

    /** A connection with a certificate, or in the clear. */
    private static final class Secured implements Connection {
        private final Optional<PeerCertificate> certificate;
        private boolean isClosed;

        Secured(NodeIdentity... identities) {
            certificate = identities.length == 0
                    ? Optional.empty()
                    : Optional.of(new PeerCertificate("CN=x", List.of(identities), List.of()));
        }

        @Override
        public boolean offer(DirectBuffer buffer, int offset, int length) {
            return true;
        }

        @Override
        public void consumed(int bytes) {}

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

    private boolean isBelieved(Secured connection) {
        Hello hello = Hello.of(SESSION, "c");
        UnsafeBuffer frame = new UnsafeBuffer(new byte[hello.length()]);
        hello.encode(frame, 0);
        ConnectionHandler handler = extractor.accept();
        handler.onOpen(connection);
        handler.onFrame(connection, frame, 0, hello.length());
        boolean isBelieved = extractor.sender(SESSION) != null;
        handler.onClose("the test ended");
        return isBelieved;
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
