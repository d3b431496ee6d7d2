package io.chimera.bench.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.bench.peers.job.ChunkReader;
import io.chimera.bench.peers.job.Job;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

final class EngineCatalogTest {
    private static final Path MODULE =
            Path.of(System.getProperty("basedir", "")).toAbsolutePath();
    private static final Pattern VERSION = Pattern.compile("<version>(.*?)</version>");

    static final List<PeersEffort> EFFORTS = List.of(PeersEffort.QUICK, PeersEffort.FULL);

    @Test
    void chimeraIsAlwaysRunForItIsWhatPeersAreComparedWith() {
        assertThat(EngineCatalog.chosen(List.of("storm", "flink"))).containsExactly("chimera", "flink", "storm");
        assertThat(EngineCatalog.chosen(List.of())).containsExactlyElementsOf(EngineCatalog.names());
    }

    @ParameterizedTest
    @FieldSource("EFFORTS")
    void theInputIsWholeChunksForEveryTask(PeersEffort effort) {
        assertThat(effort.points() % (ChunkReader.CHUNK * Job.PARALLELISM)).isZero();
    }

    /** The peers compile against the JAR of this module; the file name contains the version. */
    @Test
    void thePeersHaveTheVersionOfTheProject() throws IOException {
        String version = firstVersion(MODULE.getParent().resolve("pom.xml"));

        try (Stream<Path> poms = Files.find(MODULE.resolve("peers"), 2, (path, file) -> path.endsWith("pom.xml"))) {
            assertThat(poms.toList()).hasSizeGreaterThan(5).allSatisfy(pom -> assertThat(firstVersion(pom))
                    .isEqualTo(version));
        }
    }

    private static String firstVersion(Path pom) throws IOException {
        Matcher version = VERSION.matcher(Files.readString(pom));
        assertThat(version.find()).isTrue();
        return version.group(1);
    }
}
