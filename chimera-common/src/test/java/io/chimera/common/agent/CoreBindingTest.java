package io.chimera.common.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.BitSet;
import java.util.Set;
import java.util.concurrent.FutureTask;
import net.openhft.affinity.Affinity;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class CoreBindingTest {
    @BeforeEach
    void needsTheSystemLibrary() {
        assumeTrue(Affinity.isJNAAvailable(), "the system library JNA is required");
    }

    @Test
    void threadsOfTheWorkStayBoundAndTheCallerDoesNot() {
        BitSet before = Affinity.getAffinity();
        int core = before.nextSetBit(0);

        BitSet inherited = CoreBinding.within(Set.of(core), CoreBindingTest::coresOfANewThread);

        assertThat(inherited.stream()).containsExactly(core);
        assertThat(Affinity.getAffinity()).isEqualTo(before);
    }

    @Test
    void runsUnboundWithoutSuchACore() {
        BitSet before = Affinity.getAffinity();

        BitSet inherited = CoreBinding.within(Set.of(4_095), CoreBindingTest::coresOfANewThread);

        assertThat(inherited).isEqualTo(before);
        assertThat(CoreBinding.problem(Set.of(4_095)).orElseThrow()).contains("cores");
    }

    private static BitSet coresOfANewThread() {
        FutureTask<BitSet> look = new FutureTask<>(Affinity::getAffinity);
        new Thread(look).start();
        try {
            return look.get();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
