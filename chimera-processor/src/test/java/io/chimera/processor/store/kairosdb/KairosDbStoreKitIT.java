package io.chimera.processor.store.kairosdb;

import io.chimera.api.kit.StoreContract;
import io.chimera.api.spi.NoSettings;
import io.chimera.api.spi.Store;
import io.chimera.common.agent.Waits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The contract of store plugins, for the KairosDB store with a real KairosDB. */
final class KairosDbStoreKitIT extends StoreContract {
    @TempDir
    private static Path folder;

    private static KairosDbServer server;

    @BeforeAll
    static void startServer() {
        server = KairosDbServer.start(folder);
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @Override
    protected Store store() {
        return new KairosDbStore(server.url(), 1000, Waits.MAX, true);
    }

    @Override
    protected Record settings() {
        return new NoSettings();
    }

    @Override
    protected List<String> stored(String metric) {
        return server.points(metric, List.of("row"), 0, Long.MAX_VALUE / 2);
    }

    /** KairosDB acknowledges rows before their write to disk. */
    @Override
    protected Duration showsWithin() {
        return Waits.MAX;
    }
}
