package io.chimera.bench.stages;

import java.util.List;
import java.util.Optional;

/** The stages in the order that a point takes through them; limits stand first. */
final class StageCatalog {
    static final List<Stage> STAGES = List.of(
            new Stage("memory_copy_text", "MemoryCopyBenchmark.text500", null),
            new Stage("memory_copy_text_346", "MemoryCopyBenchmark.text346", null),
            new Stage("memory_copy_records", "MemoryCopyBenchmark.records", null),
            new Stage("file_write", "JournalBenchmark.writeToFile", null),
            new Stage("socket_copy", "SocketCopyBenchmark.socket", null),
            new Stage("parse", "ParseBenchmark.line500", "memory_copy_text"),
            new Stage("parse_346", "ParseBenchmark.line346", "memory_copy_text_346"),
            new Stage("wire_encode", "WireEncodeBenchmark.encode", "memory_copy_records"),
            new Stage("ring", "RingBenchmark.ring", "memory_copy_records"),
            new Stage("seal", "JournalBenchmark.seal", "memory_copy_records"),
            new Stage("journal", "JournalBenchmark.append", "file_write"),
            new Stage("journal_read", "JournalBenchmark.appendAndRead", "file_write"),
            new Stage("channel", "ChannelBenchmark.frames", "socket_copy"),
            new Stage("extract", "ExtractBenchmark.scan", "memory_copy_records"),
            new Stage("check", "ExtractBenchmark.check", "memory_copy_records"),
            new Stage("fold", "StagingBenchmark.onHeap", "memory_copy_records"),
            new Stage("fold_346", "StagingBenchmark.onHeap346", "memory_copy_records"),
            new Stage("fold_off_heap", "StagingBenchmark.offHeap", "memory_copy_records"));

    private StageCatalog() {}

    static Optional<Stage> named(String name) {
        return STAGES.stream().filter(stage -> stage.name().equals(name)).findFirst();
    }

    static List<String> names() {
        return STAGES.stream().map(Stage::name).toList();
    }
}
