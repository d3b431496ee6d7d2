package io.chimera.common.config;

import static io.chimera.common.config.FullConfig.at;
import static io.chimera.common.config.FullConfig.authorities;
import static io.chimera.common.config.FullConfig.parse;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.config.binding.ByteSize;
import io.chimera.common.config.binding.CyclePeriod;
import io.chimera.common.config.binding.LaneCount;
import io.chimera.common.config.binding.ProcessorWeight;
import io.chimera.common.config.binding.Sections;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Mapping of every key of the sections of a node to its component. DataSectionsTest has the sections of data. */
final class NodeSectionsTest {
    @Test
    void theseAndTheDataSectionsAreAll() {
        assertThat(ChimeraConfig.class.getRecordComponents())
                .extracting(RecordComponent::getName)
                .containsExactlyInAnyOrder(
                        "node",
                        "coordinator",
                        "cycle",
                        "queue",
                        "processor",
                        "inputs",
                        "pipelines",
                        "stores",
                        "plugins",
                        "datasets");
    }

    @Test
    void mapsTheKeysOfNode() {
        assertThat(FullConfig.parsed().node())
                .isEqualTo(Sections.of(
                        NodeConfig.class,
                        "role",
                        NodeConfig.Role.PROCESSOR,
                        "id",
                        "n1",
                        "host",
                        "h1",
                        "data_dir",
                        Path.of("/d"),
                        "http",
                        at(1),
                        "tls",
                        new TlsConfig(
                                Path.of("/c"),
                                Path.of("/k"),
                                "pw",
                                Path.of("/a"),
                                Path.of("/r"),
                                TlsConfig.ClientAuth.NEED,
                                List.of("n*"),
                                "1.3",
                                List.of("X"),
                                Duration.ofSeconds(5)),
                        "drain_within",
                        Duration.ofSeconds(3),
                        "insecure",
                        true,
                        "tokens",
                        Path.of("/t")));
    }

    @Test
    void mapsTheKeysOfCoordinator() {
        assertThat(FullConfig.parsed().coordinator())
                .isEqualTo(new CoordinatorConfig(
                        "zk:1",
                        "c",
                        "/p/q",
                        Duration.ofSeconds(7),
                        Duration.ofSeconds(8),
                        authorities("/o"),
                        "0123456789abcdef",
                        new CoordinatorConfig.Embedded(CoordinatorConfig.Embedded.Run.ALWAYS, at(2), Path.of("/z"))));
    }

    @Test
    void mapsTheKeysOfCycle() {
        assertThat(FullConfig.parsed().cycle())
                .isEqualTo(new CycleConfig(
                        CyclePeriod.AUTO,
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(40),
                        2_000L,
                        4,
                        Duration.ofSeconds(30)));
    }

    @Test
    void mapsTheKeysOfQueue() {
        assertThat(FullConfig.parsed().queue())
                .isEqualTo(new QueueConfig(
                        at(3),
                        "east",
                        new LaneCount(2),
                        List.of("0-3", "4,6"),
                        128,
                        3,
                        2,
                        new JournalConfig(
                                JournalConfig.Sync.BATCH,
                                Duration.ofMillis(20),
                                ByteSize.ofMebibytes(128),
                                Duration.ofHours(1),
                                ByteSize.ofMebibytes(1),
                                Duration.ofHours(2),
                                ByteSize.ofMebibytes(3),
                                Sections.of(
                                        VolumeConfig.class,
                                        "devices",
                                        List.of("journal.volume"),
                                        "size",
                                        ByteSize.ofMebibytes(64),
                                        "stream",
                                        "journal"))));
    }

    @Test
    void mapsTheKeysOfProcessor() {
        assertThat(FullConfig.parsed().processor())
                .isEqualTo(new ProcessorConfig(
                        at(4),
                        new LaneCount(1),
                        List.of("0"),
                        ProcessorWeight.AUTO,
                        ProcessorConfig.Warehouse.OFF_HEAP,
                        5_000,
                        ByteSize.ofMebibytes(32),
                        16));
    }

    @Test
    void mapsTheKeysOfPlugins() {
        assertThat(FullConfig.parsed().plugins())
                .isEqualTo(new PluginsConfig(Path.of("/pl"), 7, Duration.ofSeconds(12)));
    }

    @Test
    void mapsTheKeysOfDatasets() {
        assertThat(FullConfig.parsed().datasets())
                .isEqualTo(new DatasetsConfig(
                        Path.of("/d"),
                        3,
                        ByteSize.ofMebibytes(65),
                        List.of("h", "file:/f"),
                        new CopiesConfig(
                                Path.of("/c"),
                                ByteSize.ofMebibytes(65),
                                Duration.ofSeconds(14),
                                new ByteSize(65 << 10)),
                        Map.of("c", new CredentialConfig("u", "key1", "key2", List.of("h")))));
    }

    @Test
    void runsAZooKeeperOfItsOwnOnlyWhenNoOtherIsNamed() {
        assertThat(parse("").coordinator().runsEmbedded()).isTrue();
        assertThat(parse("coordinator: { connect: 'a:1' }").coordinator().runsEmbedded())
                .isFalse();
        assertThat(parse("coordinator: { connect: 'a:1', embedded: { run: always } }")
                        .coordinator()
                        .runsEmbedded())
                .isTrue();
        assertThat(parse("coordinator: { embedded: { run: never } }")
                        .coordinator()
                        .runsEmbedded())
                .isFalse();
        assertThat(parse("node: { insecure: true }\ncoordinator: { embedded: { address: 0.0.0.0:99 } }")
                        .coordinator()
                        .connectString())
                .isEqualTo("127.0.0.1:99");
    }
}
