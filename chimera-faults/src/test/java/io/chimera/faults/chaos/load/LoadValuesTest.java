package io.chimera.faults.chaos.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class LoadValuesTest {
    @Test
    void batchesHoldWhatTheSumsSay() {
        Map<String, Long> sums = new HashMap<>();
        for (int batch = 0; batch < 10; batch++) {
            for (String line : lines(LoadValues.batch(1, 2, 3, batch, 1_000))) {
                String[] parts = line.split("[ =]", -1);
                assertThat(parts[0]).isEqualTo("chaos,key");
                sums.merge(parts[1], (long) Double.parseDouble(parts[3]), Long::sum);
            }
        }

        assertThat(sums).hasSize(LoadValues.KEYS);
        for (int key = 0; key < LoadValues.KEYS; key++) {
            assertThat(sums)
                    .containsEntry(
                            LoadValues.keyName(2, 3, key),
                            LoadValues.sum(1, 2, 3, key, 0, 10L * LoadValues.POINTS_PER_KEY));
        }
    }

    @Test
    void valuesDependOnEverythingThatNamesThem() {
        Set<Long> values = new HashSet<>(List.of(
                LoadValues.value(1, 1, 1, 1, 1),
                LoadValues.value(2, 1, 1, 1, 1),
                LoadValues.value(1, 2, 1, 1, 1),
                LoadValues.value(1, 1, 2, 1, 1),
                LoadValues.value(1, 1, 1, 2, 1),
                LoadValues.value(1, 1, 1, 1, 2)));

        assertThat(values).hasSize(6).allMatch(value -> value >= 1 && value <= 1 << 20);
        assertThat(LoadValues.value(1, 1, 1, 1, 1)).isEqualTo(LoadValues.value(1, 1, 1, 1, 1));
    }

    private static List<String> lines(byte[] batch) {
        return new String(batch, StandardCharsets.US_ASCII).lines().toList();
    }
}
