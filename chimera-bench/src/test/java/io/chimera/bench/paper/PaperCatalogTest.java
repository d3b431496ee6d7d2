package io.chimera.bench.paper;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.VerboseMode;

final class PaperCatalogTest {

    @Test
    void everyRowHasAName() {
        assertThat(PaperCatalog.rows()).extracting(PaperRow::name).doesNotHaveDuplicates();
        assertThat(PaperCatalog.rows()).extracting(PaperRow::part).contains(PaperPart.values());
    }

    @Test
    void everyStageHasABenchmark() {
        Set<String> benchmarks = BenchmarkList.defaultList()
                .getAll(OutputFormatFactory.createFormatInstance(System.err, VerboseMode.SILENT), List.of())
                .stream()
                .map(BenchmarkListEntry::getUsername)
                .map(name -> name.replace("io.chimera.bench.jmh.", ""))
                .collect(Collectors.toSet());

        assertThat(PaperCatalog.stages(2, PaperCatalog.BULKS))
                .allSatisfy(
                        stage -> assertThat(benchmarks).contains(stage.stage().benchmark()))
                .allSatisfy(stage ->
                        assertThat(stage.stage().name()).isEqualTo(stage.row().name()));
    }

    @Test
    void everyCellOfTableTwoHasARow() {
        assertThat(PaperTableTwo.LINES)
                .flatExtracting(PaperTableTwo::cells)
                .hasSize(24)
                .allSatisfy(cell -> assertThat(PaperCatalog.rows())
                        .extracting(PaperRow::name)
                        .contains(cell.row()));
    }

    @Test
    void aQuickRunMeasuresEveryPart() {
        assertThat(PaperCatalog.BULKS).containsAll(PaperEffort.QUICK.bulks());
        assertThat(PaperEffort.FULL.disk().cycles())
                .containsAll(PaperEffort.QUICK.disk().cycles());
    }

    @Test
    void multithreadedStagesOfThePaperUseItsMachine() {
        assertThat(PaperClaim.ofMachine(6_000_000).perCore()).isEqualTo(500_000);
        assertThat(PaperClaim.ofMegabytes(115).perCore()).isEqualTo(230_000);
    }
}
