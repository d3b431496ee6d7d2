package io.chimera.bench.stages;

import java.util.List;
import java.util.Optional;

/** All stages, in the order of a point's path; each limit precedes its stages. */
final class StageCatalog {
    /** Number of processors of the reference machine. */
    private static final int ALL_CORES = 2;

    private static final BenchStage FILE_WRITE = BenchStage.of("file_write", "JournalBenchmark.writeToFile", null);
    private static final BenchStage PARSE_346 =
            BenchStage.of("parse_346", "ParseBenchmark.line346", "memory_copy_text_346");
    private static final BenchStage JOURNAL = BenchStage.of("journal", "JournalBenchmark.append", "file_write");
    private static final BenchStage FOLD_346 =
            BenchStage.of("fold_346", "StagingBenchmark.onHeap346", "memory_copy_records_346");

    static final List<BenchStage> STAGES = List.of(
            BenchStage.of("memory_copy_text", "MemoryCopyBenchmark.text500", null),
            BenchStage.of("memory_copy_text_346", "MemoryCopyBenchmark.text346", null),
            BenchStage.of("memory_copy_records", "MemoryCopyBenchmark.records", null),
            BenchStage.of("memory_copy_records_346", "MemoryCopyBenchmark.records346", null),
            FILE_WRITE,
            FILE_WRITE.with("file_write_tmpfs", null, "place", "tmpfs"),
            BenchStage.of("socket_copy", "SocketCopyBenchmark.socket", null),
            BenchStage.of("parse", "ParseBenchmark.line500", "memory_copy_text"),
            PARSE_346,
            PARSE_346.onThreads("parse_346_all_cores", ALL_CORES),
            BenchStage.of("memory_copy_tweets", "TweetBenchmark.copy", null),
            BenchStage.of("parse_tweets", "TweetBenchmark.parse", "memory_copy_tweets"),
            BenchStage.of("wire_encode", "WireEncodeBenchmark.encode", "memory_copy_records"),
            BenchStage.of("ring", "RingBenchmark.ring", "memory_copy_records"),
            BenchStage.of("seal", "JournalBenchmark.seal", "memory_copy_records"),
            JOURNAL,
            JOURNAL.with("journal_tmpfs", "file_write_tmpfs", "place", "tmpfs"),
            BenchStage.of("journal_read", "JournalBenchmark.read", "memory_copy_records"),
            BenchStage.of("channel", "ChannelBenchmark.frames", "socket_copy"),
            BenchStage.of("extract", "ExtractBenchmark.scan", "memory_copy_records"),
            BenchStage.of("check", "ExtractBenchmark.check", "memory_copy_records"),
            BenchStage.of("fold", "StagingBenchmark.onHeap", "memory_copy_records"),
            BenchStage.of("fold_off_heap", "StagingBenchmark.offHeap", "memory_copy_records"),
            FOLD_346,
            FOLD_346.onThreads("fold_346_all_cores", ALL_CORES),
            BenchStage.of("ddsketch_objects", "HistogramBenchmark.libraryObjects", null),
            BenchStage.of("ddsketch_bytes", "HistogramBenchmark.libraryBytes", null),
            BenchStage.of("histogram", "HistogramBenchmark.merge", "ddsketch_bytes"),
            BenchStage.of("filter_packets", "FilterBenchmark.filter", null),
            BenchStage.of("packet_keys", "FilterBenchmark.keys", null),
            BenchStage.of("index_paper", "IndexBenchmark.paper", null),
            BenchStage.of("index", "IndexBenchmark.index", "index_paper"));

    private StageCatalog() {}

    static Optional<BenchStage> named(String name) {
        return STAGES.stream().filter(stage -> stage.name().equals(name)).findFirst();
    }

    static List<String> names() {
        return STAGES.stream().map(BenchStage::name).toList();
    }
}
