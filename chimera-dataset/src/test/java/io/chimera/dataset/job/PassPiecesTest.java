package io.chimera.dataset.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.dataset.compute.Piece;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Passes of a merge, with any memory. */
final class PassPiecesTest {
    private static final int PIPELINES = 3;

    /** Returns the pieces of splits in the order of the results; the offset numbers the pieces. */
    private static List<List<Piece>> splits(Random random) {
        int windows = 1 + random.nextInt(20);
        int offset = 0;
        List<List<Piece>> splits = new ArrayList<>();
        for (int split = 0; split < 10; split++) {
            List<Piece> pieces = new ArrayList<>();
            for (int i = random.nextInt(30); i > 0; i--) {
                pieces.add(new Piece(random.nextInt(PIPELINES), random.nextInt(windows) - 5L, offset++, 1, 0));
            }
            splits.add(pieces);
        }
        return splits;
    }

    private static List<Piece> inOrder(List<List<Piece>> splits) {
        return splits.stream()
                .flatMap(List::stream)
                .sorted(Comparator.comparing(Piece::startNs).thenComparing(Piece::pipeline))
                .toList();
    }

    /** Merges like a job: pass by pass, and a group that does not fit from the splits. */
    private static List<Piece> merged(List<List<Piece>> splits, int piecesMax) throws IOException {
        List<Piece> merged = new ArrayList<>();
        MergeGroup from = MergeGroup.FIRST;
        for (int passes = 0; from != null; passes++) {
            assertThat(passes).as("passes").isLessThan(2_000);
            PassPieces pass = new PassPieces(from, piecesMax);
            for (int split = 0; split < splits.size(); split++) {
                for (Piece piece : splits.get(split)) {
                    pass.add(piece, split);
                }
            }
            if (pass.isFirstGroupTooLong()) {
                MergeGroup one = from;
                splits.forEach(split -> split.stream().filter(one::has).forEach(merged::add));
                from = one.next();
            } else {
                List<Piece> before = List.copyOf(merged);
                pass.giveTo((group, places) -> {
                    assertThat(places).allMatch(place -> group.has(place.piece()));
                    places.forEach(place -> merged.add(place.piece()));
                });
                assertThat(merged.size() - before.size()).isLessThanOrEqualTo(piecesMax);
                from = pass.end();
            }
        }
        return merged;
    }

    @Test
    void anyMemoryGivesTheSameOrder() throws IOException {
        for (int seed = 0; seed < 300; seed++) {
            List<List<Piece>> splits = splits(new Random(seed));
            for (int piecesMax : new int[] {1, 2, 3, 5, 10, 50, 1_000}) {
                assertThat(merged(splits, piecesMax))
                        .as("seed %d, at most %d pieces", seed, piecesMax)
                        .isEqualTo(inOrder(splits));
            }
        }
    }

    @Test
    void countsTheWindowsOfAPass() {
        PassPieces pass = new PassPieces(MergeGroup.FIRST, 10);
        pass.add(new Piece(0, 60, 0, 1, 0), 0);
        pass.add(new Piece(1, 0, 0, 1, 0), 0);
        pass.add(new Piece(1, 60, 0, 1, 0), 1);

        assertThat(pass.windows()).isEqualTo(2);
        assertThat(pass.end()).isNull();
    }
}
