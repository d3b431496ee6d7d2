package io.chimera.coordinator.conductor;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.ProcessorMember;
import io.chimera.common.cluster.QueueMember;
import io.chimera.coordinator.plan.ConfigurationRollout;
import io.chimera.coordinator.watch.Standstill;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ConfigurationRolloutTest extends ConductorRig {
    private static final ConfigurationDigest OLD = new ConfigurationDigest("d");
    private static final ConfigurationDigest NEW = new ConfigurationDigest("e");
    private static final List<ConfigurationDigest> BOTH = List.of(NEW, OLD);

    private long points = 1;

    @Test
    void everyCycleNamesItsPipelines() {
        members();
        cycleOf(Positions.NONE);

        assertThat(assignment(1).digest()).isEqualTo(OLD);
        commitAll();
        assertThat(view().low().digest()).isEqualTo(OLD);
        assertThat(view().lastDigest()).isEqualTo(OLD);
    }

    @Test
    void changesOverWhenTheCoordinatorAndAllMembersWantIt() {
        begun();
        conductor.want(NEW);
        hold(BOTH, "q1", "q2", "p1", "p2");
        run(EVERY);
        assertThat(view().cycles()).hasSize(1);
        assertThat(waiting().cause()).isEqualTo(Standstill.Cause.OLD_PIPELINES);

        commitAll();
        assertThat(assignment(2).digest()).isEqualTo(NEW);
        assertThat(cycle(2).cut().at(A)).isEqualTo(points);
        assertThat(conductor.status().waiting()).isEmpty();
        assertThat(ConfigurationRollout.waiting(view(), NEW)).isEmpty();
    }

    @Test
    void goesOnWithTheOldOnesWhileAMemberLacksTheNewOnesAndNamesIt() {
        begun();
        conductor.want(NEW);
        hold(BOTH, "q1", "p1", "p2");
        hold(List.of(OLD), "q2");
        run(EVERY);
        assertThat(assignment(2).digest()).isEqualTo(OLD);
        assertThat(cycle(2).queues()).containsExactly(11L, 12L);
        assertThat(ConfigurationRollout.waiting(view(), NEW))
                .isEqualTo("configuration e waits for q2; cycles continue with d");

        commitAll();
        hold(BOTH, "q1", "q2");
        run(EVERY);
        assertThat(assignment(3).digest()).isEqualTo(NEW);
    }

    @Test
    void goesOnWithTheOldOnesWhileTheCoordinatorHasNotReloaded() {
        begun();
        hold(BOTH, "q1", "q2", "p1", "p2");
        run(EVERY);

        assertThat(assignment(2).digest()).isEqualTo(OLD);
        assertThat(ConfigurationRollout.waiting(view(), OLD))
                .startsWith("the newer configuration of q1, q2, p1, p2 waits for the coordinator");
    }

    @Test
    void doesNotWaitForAMemberThatLeaves() {
        begun();
        conductor.want(NEW);
        hold(BOTH, "q1", "q2", "p1");
        announce(processor("p2", 22, OLD.text(), true));
        run(EVERY);
        commitAll();

        assertThat(assignment(2).digest()).isEqualTo(NEW);
        assertThat(cycle(2).processors()).containsExactly(21L);
    }

    @Test
    void takesTheWishBackWhenAMemberGoesBackToTheOldOnes() {
        begun();
        conductor.want(NEW);
        hold(BOTH, "q1", "q2", "p1");
        hold(List.of(OLD, NEW), "p2");
        run(EVERY);

        assertThat(assignment(2).digest()).isEqualTo(OLD);
    }

    @Test
    void anotherCoordinatorGoesOnWithWhatIsInForceThoughItsOwnAreOlder() {
        begun();
        conductor.want(NEW);
        hold(BOTH, "q1", "q2", "p1", "p2");
        commitAll();
        run(EVERY);
        commitAll();
        lead.close();
        conductor = conductor(cluster.lead(), 2);
        hold(BOTH, "q1", "q2", "p1", "p2");
        run(EVERY);

        assertThat(assignment(3).digest())
                .as("no open cycle says so, the mark does")
                .isEqualTo(NEW);
    }

    @Test
    void aMemberThatIsAwayForLessThanAGraceIsWaitedFor() {
        begun();
        conductor.want(NEW);
        hold(List.of(OLD), "p2");
        hold(BOTH, "q1", "q2", "p1");
        run(EVERY.minus(Duration.ofMillis(100)));
        kill("p2");
        run(Duration.ofMillis(200));

        assertThat(assignment(2).digest()).isEqualTo(OLD);
    }

    @Test
    void workOfAnOldCycleGoesOnlyToThoseThatHoldItsPipelines() {
        begun();
        hold(BOTH, "q1", "q2", "p1");
        announce(processor("p3", 23, NEW.text(), false));
        kill("p2");
        run(GRACE.multipliedBy(2));

        assertThat(assignment(1).digest()).isEqualTo(OLD);
        assertThat(assignment(1).processors()).containsExactly(21L, 21L);
    }

    @Test
    void whereAWholeTierCameBackWithOtherPipelinesOpenCyclesGoOnWithThese() {
        begun();
        conductor.want(NEW);
        hold(BOTH, "q1", "q2");
        kill("p1");
        kill("p2");
        announce(processor("p1", 31, NEW.text(), false));
        announce(processor("p2", 32, NEW.text(), false));
        run(GRACE.multipliedBy(3));

        assertThat(assignment(1).digest()).isEqualTo(NEW);
        assertThat(assignment(1).version()).isPositive();
        assertThat(assignment(1).processors()).doesNotContain(21L, 22L);
    }

    private void begun() {
        members();
        cycleOf(Positions.NONE);
    }

    private void cycleOf(Positions more) {
        Positions positions = more.toBuilder().put(A, points).build();
        announce("q1", positions);
        announce("q2", positions);
        run(EVERY);
    }

    /** Announces digests; queue nodes also announce new points each time. */
    private void hold(List<ConfigurationDigest> digests, String... ids) {
        points++;
        for (String id : ids) {
            long number = Long.parseLong(id.substring(1));
            if (id.startsWith("p")) {
                announce(new ProcessorMember(id, 20 + number, "a", "h", digests, false, List.of(), 1));
            } else {
                Positions positions = Positions.of(A, points);
                announce(new QueueMember(
                        id,
                        JournalGroup.DEFAULT,
                        10 + number,
                        "a",
                        "h",
                        1010 + number,
                        digests,
                        Positions.NONE,
                        positions,
                        false,
                        List.of(),
                        0,
                        List.of()));
            }
        }
    }
}
