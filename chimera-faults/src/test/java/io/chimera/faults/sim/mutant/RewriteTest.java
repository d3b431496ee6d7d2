package io.chimera.faults.sim.mutant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.faults.sim.MutantLoader;
import io.chimera.faults.sim.SeedResult;
import io.chimera.faults.sim.SeedRun;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RewriteTest {
    @ParameterizedTest
    @EnumSource(Mutant.class)
    void findsTheTargetsOfEveryMutant(Mutant mutant) throws IOException {
        for (Rewrite rewrite : mutant.rewrites()) {
            byte[] original = bytesOf(rewrite.className());

            assertThat(rewrite.apply(original)).isNotEqualTo(original);
        }
    }

    @Test
    void saysWhichTargetIsLost() throws IOException {
        Rewrite lost = Rewrite.callGives(Mutant.class.getName(), "label", "noSuchCall", 1);
        byte[] original = bytesOf(lost.className());

        assertThatThrownBy(() -> lost.apply(original))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Mutant.label: noSuchCall gives 1")
                .hasMessageContaining("lost its target");
    }

    @Test
    void leavesTheSoundNodesAlone() {
        long seed = 1;
        SeedResult before = new SeedRun(seed, null, null).run();

        assertThat(MutantLoader.load(Mutant.EARLY_COMMIT, null).apply(seed).isSound())
                .isFalse();
        assertThat(new SeedRun(seed, null, null).run()).isEqualTo(before).returns(true, SeedResult::isSound);
        assertThat(List.of(Mutant.values())).hasSizeGreaterThan(12);
    }

    private static byte[] bytesOf(String className) throws IOException {
        try (InputStream in =
                RewriteTest.class.getClassLoader().getResourceAsStream(className.replace('.', '/') + ".class")) {
            return in.readAllBytes();
        }
    }
}
