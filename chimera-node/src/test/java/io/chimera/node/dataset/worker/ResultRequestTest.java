package io.chimera.node.dataset.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.dataset.cluster.JobId;
import io.chimera.dataset.cluster.TaskId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResultRequestTest {
    @Test
    void namesAPartOfAResult() {
        ResultRequest request = new ResultRequest(new JobId("a-b", -2), TaskId.range(7), 10, 20);

        assertThat(request.query())
                .isEqualTo("/datasets/result?job=a-b&run=fffffffffffffffe&kind=RANGE&number=7&offset=10&length=20");
        assertThat(ResultRequest.of("a-b", "fffffffffffffffe", "RANGE", "7", "10+20"))
                .contains(request);
    }

    @ParameterizedTest
    @CsvSource({
        "../a, 0000000000000001, SPLIT, 1, 0+1",
        "a/b, 0000000000000001, SPLIT, 1, 0+1",
        "'', 0000000000000001, SPLIT, 1, 0+1",
        "a, 0000000000000000, SPLIT, 1, 0+1",
        "a, 1, SPLIT, 1, 0+1",
        "a, ../0000000000001, SPLIT, 1, 0+1",
        "a, 0000000000000001, OTHER, 1, 0+1",
        "a, 0000000000000001, SPLIT, -1, 0+1",
        "a, 0000000000000001, SPLIT, 9999999999, 0+1",
        "a, 0000000000000001, SPLIT, 1, -1+1",
        "a, 0000000000000001, SPLIT, 1, 0+1048577",
        "a, 0000000000000001, SPLIT, 1, 0+",
        "a, 0000000000000001, SPLIT, 1, 9999999999999999999+1"
    })
    void refusesEverythingElse(String job, String run, String kind, String number, String part) {
        assertThat(ResultRequest.of(job, run, kind, number, part)).isEmpty();
    }
}
