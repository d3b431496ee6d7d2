package io.chimera.node.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class LiveTableTest {
    private final StringWriter text = new StringWriter();
    private final LiveTable table = new LiveTable(new PrintWriter(text));

    private static ClusterSnapshot rejecting(long first, long second) {
        return snapshot(Map.of("q1", first, "q2", second), List.of());
    }

    private static ClusterSnapshot snapshot(Map<String, Long> rejected, List<String> alarms) {
        return new ClusterSnapshot(1, -1, 0, 2, 1, 100, rejected, 100, 100, 100, 1, 5, 1, Map.of(), "", alarms, "");
    }

    private List<String> print(ClusterSnapshot now) {
        text.getBuffer().setLength(0);
        table.print(now, 1);
        return text.toString().lines().toList();
    }

    @Test
    void showsRejectedPointsOfAllQueueNodesAndNamesThoseThatRejectMore() {
        List<String> first = print(rejecting(0, 40));
        assertThat(first).hasSize(3);
        assertThat(first.get(0)).contains("rejected");
        assertThat(first.get(1)).contains(" 40 ");
        assertThat(first.get(2)).contains("q2 rejected 40 points, 40 since the last line");

        assertThat(print(rejecting(0, 40))).hasSize(1);

        List<String> third = print(rejecting(2, 40));
        assertThat(third).hasSize(2);
        assertThat(third.get(0)).contains(" 42 ");
        assertThat(third.get(1)).contains("q1 rejected 2 points, 2 since");
    }

    /** The coordinator's status has the same name for the same list. */
    @Test
    void showsAllAlarms() {
        ClusterSnapshot now = snapshot(Map.of(), List.of("Journal group a.", "Journal group b."));

        assertThat(print(now).get(1)).endsWith("  ALARM: Journal group a. Journal group b.");
        assertThat(now.figures())
                .containsEntry("alarms", List.of("Journal group a.", "Journal group b."))
                .doesNotContainKey("alarm");
    }

    @Test
    void figuresNameTheQueueNodes() {
        assertThat(rejecting(3, 4).figures())
                .containsEntry("points_refused", 7L)
                .containsEntry("points_refused_by", Map.of("q1", 3L, "q2", 4L));
    }
}
