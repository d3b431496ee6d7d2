package io.chimera.apps.voip;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class TelemarketersTest {
    private static final Pattern LINE = Pattern.compile(
            "call,switch=s\\d+ caller=\"(\\d+)\",callee=\"(\\d+)\",duration=(\\d+)i,code=(\\d+)i (\\d+)\n");
    private static final CallPlan PLAN = new CallPlan(5_000, 20, 200, 7);
    private static final int CALLS = 200_000;
    private static final double LIMIT = 0.65;

    @Test
    void findsThePlantedTelemarketersAndNobodyElse() {
        CallSource source = new CallSource(PLAN, 1_700_000_000_000_000_000L);
        Map<Integer, CallFilters> partitions = new HashMap<>();
        Set<String> alerted = new HashSet<>();
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < CALLS; i++) {
            line.setLength(0);
            source.next(line);
            Matcher call = LINE.matcher(line);
            assertThat(call.matches()).as(line.toString()).isTrue();
            long caller = CallFiltersTest.hash(call.group(1));
            long callee = CallFiltersTest.hash(call.group(2));
            long timeNs = Long.parseLong(call.group(5));
            double score = partition(partitions, caller)
                    .called(caller, callee, timeNs, Long.parseLong(call.group(3)), Long.parseLong(call.group(4)));
            partition(partitions, callee).wasCalled(callee, timeNs);
            if (score > LIMIT) {
                alerted.add(call.group(1));
            }
        }

        assertThat(alerted)
                .isEqualTo(IntStream.range(0, PLAN.telemarketers())
                        .mapToObj(CallPlan::number)
                        .collect(Collectors.toSet()));
    }

    private static CallFilters partition(Map<Integer, CallFilters> partitions, long user) {
        return partitions.computeIfAbsent(
                (int) Long.remainderUnsigned(user, 8), absent -> new CallFilters(VoipSettings.DEFAULT));
    }
}
