package io.chimera.processor.store.postgresql;

import io.chimera.api.kit.ShardStoreContract;
import io.chimera.api.kit.StoreContract;
import io.chimera.api.model.Row;
import io.chimera.api.model.Tags;
import io.chimera.api.spi.NoSettings;
import io.chimera.api.spi.ShardStore;
import io.chimera.api.spi.Store;
import io.chimera.common.agent.Waits;
import io.chimera.common.config.PostgresConfig;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.condition.EnabledIf;

/** The contracts of stores, for the PostgreSQL store with a real PostgreSQL. */
@EnabledIf("io.chimera.processor.store.postgresql.PostgresServer#isInstalled")
final class PostgresStoreKitIT {
    private static PostgresServer server;
    private static String url;

    @BeforeAll
    static void startServer() {
        server = PostgresServer.create();
        url = server.database("kit");
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    private static PostgresStore open() {
        PostgresConfig config = PostgresServer.config();
        return new PostgresStore(url, 1000, Waits.MAX, config, Optional.empty());
    }

    private static List<String> rows(String metric) {
        List<String> tables = server.query(url, "select 1 where to_regclass('chimera_points') is not null");
        return tables.isEmpty()
                ? List.of() // before the first connection of a store
                : server.query(url, "select * from chimera_points where metric = '" + metric + "'");
    }

    @Nested
    final class Kit extends StoreContract {
        @Override
        protected Store store() {
            return open();
        }

        @Override
        protected Record settings() {
            return new NoSettings();
        }

        @Override
        protected List<String> stored(String metric) {
            return rows(metric);
        }
    }

    @Nested
    final class ShardKit extends ShardStoreContract {
        @Override
        protected ShardStore store() {
            return open();
        }

        @Override
        protected Record settings() {
            return new NoSettings();
        }

        @Override
        protected List<String> stored(String metric) {
            return rows(metric);
        }

        @Override
        protected void kill(ShardStore store) {
            server.disconnect("kit");
        }

        @Override
        protected Optional<Row> badRow(String metric) {
            return Optional.of(Row.ofLong(metric, Tags.of(Map.of("bad", "\0")), 1, 1));
        }
    }
}
