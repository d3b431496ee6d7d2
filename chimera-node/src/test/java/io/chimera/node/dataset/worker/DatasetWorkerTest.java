package io.chimera.node.dataset.worker;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class DatasetWorkerTest {
    @Test
    void aWarningAboutAFailedJobHasSentences() {
        assertThat(DatasetWorker.failure("j1", "no node may read there")).contains("j1", "may read there. Run it");
        assertThat(DatasetWorker.failure("j1", "The split is bad.")).contains("is bad. Run it");
    }
}
