package io.chimera.bench.archive.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.bench.archive.index.IndexCost;
import io.chimera.bench.archive.index.MissCost;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class IndexPartTest {
    @Test
    void findsANumberByItsWholeName() throws IOException {
        String said = new MissCost(20, 26_000_000_000L, 7, 124.5, 220, 2.8e6, 9, 700) + "\n";

        assertThat(IndexPart.number(said, "packets")).isEqualTo(20);
        assertThat(IndexPart.number(said, "dataBytes")).isEqualTo(2.6e10);
        assertThat(IndexPart.number(said, "bytes")).isEqualTo(2.8e6);
    }

    @Test
    void readsWhatIsNextToNothing() throws IOException {
        assertThat(IndexPart.number(new IndexCost(1, 23, 73, 1.5e-4).toString(), "bytes"))
                .isEqualTo(1.5e-4);
    }

    @Test
    void tellsWhatWasSaidInstead() {
        assertThatThrownBy(() -> IndexPart.number("Out of memory.\n", "bytes"))
                .isInstanceOf(IOException.class)
                .hasMessage("the index process prints no bytes, but Out of memory.");
    }
}
