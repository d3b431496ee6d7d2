package io.chimera.bench.datasets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

final class JobSpanTest {
    @Test
    void jobsOneAfterTheOtherTakeTheSumOfTheirTimes() {
        List<JobSpan> jobs = List.of(new JobSpan(3, 5), new JobSpan(1, 3), new JobSpan(2, 4));

        assertThat(JobSpan.seconds(jobs)).isEqualTo(4);
    }

    @Test
    void aSingleJobTakesItsReportedTime() {
        assertThat(JobSpan.seconds(List.of(JobSpan.endingNow(2.5)))).isCloseTo(2.5, within(1e-3));
    }
}
