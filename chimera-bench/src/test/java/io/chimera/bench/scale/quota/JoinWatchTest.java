package io.chimera.bench.scale.quota;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class JoinWatchTest {
    private final JoinWatch watch = new JoinWatch("p2", 2);

    @Test
    void endsWithTheCommitOfTheFirstCycleWithTheFullShare() throws JsonProcessingException {
        assertThat(at(1, "{'members':[{'id':'p1'}],'last_cycle':7,'open':[]}")).isTrue();
        assertThat(at(2, "{'members':[{'id':'p1'},{'id':'p2'}],'last_cycle':7,'open':[%s]}".formatted(cycle(8, "p1"))))
                .isTrue();
        assertThat(at(
                        3,
                        "{'members':[{'id':'p1'},{'id':'p2'}],'last_cycle':8,'open':[%s,%s]}"
                                .formatted(cycle(9, "p1"), cycle(10, "p2"))))
                .isTrue();
        assertThat(at(4, "{'members':[{'id':'p1'},{'id':'p2'}],'last_cycle':9,'open':[]}"))
                .isTrue();
        assertThat(at(5, "{'members':[{'id':'p1'},{'id':'p2'}],'last_cycle':10,'open':[]}"))
                .isFalse();

        assertThat(watch.seconds()).isEqualTo(3);
        assertThat(watch.cycles()).isEqualTo(2);
    }

    private static String cycle(int number, String second) {
        return "{'cycle':%d,'shards':[{'processor':'p1'},{'processor':'%s'}]}".formatted(number, second);
    }

    private boolean at(int second, String status) throws JsonProcessingException {
        return watch.again(TimeUnit.SECONDS.toNanos(second), new ObjectMapper().readTree(status.replace('\'', '"')));
    }
}
