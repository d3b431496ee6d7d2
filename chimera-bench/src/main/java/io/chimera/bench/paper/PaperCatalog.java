package io.chimera.bench.paper;

import io.chimera.bench.paper.disk.SaturationEffort;
import io.chimera.bench.stages.BenchStage;
import java.util.ArrayList;
import java.util.List;

/** All rows, with the figures of the paper (Chimera 2017, V-C and Table II). */
final class PaperCatalog {
    /** Bulk sizes of the figures. */
    static final List<Integer> BULKS = List.of(1, 10, 100, 1_000, 10_000);

    static final String RING = "ring_bulk_";
    static final String JOURNAL_TMPFS = "journal_tmpfs_bulk_";
    static final String JOURNAL_DISK = "journal_disk_bulk_";
    static final String JOURNAL_SYNCED = "journal_synced_bulk_";
    static final String CHANNEL_1GBIT = "channel_1gbit";
    static final String CHANNEL_LOCAL = "channel_local";
    static final String FOLD_1GBIT = "fold_1gbit";
    static final String FOLD_LOCAL = "fold_local";
    static final String PARSE_ALL = "parse_all_cores";
    static final String JOURNAL_READ = "journal_read";
    static final String EXTRACT_ALL = "extract_all_cores";
    static final String WAREHOUSE = "warehouse_";
    static final String SATURATED = "saturated_cycle_";

    /** Table II, and the text around the table. */
    static final PaperClaim RING_CLAIM = PaperClaim.ofCore(4_300_000);

    static final PaperClaim TMPFS_CLAIM = new PaperClaim(4_300_000, 1, 1_600);
    static final PaperClaim DISK_CLAIM = PaperClaim.ofMegabytes(115);
    private static final PaperClaim HEAP_CLAIM = PaperClaim.ofCore(3_500_000);
    private static final PaperClaim OFF_HEAP_CLAIM = PaperClaim.ofCore(440_000);
    private static final PaperClaim PARSE_THREAD_CLAIM = PaperClaim.ofCore(712_000);
    private static final PaperClaim PARSE_CLAIM = PaperClaim.ofMachine(6_000_000);
    private static final PaperClaim READ_CLAIM = PaperClaim.ofCore(3_700_000);
    private static final PaperClaim EXTRACT_CLAIM = PaperClaim.ofMachine(900_000);
    private static final PaperClaim CHANNEL_1GBIT_CLAIM = PaperClaim.ofCore(220_000);
    private static final PaperClaim CHANNEL_LOCAL_CLAIM = PaperClaim.ofCore(4_300_000);
    private static final PaperClaim FOLD_1GBIT_CLAIM = PaperClaim.ofCore(200_000);

    /** Threads per core in the rows of many threads. */
    private static final int MANY = 4;

    private static final BenchStage JOURNAL = BenchStage.of("journal", "JournalBenchmark.append", null);

    private PaperCatalog() {}

    /**
     * Returns the rows with a benchmark.
     *
     * @param cores cores of this machine
     * @param bulks bulk sizes
     */
    static List<PaperStage> stages(int cores, List<Integer> bulks) {
        List<PaperStage> stages = new ArrayList<>();
        BenchStage parse = BenchStage.of("parse_1_thread", "ParseBenchmark.line500", null);
        add(stages, PaperPart.TABLE_2, PARSE_THREAD_CLAIM, PaperGuarantee.MEMORY, parse);
        add(stages, PaperPart.TABLE_2, PARSE_CLAIM, PaperGuarantee.MEMORY, parse.onThreads(PARSE_ALL, cores));
        BenchStage read = BenchStage.of("", "JournalBenchmark.read", null).with(JOURNAL_READ, null, "place", "tmpfs");
        add(stages, PaperPart.TABLE_2, READ_CLAIM, PaperGuarantee.PAGE_CACHE, read);
        BenchStage extract = BenchStage.of("extract_1_thread", "ExtractBenchmark.scan", null);
        add(stages, PaperPart.TABLE_2, EXTRACT_CLAIM, PaperGuarantee.MEMORY, extract);
        add(stages, PaperPart.TABLE_2, EXTRACT_CLAIM, PaperGuarantee.MEMORY, extract.onThreads(EXTRACT_ALL, cores));

        BenchStage ring = BenchStage.of("", "RingBenchmark.ring", null);
        for (int bulk : bulks) {
            add(stages, PaperPart.FIGURE_5A, RING_CLAIM, PaperGuarantee.MEMORY, ring.inBulks(RING + bulk, bulk));
        }
        addJournals(stages, bulks);
        addWarehouses(stages, cores, "heap", HEAP_CLAIM, "StagingBenchmark.onHeap");
        addWarehouses(stages, cores, "off_heap", OFF_HEAP_CLAIM, "StagingBenchmark.offHeap");
        return stages;
    }

    private static void addJournals(List<PaperStage> stages, List<Integer> bulks) {
        BenchStage tmpfs = JOURNAL.with("", null, "place", "tmpfs");
        BenchStage synced = JOURNAL.with("", null, "sync", "INTERVAL");
        for (int bulk : bulks) {
            addJournal(stages, TMPFS_CLAIM, PaperGuarantee.PAGE_CACHE, tmpfs.inBulks(JOURNAL_TMPFS + bulk, bulk), bulk);
        }
        for (int bulk : bulks) {
            addJournal(stages, DISK_CLAIM, PaperGuarantee.PAGE_CACHE, JOURNAL.inBulks(JOURNAL_DISK + bulk, bulk), bulk);
        }
        for (int bulk : bulks) {
            addJournal(stages, DISK_CLAIM, PaperGuarantee.SYNCED, synced.inBulks(JOURNAL_SYNCED + bulk, bulk), bulk);
        }
    }

    private static void addJournal(
            List<PaperStage> stages, PaperClaim claim, PaperGuarantee guarantee, BenchStage stage, int bulk) {
        stages.add(new PaperStage(new PaperRow(stage.name(), PaperPart.FIGURE_5B, claim, guarantee), stage, bulk));
    }

    private static void addWarehouses(
            List<PaperStage> stages, int cores, String where, PaperClaim claim, String benchmark) {
        BenchStage one = BenchStage.of(WAREHOUSE + where + "_1_thread", benchmark, null);
        List<BenchStage> all = List.of(
                one,
                one.onThreads(WAREHOUSE + where + "_all_cores", cores),
                one.onThreads(WAREHOUSE + where + "_many_threads", MANY * cores));
        for (BenchStage stage : all) {
            add(stages, PaperPart.FIGURE_7, claim, PaperGuarantee.AGGREGATED, stage);
        }
    }

    private static void add(
            List<PaperStage> stages, PaperPart part, PaperClaim claim, PaperGuarantee guarantee, BenchStage stage) {
        stages.add(new PaperStage(new PaperRow(stage.name(), part, claim, guarantee), stage, 0));
    }

    /** Returns the row of the channel. */
    static PaperRow channel(String name) {
        PaperClaim claim = name.equals(CHANNEL_1GBIT) ? CHANNEL_1GBIT_CLAIM : CHANNEL_LOCAL_CLAIM;
        return new PaperRow(name, PaperPart.FIGURE_6, claim, PaperGuarantee.RECEIVED);
    }

    /** Returns the row of the channel with a processor. */
    static PaperRow fold(String name) {
        PaperClaim claim = name.equals(FOLD_1GBIT) ? FOLD_1GBIT_CLAIM : EXTRACT_CLAIM;
        return new PaperRow(name, PaperPart.FIGURE_6, claim, PaperGuarantee.AGGREGATED);
    }

    /** Returns the row of cycles on the saturated disk. */
    static PaperRow saturated(long cyclePoints) {
        return new PaperRow(SATURATED + cyclePoints, PaperPart.FIGURE_8, DISK_CLAIM, PaperGuarantee.STORED);
    }

    /** Returns all rows in the order of the report. */
    static List<PaperRow> rows() {
        List<PaperRow> rows =
                new ArrayList<>(stages(1, BULKS).stream().map(PaperStage::row).toList());
        rows.addAll(List.of(channel(CHANNEL_1GBIT), fold(FOLD_1GBIT), channel(CHANNEL_LOCAL), fold(FOLD_LOCAL)));
        SaturationEffort.FULL.cycles().forEach(points -> rows.add(saturated(points)));
        return rows;
    }
}
