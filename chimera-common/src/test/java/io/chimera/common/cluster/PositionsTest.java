package io.chimera.common.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Positions of streams: the rule for absence, order, merge, ranges and JSON form. */
final class PositionsTest {
    private static final long A = -7;
    private static final long B = 3;
    private static final long C = Long.MAX_VALUE;

    @Test
    void placesAnUnnamedStreamBeforeItsFirstRecord() {
        Positions cut = Positions.of(A, 5, B, 0);

        assertThat(cut.at(A)).isEqualTo(5);
        assertThat(cut.at(B)).isZero();
        assertThat(cut.at(C)).isZero();
        assertThat(cut.names(B)).isTrue();
        assertThat(cut.names(C)).isFalse();
        assertThat(Positions.NONE.at(A)).isZero();
    }

    @Test
    void ordersStreamsBySignedId() {
        Positions cut = Positions.copyOf(Map.of(C, 1L, A, 2L, B, 3L));
        List<Long> streams = new ArrayList<>();
        cut.forEach((stream, seq) -> streams.add(stream));

        assertThat(streams).containsExactly(A, B, C);
        assertThat(cut.streams()).containsExactly(A, B, C);
        assertThat(cut).hasToString("{-7=2, 3=3, 9223372036854775807=1}");
    }

    @Test
    void mergesToTheHigherPosition() {
        assertThat(Positions.of(A, 5, B, 2).max(Positions.of(B, 9, C, 0)))
                .isEqualTo(Positions.copyOf(Map.of(A, 5L, B, 9L, C, 0L)));
        assertThat(Positions.NONE.max(Positions.NONE)).isEqualTo(Positions.NONE);
    }

    @Test
    void listsOnlyRangesWithRecords() {
        Positions before = Positions.of(A, 5, B, 2);
        Positions cut = Positions.copyOf(Map.of(A, 5L, B, 4L, C, 1L));

        assertThat(cut.since(before)).containsExactly(new StreamRange(B, 2, 4), new StreamRange(C, 0, 1));
        assertThat(cut.recordsSince(before)).isEqualTo(3);
        assertThat(cut.covers(before)).isTrue();
        assertThat(before.covers(cut)).isFalse();
        assertThat(Positions.NONE.covers(Positions.of(A, 0))).isTrue();
    }

    @Test
    void convertsToJsonAndBackWithEveryEntry() throws JsonProcessingException {
        ObjectMapper json = new ObjectMapper();
        Positions cut = Positions.of(B, 0, A, 70);

        assertThat(json.writeValueAsString(cut)).isEqualTo("{\"-7\":70,\"3\":0}");
        assertThat(json.readValue("{\"-7\":70,\"3\":0}", Positions.class)).isEqualTo(cut);
    }
}
