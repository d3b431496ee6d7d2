package io.chimera.coordinator.conductor;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.ProcessorMember;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Shares of processors whose speeds the test decides. */
final class ProcessorSharesTest {
    private static final Duration PERIOD = Duration.ofSeconds(1);
    private static final double POINTS = 100_000;

    private final ProcessorShares shares = new ProcessorShares();
    private final Map<Long, Double> nsPerPoint = new HashMap<>();
    private List<Long> present = List.of();
    private double leastNs;
    private int changes;

    @Test
    void configuredWeightsCountAtOnce() {
        assertThat(shares.next(List.of(processor(21, 2), processor(22, 1), processor(23, 3))))
                .containsExactly(21L, 22L, 23L, 21L, 23L, 23L);
    }

    @Test
    void unmeasuredProcessorsAreEqual() {
        assertThat(shares.next(autos(21, 22))).containsExactly(21L, 22L);
    }

    @Test
    void halfTheSpeedGetsHalfTheShards() {
        List<ProcessorMember> four = autos(21, 22, 23, 24);
        speeds(10_000, 21, 22, 23, 24);
        nsPerPoint.put(22L, 20_000.0);

        cycles(four, 30);

        assertThat(counts(21, 22, 23, 24)).containsExactly(2, 1, 2, 2);
        assertThat(changes).isEqualTo(2); // the first cycle, and one change
    }

    @Test
    void sharesStayForTenCyclesAtLeast() {
        List<ProcessorMember> two = autos(21, 22);
        speeds(10_000, 21);
        speeds(40_000, 22);

        cycles(two, ProcessorShares.SETTLED - 1);
        assertThat(counts(21, 22)).containsExactly(1, 1);

        cycles(two, 2);
        assertThat(counts(21, 22)).containsExactly(4, 1);
    }

    @Test
    void smallDifferencesChangeNothing() {
        speeds(10_000, 21);
        speeds(11_500, 22);

        cycles(autos(21, 22), 100);

        assertThat(counts(21, 22)).containsExactly(1, 1);
        assertThat(changes).isEqualTo(1);
    }

    @Test
    void aProcessorThatRecoversGetsItsShareBack() {
        List<ProcessorMember> two = autos(21, 22);
        speeds(10_000, 21);
        speeds(20_000, 22);
        cycles(two, 30);
        assertThat(counts(21, 22)).containsExactly(2, 1);

        speeds(10_000, 22);
        cycles(two, 60);

        assertThat(counts(21, 22)).containsExactly(1, 1);
    }

    @Test
    void processorsThatWaitForTheSameKeepTheirShares() {
        List<ProcessorMember> two = autos(21, 22);
        speeds(10_000, 21);
        speeds(20_000, 22);
        cycles(two, 30);
        changes = 0;

        leastNs = 5e9; // the queue node sends as slowly as this
        cycles(two, 200);

        assertThat(counts(21, 22)).containsExactly(2, 1);
        assertThat(changes).isZero();
    }

    @Test
    void shortCyclesAreNotMeasured() {
        speeds(100, 21);
        speeds(1_000, 22);

        cycles(autos(21, 22), 100);

        assertThat(counts(21, 22)).containsExactly(1, 1);
    }

    @Test
    void aNewProcessorBeginsWithTheMedianWeight() {
        speeds(10_000, 21, 23, 24);
        speeds(20_000, 22);
        cycles(autos(21, 22, 23), 30);
        assertThat(counts(21, 22, 23)).containsExactly(2, 1, 2);

        cycles(autos(21, 22, 23, 24), 1);

        assertThat(counts(21, 22, 23, 24)).containsExactly(2, 1, 2, 2);
    }

    @Test
    void aProcessorInPlaceOfAnotherGetsShardsAtOnce() {
        speeds(10_000, 21, 22, 23);
        cycles(autos(21, 22), 30);

        cycles(autos(21, 23), 1);

        assertThat(counts(21, 22, 23)).containsExactly(1, 0, 1);
    }

    @Test
    void measuredWeightsAreMultiplesOfTheMedianConfiguredWeight() {
        List<ProcessorMember> mixed = List.of(processor(21, 10), processor(22, 0), processor(23, 0));

        assertThat(shares.next(mixed)).containsExactly(21L, 22L, 23L);
    }

    @Test
    void sharesNeverOscillateBetweenTwoSpeeds() {
        List<ProcessorMember> three = autos(21, 22, 23);
        speeds(10_000, 21, 22);
        speeds(17_000, 23);
        cycles(three, 40);
        changes = 0;

        for (int i = 0; i < 100; i++) {
            speeds(i % 2 == 0 ? 16_000 : 18_500, 23);
            cycles(three, 5);
        }

        assertThat(changes).isZero();
    }

    private void cycles(List<ProcessorMember> processors, int cycles) {
        for (int i = 0; i < cycles; i++) {
            List<Long> next = shares.next(processors);
            changes += next.equals(present) ? 0 : 1;
            present = next;
            Map<Long, CycleCost.Work> work = new HashMap<>();
            long tookNs = 0;
            for (ProcessorMember processor : processors) {
                double points = POINTS * Collections.frequency(next, processor.session()) / next.size();
                double ns = Math.max(leastNs, points * nsPerPoint.get(processor.session()));
                work.put(processor.session(), new CycleCost.Work((long) points, (long) ns));
                tookNs = Math.max(tookNs, (long) ns);
            }
            shares.began(next);
            shares.measured(new CycleCost(i, (long) POINTS, tookNs, work), PERIOD);
        }
    }

    private void speeds(double ns, long... sessions) {
        Arrays.stream(sessions).forEach(session -> nsPerPoint.put(session, ns));
    }

    private List<Integer> counts(long... sessions) {
        return Arrays.stream(sessions)
                .mapToObj(session -> Collections.frequency(present, session))
                .toList();
    }

    private static List<ProcessorMember> autos(long... sessions) {
        List<ProcessorMember> autos = new ArrayList<>();
        Arrays.stream(sessions).forEach(session -> autos.add(processor(session, ProcessorMember.WEIGHT_AUTO)));
        return autos;
    }

    private static ProcessorMember processor(long session, int weight) {
        return new ProcessorMember(
                "p" + session, session, "a", "h", List.of(new ConfigurationDigest("d")), false, List.of(), weight);
    }
}
