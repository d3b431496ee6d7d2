package io.chimera.bench.datasets;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class AlternatingRoundsTest {
    @Test
    void everyOtherRoundHasTheReverseOrder() throws Exception {
        List<String> order = new ArrayList<>();
        AlternatingRounds rounds = new AlternatingRounds();
        for (String name : List.of("a", "b")) {
            rounds.add(name, () -> {
                order.add(name);
                return order.size();
            });
        }

        assertThat(rounds.run(3)).hasSize(2).containsEntry("a", List.of(1.0, 4.0, 5.0));
        assertThat(order).containsExactly("a", "b", "b", "a", "a", "b");
    }
}
