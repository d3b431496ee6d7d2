package io.chimera.processor.store.postgresql;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.chimera.api.model.Row;
import io.chimera.api.model.ShardIndex;
import io.chimera.api.spi.ShardWrite;
import io.chimera.api.spi.StoreException;
import io.chimera.common.agent.Waits;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.List;
import java.util.Optional;

/**
 * Process that writes the two shards of a cycle, to be killed. Arguments: url, cycle. Before each call the process
 * prints a line and waits for a line.
 */
final class PostgresWriter {
    static final int SHARDS = 2;
    private static final int BATCH_ROWS = 6;

    private final BufferedReader permits = new BufferedReader(new InputStreamReader(System.in, UTF_8));

    private PostgresWriter() {}

    /** Number of calls of a cycle: begin, batches and commit of each shard. */
    static int calls() {
        int rows = PostgresRows.ROWS / SHARDS;
        return SHARDS * (2 + (rows + BATCH_ROWS - 1) / BATCH_ROWS);
    }

    public static void main(String[] arguments) throws IOException, StoreException {
        PostgresWriter writer = new PostgresWriter();
        long cycle = Long.parseLong(arguments[1]);
        try (PostgresStore store =
                new PostgresStore(arguments[0], 1000, Waits.MAX, PostgresServer.config(), Optional.empty())) {
            for (int index = 0; index < SHARDS; index++) {
                writer.write(store, cycle, new ShardIndex(index, SHARDS));
            }
        }
    }

    private void write(PostgresStore store, long cycle, ShardIndex index) throws IOException, StoreException {
        ShardWrite shard = PostgresRows.live(cycle, index, 0);
        List<Row> rows = PostgresRows.of(cycle, index);
        awaitPermit();
        store.begin(shard);
        for (int from = 0; from < rows.size(); from += BATCH_ROWS) {
            awaitPermit();
            store.write(rows.subList(from, Math.min(rows.size(), from + BATCH_ROWS)));
        }
        awaitPermit();
        store.commit(shard);
    }

    private void awaitPermit() throws IOException {
        System.out.println("next");
        if (permits.readLine() == null) {
            throw new IOException("The test has ended.");
        }
    }
}
