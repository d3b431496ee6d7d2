package io.chimera.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ProcessUsageTest {
    @Test
    void addsTimesInAndOutsideTheKernelAndThoseOfEndedChildren() {
        String stat = "4242 (a (b) c) S 1 4242 4242 0 -1 4194304 100 200 3 4 150 25 30 5 20 0 33 0 1234 99 88\n";

        assertThat(ProcessUsage.ticks(stat)).isEqualTo(150 + 25 + 30 + 5);
    }

    @Test
    void aProcessThatHasEndedCountsNothing() {
        assertThat(ProcessUsage.ticks("")).isZero();
        assertThat(ProcessUsage.resident("")).isZero();
        assertThat(ProcessUsage.cpuSeconds(List.of(Long.MAX_VALUE))).isZero();
    }

    @Test
    void memoryIsWhatIsNotSharedInMemoryItself() {
        String status = """
            Name:	java
            VmHWM:	  900 kB
            VmRSS:	  800 kB
            RssAnon:	  100 kB
            RssFile:	   20 kB
            RssShmem:	  680 kB
            """;

        assertThat(ProcessUsage.resident(status)).isEqualTo(120 * 1024);
    }

    @Test
    void thisProcessTakesMemory() {
        assertThat(ProcessUsage.residentBytes(List.of(ProcessHandle.current().pid())))
                .isGreaterThan(1 << 20);
    }

    @Test
    void countsOnlyTheThreadsWithTheName() throws IOException {
        List<Long> own = List.of(ProcessHandle.current().pid());

        assertThat(ProcessUsage.cpuSecondsOfThreads(own, "(")).isPositive();
        assertThat(ProcessUsage.cpuSecondsOfThreads(own, "no such thread")).isZero();
    }
}
