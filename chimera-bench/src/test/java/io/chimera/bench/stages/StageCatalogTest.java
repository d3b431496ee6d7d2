package io.chimera.bench.stages;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.VerboseMode;

final class StageCatalogTest {

    @Test
    void everyStageHasABenchmarkAndEveryBenchmarkAStage() {
        Set<String> benchmarks = BenchmarkList.defaultList()
                .getAll(OutputFormatFactory.createFormatInstance(System.err, VerboseMode.SILENT), List.of())
                .stream()
                .map(BenchmarkListEntry::getUsername)
                .map(name -> name.replace("io.chimera.bench.jmh.", ""))
                .collect(Collectors.toSet());

        assertThat(StageCatalog.STAGES.stream().map(BenchStage::benchmark).collect(Collectors.toSet()))
                .isEqualTo(benchmarks);
    }

    @Test
    void limitsStandBeforeTheStagesThatAreComparedWithThem() {
        List<String> names = StageCatalog.names();

        assertThat(names).doesNotHaveDuplicates();
        assertThat(StageCatalog.STAGES)
                .filteredOn(stage -> stage.limit() != null)
                .isNotEmpty()
                .allSatisfy(stage ->
                        assertThat(names.indexOf(stage.limit())).isBetween(0, names.indexOf(stage.name()) - 1));
    }
}
