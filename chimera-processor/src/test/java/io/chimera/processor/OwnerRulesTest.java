package io.chimera.processor;

import static io.chimera.processor.ProcessorRig.PROCESSOR;
import static io.chimera.processor.ProcessorRig.points;
import static io.chimera.processor.ProcessorRig.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.control.ControlState;
import io.chimera.common.metrics.ProcessorCounter;
import io.chimera.common.wire.Hello;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Only the owner of a part can send the part, and only a live queue node can send at all. */
final class OwnerRulesTest {
    @TempDir
    private Path folder;

    private ProcessorRig rig;
    private QueueNodeFake owner;

    @BeforeEach
    void start() {
        rig = new ProcessorRig(folder, ProcessorRig.CONFIG, ProcessorRig.pipeline(ProcessorRig.functions("sum")));
        owner = rig.queue(1);
    }

    @AfterEach
    void close() {
        rig.close();
    }

    /** Connects a second process with the session of a live queue node. */
    private QueueNodeFake impostor(long session) {
        rig.announce(session);
        QueueNodeFake impostor = rig.queue(Hello.of(session, ProcessorRig.CLUSTER));
        rig.run();
        return impostor;
    }

    private void ownerSendsTheRest(QueueNodeFake.Sending inFlight) {
        inFlight.data(0, points("a", 2)).end();
        rig.run();
        assertThat(rig.store.values()).isEqualTo(Map.of(row("sum", "a", 1), 3.0));
        assertThat(rig.commit(1, 0).accounts().aggregated()).isEqualTo(2);
    }

    // The attack: HELLO and an empty END, without a fingerprint, while points are in flight

    @Test
    void anEndOfAnUnknownSessionErasesNothing() {
        rig.begin(1, owner);
        QueueNodeFake.Sending inFlight = owner.begin(1, 0, 0).data(0, points("a", 1));
        rig.run();
        QueueNodeFake intruder = rig.queue(Hello.of(666, ProcessorRig.CLUSTER)).by(ConfigurationDigest.NONE);
        intruder.begin(1, 0, 0).end();
        rig.run();

        ownerSendsTheRest(inFlight);
        assertThat(intruder.takeAnswers()).isEmpty();
        rig.run(Duration.ofSeconds(11));
        intruder.flush();
        rig.run();
        assertThat(intruder.closed()).isNotNull();
        assertThat(rig.count(ProcessorCounter.EXTRACTOR_CONNECTIONS_REFUSED)).isEqualTo(1);
    }

    @Test
    void anEndThatNamesNoPipelinesClosesTheConnection() {
        rig.begin(1, owner);
        QueueNodeFake.Sending inFlight = owner.begin(1, 0, 0).data(0, points("a", 1));
        rig.run();
        QueueNodeFake intruder = impostor(2).by(ConfigurationDigest.NONE);
        intruder.begin(1, 0, 0).end();
        rig.run();

        assertThat(intruder.closed()).isNotNull();
        ownerSendsTheRest(inFlight);
    }

    @Test
    void framesOfAMemberThatDoesNotOwnThePartAreDroppedAndCounted() {
        rig.begin(1, owner);
        QueueNodeFake.Sending inFlight = owner.begin(1, 0, 0).data(0, points("a", 1));
        rig.run();
        QueueNodeFake intruder = impostor(2);
        intruder.begin(1, 0, 0).data(0, points("a", 100)).end();
        rig.run();

        assertThat(rig.count(ProcessorCounter.STAGING_FRAMES_FOREIGN)).isEqualTo(2);
        assertThat(intruder.takeAnswers()).isEmpty();
        ownerSendsTheRest(inFlight);
    }

    @Test
    void aFrameOfTheOwnerWithoutAFingerprintStagesNothing() {
        rig.begin(1, owner);
        owner.by(ConfigurationDigest.NONE).begin(1, 0, 0).end();
        rig.run();
        assertThat(owner.closed()).isNotNull();
        assertThat(rig.commit(1, 0)).isNull();
    }

    // Ahead of the view

    @Test
    void aPartThatAnotherSentBeforeTheViewShowedItsCycleIsDroppedAndRequestedFromTheOwner() {
        QueueNodeFake intruder = impostor(2);
        intruder.begin(1, 0, 0).end();
        rig.run();
        rig.begin(1, owner);
        rig.run();

        assertThat(rig.commit(1, 0)).isNull();
        assertThat(rig.count(ProcessorCounter.STAGING_FRAMES_FOREIGN)).isEqualTo(1);
        assertThat(owner.takeAnswers()).as("at once").containsExactly("NEED 1/0/0");
        ownerSendsTheRest(owner.begin(1, 0, 0).data(0, points("a", 1)));
    }

    /** The view can lose a cycle: without ZooKeeper's data until the recovery. */
    @Test
    void aPartThatAnotherSentWhileTheViewHadLostTheCycleIsDropped() {
        rig.announce(2);
        rig.begin(1, List.of(owner.session(), 2L), List.of(ProcessorRig.PROCESSOR));
        owner.begin(1, 0, 0).data(0, points("a", 1)).end();
        rig.run();
        ControlState before = ControlState.of(rig.cluster.truth());
        rig.cluster.lose("lost");
        rig.announce(owner.session());
        rig.run();
        owner.begin(1, 0, 1).end();
        rig.run();
        rig.cluster.recover(before);
        rig.run();

        assertThat(rig.count(ProcessorCounter.STAGING_FRAMES_FOREIGN)).isEqualTo(1);
        assertThat(rig.store.values()).as("part 1 is missing").isEmpty();
    }

    @Test
    void aPartThatTheOwnerSentBeforeTheViewShowedItsCycleCounts() {
        owner.begin(1, 0, 0).data(0, points("a", 1, 2)).end();
        rig.run();
        rig.begin(1, owner);
        rig.run();
        assertThat(rig.commit(1, 0).accounts().aggregated()).isEqualTo(2);
    }

    @Test
    void aFrameOfACycleThatNeverComesHoldsUpTheOthersForALimitedTime() {
        rig.close();
        rig = new ProcessorRig(
                folder, ProcessorRig.CONFIG, ProcessorRig.pipeline(ProcessorRig.lateAfter(Duration.ofDays(1))));
        owner = rig.queue(1);
        rig.begin(1, owner);
        QueueNodeFake intruder = impostor(2);
        for (long cycle = 9; cycle <= 12; cycle++) {
            intruder.begin(cycle, 0, 0).data(0, points("a", 1)).end();
        }
        rig.run();
        owner.send(1, 0, 0, points("a", 1));
        rig.run();
        assertThat(rig.commit(1, 0)).isNull();
        rig.run(Duration.ofMillis(5200));

        assertThat(rig.commit(1, 0).accounts().aggregated()).isEqualTo(1);
        assertThat(rig.count(ProcessorCounter.STAGING_FRAMES_REFUSED)).isPositive();
    }

    // Reassignment

    @Test
    void asksTheNewOwnerAtOnceWhoseTransmissionEndedBeforeTheViewNamedIt() {
        QueueNodeFake next = rig.queue(2);
        rig.begin(1, owner);
        rig.run();
        next.send(1, 0, 0, points("a", 1));
        rig.run();
        assertThat(next.takeAnswers()).isEmpty();

        rig.assign(1, 1, List.of(2L), List.of(PROCESSOR));
        rig.run();
        assertThat(next.takeAnswers()).containsExactly("NEED 1/0/0");
        next.send(1, 0, 0, points("a", 1));
        rig.run();
        assertThat(rig.commit(1, 0).accounts().aggregated()).isEqualTo(1);
    }

    @Test
    void aTransmissionThatTheFormerOwnerHasNotEndedMakesRoom() {
        QueueNodeFake next = rig.queue(2);
        rig.begin(1, owner);
        QueueNodeFake.Sending old = owner.begin(1, 0, 0).data(0, points("a", 1));
        rig.run();
        QueueNodeFake.Sending early = next.begin(1, 0, 0).data(0, points("a", 1));
        rig.run();
        rig.assign(1, 1, List.of(2L), List.of(PROCESSOR));
        rig.run();
        old.data(0, points("a", 2)).end();
        early.data(0, points("a", 2)).end();
        rig.run();
        assertThat(owner.takeAnswers()).isEmpty();
        assertThat(next.takeAnswers()).as("its first frame came too early").containsExactly("NEED 1/0/0");
        ownerSendsTheRest(next.begin(1, 0, 0).data(0, points("a", 1)));
    }

    @Test
    void aPartThatTheFormerOwnerHasEndedStaysWhole() {
        rig.queue(2);
        rig.begin(1, List.of(1L, 1L), List.of(PROCESSOR));
        owner.begin(1, 0, 0).data(0, points("a", 1)).end();
        rig.run();
        rig.assign(1, 1, List.of(2L, 1L), List.of(PROCESSOR));
        rig.run();
        owner.begin(1, 0, 1).data(0, points("a", 2)).end();
        rig.run();
        assertThat(rig.commit(1, 0).accounts().aggregated()).isEqualTo(2);
    }

    // Two connections of the same session

    @Test
    void theOlderConnectionOfASessionStays() {
        QueueNodeFake second = rig.queue(Hello.of(1, ProcessorRig.CLUSTER));
        second.begin(1, 0, 0).end();
        rig.begin(1, owner);
        rig.run();
        assertThat(rig.node.status().queueNodes()).isEqualTo(1);
        rig.run(Duration.ofSeconds(11));
        assertThat(second.closed()).isNotNull();
        assertThat(rig.commit(1, 0)).isNull();

        owner.send(1, 0, 0, points("a", 1, 2));
        rig.run();
        assertThat(rig.commit(1, 0).accounts().aggregated()).isEqualTo(2);
    }

    @Test
    void aSecondConnectionOfASessionIsAdmittedWhenTheFirstOneEnds() {
        QueueNodeFake second = rig.queue(Hello.of(1, ProcessorRig.CLUSTER));
        rig.begin(1, owner);
        rig.run();
        owner.connection().close();
        rig.run();
        second.send(1, 0, 0, points("a", 1, 2));
        rig.run();
        assertThat(rig.commit(1, 0).accounts().aggregated()).isEqualTo(2);
    }

    @Test
    void aQueueNodeThatTheViewDoesNotShowYetIsAdmittedWhenItDoes() {
        QueueNodeFake early = rig.queue(Hello.of(3, ProcessorRig.CLUSTER));
        early.begin(1, 0, 0).data(0, points("a", 1, 2)).end();
        rig.run();
        rig.announce(3);
        rig.begin(1, early);
        rig.run();
        assertThat(rig.commit(1, 0).accounts().aggregated()).isEqualTo(2);
    }
}
