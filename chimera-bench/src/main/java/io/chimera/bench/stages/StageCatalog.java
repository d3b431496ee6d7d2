package io.chimera.bench.stages;

import java.util.List;
import java.util.Optional;

/** All stages, in the order of a point's path; each limit precedes its stages. */
final class StageCatalog {
    /** Number of processors of the reference machine. */
    private static final int ALL_CORES = 2;

    private static final Stage FILE_WRITE = Stage.of("file_write", "JournalBenchmark.writeToFile", null);
    private static final Stage PARSE_346 = Stage.of("parse_346", "ParseBenchmark.line346", "memory_copy_text_346");
    private static final Stage JOURNAL = Stage.of("journal", "JournalBenchmark.append", "file_write");
    private static final Stage FOLD_346 = Stage.of("fold_346", "StagingBenchmark.onHeap346", "memory_copy_records_346");

    static final List<Stage> STAGES = List.of(
            Stage.of("memory_copy_text", "MemoryCopyBenchmark.text500", null),
            Stage.of("memory_copy_text_346", "MemoryCopyBenchmark.text346", null),
            Stage.of("memory_copy_records", "MemoryCopyBenchmark.records", null),
            Stage.of("memory_copy_records_346", "MemoryCopyBenchmark.records346", null),
            FILE_WRITE,
            FILE_WRITE.with("file_write_tmpfs", null, "place", "tmpfs"),
            Stage.of("socket_copy", "SocketCopyBenchmark.socket", null),
            Stage.of("parse", "ParseBenchmark.line500", "memory_copy_text"),
            PARSE_346,
            PARSE_346.onThreads("parse_346_all_cores", ALL_CORES),
            Stage.of("memory_copy_tweets", "TweetBenchmark.copy", null),
            Stage.of("parse_tweets", "TweetBenchmark.parse", "memory_copy_tweets"),
            Stage.of("wire_encode", "WireEncodeBenchmark.encode", "memory_copy_records"),
            Stage.of("ring", "RingBenchmark.ring", "memory_copy_records"),
            Stage.of("seal", "JournalBenchmark.seal", "memory_copy_records"),
            JOURNAL,
            JOURNAL.with("journal_tmpfs", "file_write_tmpfs", "place", "tmpfs"),
            Stage.of("journal_read", "JournalBenchmark.read", "memory_copy_records"),
            Stage.of("channel", "ChannelBenchmark.frames", "socket_copy"),
            Stage.of("extract", "ExtractBenchmark.scan", "memory_copy_records"),
            Stage.of("check", "ExtractBenchmark.check", "memory_copy_records"),
            Stage.of("fold", "StagingBenchmark.onHeap", "memory_copy_records"),
            Stage.of("fold_off_heap", "StagingBenchmark.offHeap", "memory_copy_records"),
            FOLD_346,
            FOLD_346.onThreads("fold_346_all_cores", ALL_CORES),
            Stage.of("filter_packets", "FilterBenchmark.filter", null),
            Stage.of("packet_keys", "FilterBenchmark.keys", null),
            Stage.of("index_paper", "IndexBenchmark.paper", null),
            Stage.of("index", "IndexBenchmark.index", "index_paper"));

    private StageCatalog() {}

    static Optional<Stage> named(String name) {
        return STAGES.stream().filter(stage -> stage.name().equals(name)).findFirst();
    }

    static List<String> names() {
        return STAGES.stream().map(Stage::name).toList();
    }
}
