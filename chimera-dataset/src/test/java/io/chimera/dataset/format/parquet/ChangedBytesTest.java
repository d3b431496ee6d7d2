package io.chimera.dataset.format.parquet;

import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Changes bytes by a seed, so that an ordinary build sees damage of every part of an object. */
final class ChangedBytesTest {
    private static final int ROUNDS = 400;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "plain-v1",
                "dictionary-snappy-v1",
                "dictionary-zstd-v2",
                "plain-gzip-v2",
                "plain-lz4-raw-v1",
                "delta-v1",
                "delta-zstd-v2",
                "split-v1",
                "duckdb-v2",
                "polars"
            })
    void readsOrRefuses(String file) throws IOException {
        byte[] original = ParquetObject.resource(file);
        Random random = new Random(file.hashCode());
        for (int round = 0; round < ROUNDS; round++) {
            byte[] content = original.clone();
            int changes = 1 + random.nextInt(4);
            for (int i = 0; i < changes; i++) {
                content[random.nextInt(content.length)] = (byte) random.nextInt();
            }
            try {
                ParquetFuzz.readsOrRefuses(content);
            } catch (RuntimeException | Error e) {
                throw new AssertionError(file + ", round " + round, e);
            }
        }
    }
}
