package io.chimera.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.agent.ManualClock;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.cluster.Assignment;
import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.CyclePeriods;
import io.chimera.common.cluster.JournalState;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.common.plugin.PluginHost;
import io.chimera.queue.journal.Batches;
import io.chimera.queue.journal.MemoryJournal;
import io.chimera.queue.journal.SyncPolicy;
import io.chimera.queue.peer.LocalNode;
import io.chimera.testkit.channel.MemoryNetwork;
import io.chimera.testkit.cluster.MemoryCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Announcement rate of a queue node with a cycle of five seconds. */
final class AnnouncerTest {
    private static final long SESSION = 7;
    private static final long STREAM = 9;
    private static final Duration CYCLE = Duration.ofSeconds(5);

    private final ManualClock clock = new ManualClock();
    private final MemoryCluster zooKeeper = MemoryCluster.immediate();
    private final MemoryCluster.Node cluster = zooKeeper.join();
    private final MemoryJournal journal = new MemoryJournal(SyncPolicy.NONE, 5, clock);
    private final Batches batches = new Batches();
    private final PositionAnnouncer announcer = announcer(CyclePeriods.fixed(CYCLE));

    @Test
    void tellsTenTimesPerCycleHowFarItIs() {
        announcer.listening(new Endpoint("q1", 1));

        assertThat(announcedDuring(CYCLE)).isBetween(9, 11);
    }

    @Test
    void tellsAtOnceWhatIsNewAfterARest() {
        announcer.listening(new Endpoint("q1", 1));
        announcedDuring(CYCLE);
        rest(Duration.ofSeconds(1)); // announces the last position
        rest(Duration.ofSeconds(1));
        long before = announced().position(STREAM);

        append();
        rest(Duration.ofMillis(110));

        assertThat(announced().position(STREAM)).isGreaterThan(before);
    }

    @Test
    void tellsAtOnceThatItLeaves() {
        announcer.listening(new Endpoint("q1", 1));
        announcedDuring(Duration.ofMillis(100));

        announcer.leave();
        rest(Duration.ofMillis(110));

        assertThat(announced().leaving()).isTrue();
    }

    @Test
    void followsAPeriodThatTheConductorChooses() {
        MemoryCluster.Lead conductor = zooKeeper.lead();
        PositionAnnouncer adaptive = announcer(new CyclePeriods(Duration.ofSeconds(1), Duration.ofSeconds(5)));
        adaptive.listening(new Endpoint("q1", 1));
        assertThat(announcedDuring(adaptive, Duration.ofSeconds(1)))
                .as("shortest period")
                .isBetween(8, 11);

        begin(conductor, 1, 10_000);
        announcedDuring(adaptive, Duration.ofMillis(200));
        begin(conductor, 2, 15_000);

        assertThat(announcedDuring(adaptive, CYCLE)).as("period of 5 s").isBetween(9, 12);
    }

    private void begin(MemoryCluster.Lead conductor, long number, long timeMs) {
        Cycle cycle = new Cycle(
                number, conductor.epoch(), timeMs, Positions.of(STREAM, number), List.of(SESSION), List.of(21L));
        assertThat(conductor.begin(cycle, new Assignment(0, List.of(SESSION), List.of(21L))))
                .isTrue();
    }

    private PositionAnnouncer announcer(CyclePeriods periods) {
        return new PositionAnnouncer(
                new QueueIdentity(
                        new LocalNode("test", "q1", SESSION, STREAM),
                        "q1",
                        "q1:2",
                        new ConfigurationDigest("d"),
                        Path.of("unused")),
                periods,
                new QueueEnvironment(
                        clock,
                        cluster,
                        QueuePorts.open(new MemoryNetwork().transport("q1"), new QueueDrainTest.FakeListeners(), clock),
                        new Counters<>(QueueCounter.class),
                        error -> {},
                        PluginHost.ofClassPath()),
                journal,
                List::of,
                () -> List.of(new ConfigurationDigest("d")),
                () -> JournalState.NONE);
    }

    /** Number of distinct positions announced while the journal grows every 10 ms. */
    private int announcedDuring(Duration duration) {
        return announcedDuring(announcer, duration);
    }

    private int announcedDuring(PositionAnnouncer from, Duration duration) {
        Set<Long> seen = new HashSet<>();
        for (long ms = 0; ms < duration.toMillis(); ms += 10) {
            append();
            clock.advance(Duration.ofMillis(10));
            from.doWork();
            cluster.view().queue(SESSION).ifPresent(member -> seen.add(member.position(STREAM)));
        }
        return seen.size();
    }

    private void append() {
        batches.append(journal, STREAM, journal.position(STREAM) + 1, 1);
    }

    private void rest(Duration duration) {
        clock.advance(duration);
        announcer.doWork();
    }

    private QueueMember announced() {
        return cluster.view().queue(SESSION).orElseThrow();
    }
}
