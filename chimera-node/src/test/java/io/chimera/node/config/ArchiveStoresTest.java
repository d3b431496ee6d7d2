package io.chimera.node.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.agent.SystemClock;
import io.chimera.common.config.StoreConfig;
import io.chimera.common.config.VolumeConfig;
import io.chimera.common.config.binding.Sections;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.metrics.ArchiveCounter;
import io.chimera.common.metrics.Counters;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several archives in one node. */
final class ArchiveStoresTest {
    @TempDir
    private Path folder;

    private static StoreConfig archive(String device, String stream, Integer batchRows) {
        VolumeConfig volume = Sections.of(VolumeConfig.class, "devices", List.of(device), "stream", stream);
        return Sections.of(StoreConfig.class, "type", StoreConfig.ARCHIVE, "batch_rows", batchRows, "archive", volume);
    }

    private ArchiveStores stores() {
        return new ArchiveStores(folder, new SystemClock(), new Counters<>(ArchiveCounter.class));
    }

    @Test
    void eachHasAStreamAndDevicesOfItsOwn() {
        ArchiveStores archives = stores();
        archives.create("past", archive("a", "rows", null));
        assertThatThrownBy(() -> archives.create("other", archive("b", "rows", null)))
                .isInstanceOf(ChimeraException.class)
                .hasMessageContaining("stores.other.archive.stream")
                .hasMessageContaining("'rows'");
        assertThatThrownBy(() -> archives.create(
                        "other", archive(folder.resolve("x/../a").toString(), "others", null)))
                .isInstanceOf(ChimeraException.class)
                .hasMessageContaining("stores.other.archive.devices");
        assertThat(archives.create("other", archive("b", "others", null)).stream())
                .isEqualTo("others");
    }

    @Test
    void aBatchHasAsManyRowsAsTheConfigurationSays() {
        assertThat(stores().create("past", archive("a", "rows", 77)).batchRowsMax())
                .isEqualTo(77);
    }
}
