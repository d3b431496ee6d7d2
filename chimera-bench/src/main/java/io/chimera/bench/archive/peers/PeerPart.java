package io.chimera.bench.archive.peers;

import io.chimera.bench.capture.BenchSite;
import io.chimera.bench.capture.PacketTrace;
import io.chimera.bench.capture.VethWire;
import io.chimera.bench.report.ProgramRun;
import io.chimera.bench.report.Work;
import io.chimera.jni.capture.Captures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Compares the archive with stenographer, PostgreSQL and ClickHouse: all store the same packets on the same disk and
 * answer the same queries. Live captures use the same rate over the same pair of interfaces.
 */
public final class PeerPart {
    private static final int PACKETS = 4_000_000;
    private static final int PACKETS_QUICK = 1_000_000;

    /** Packets sent per second; all tools record this rate on one core without loss. */
    private static final long RATE = 500_000;

    /** Repetitions of each query; the median counts. */
    private static final int TIMES = 7;

    /** Uncounted rounds, so that the archive's code is compiled. */
    private static final int WARMUPS = 2;

    /**
     * Uncounted queries for the same reason: a recorder runs for months. The first query of each kind has its own
     * figure.
     */
    private static final int WARMUP_HITS = 40;

    private static final int WARMUP_MISSES = 2_000;

    private final BenchSite site;
    private final PeerResults results;
    private final PacketTrace trace;
    private final TraceFile packets;
    private final Path answer;

    private PeerPart(BenchSite site, PeerResults results, PacketTrace trace, TraceFile packets) {
        this.site = site;
        this.results = results;
        this.trace = trace;
        this.packets = packets;
        answer = memory().resolve(trace.path().getFileName() + ".answer");
    }

    /** Measures all parts; reports and skips parts for which this machine lacks permissions or tools. */
    public static void measure(BenchSite site, PeerResults results) throws InterruptedException {
        try (PacketTrace trace = PacketTrace.write(site.isQuick() ? PACKETS_QUICK : PACKETS);
                TraceFile packets = TraceFile.open(trace)) {
            PeerPart part = new PeerPart(site, results, trace, packets);
            try {
                IndexPart index = new IndexPart(site, results);
                part.part("index of public captures", index::ofCaptures);
                part.part("index of traffic like the paper's", index::ofMade);
                part.part("bytes sent to index nodes for public captures", index::sentOfCaptures);
                part.part("bytes sent to index nodes for traffic like the paper's", index::sentOfMade);
                part.part("index, a miss", index::miss);
                part.part("archive and stenographer", part::live);
                part.part("archive of a file", part::file);
                part.part("PostgreSQL", part::postgres);
                part.part("ClickHouse", part::clickHouse);
            } finally {
                Files.deleteIfExists(part.answer);
            }
        } catch (IOException e) {
            results.leaveOut("the archive and its alternatives", e.getMessage());
        }
    }

    private void part(String name, Work work) throws InterruptedException {
        site.log().accept("Peers: " + name + ".");
        try {
            work.run();
        } catch (IOException e) {
            results.leaveOut(name, e.getMessage());
        }
    }

    private Path memory() {
        return trace.path().getParent();
    }

    /**
     * Measures one tool after another; each records with the receivers' core for itself, and answers with all cores.
     */
    private void live() throws IOException, InterruptedException {
        if (Runtime.getRuntime().availableProcessors() <= BenchSite.RECEIVER) {
            throw new IOException("sender and receiver need one core each");
        }
        String cause = Captures.unavailabilityCause("tpacket");
        if (!cause.isEmpty()) {
            throw new IOException("tpacket is not available: " + cause);
        }
        try (VethWire wire = VethWire.open(site)) {
            part("stenographer", () -> stenographer(wire));
            part("archive live", () -> ownLive(wire));
        }
    }

    private void stenographer(VethWire wire) throws IOException, InterruptedException {
        try (Stenographer stenographer = Stenographer.start(site, wire)) {
            Stenographer.Recorded recorded = stenographer.record(() -> wire.send(trace.path(), RATE), trace.packets());
            requireAll("stenographer", recorded.packets(), recorded.dropped());
            results.add(PeerFigures.STENOGRAPHER_CPU, perPacket(recorded.cpuSeconds() * 1e9));
            results.add(PeerFigures.STENOGRAPHER_INDEX_BYTES, perPacket((double) stenographer.indexBytes()));
            stenographer.useAllCores();
            String hit = PeerFigures.STENOGRAPHER_HIT;
            String miss = PeerFigures.STENOGRAPHER_MISS;
            ask("stenographer", hit, miss, (question, into) -> {
                stenographer.forget();
                return stenographer.ask(question, into);
            });
            ask("stenographer", PeerFigures.cached(hit), PeerFigures.cached(miss), stenographer::ask);
        }
    }

    private void ownLive(VethWire wire) throws IOException, InterruptedException {
        try (OwnArchive own = OwnArchive.start(site, wire::whereReceived, wire::runWhereReceived)) {
            for (int i = 0; i < WARMUPS; i++) {
                own.read(trace.path(), trace.packets());
            }
            OwnArchive.Recorded recorded =
                    own.record("tpacket:" + VethWire.RECEIVER, () -> wire.send(trace.path(), RATE), trace.packets());
            requireAll("our archive", recorded.packets(), recorded.dropped());
            results.add(PeerFigures.LIVE_CPU, perPacket((double) recorded.cpuNs()));
            own.useAllCores();
            askOwn(own);
        }
    }

    private void askOwn(OwnArchive own) throws IOException, InterruptedException {
        results.add(PeerFigures.HIT_FIRST, own.ask(TraceFile.HIT, answer));
        results.add(PeerFigures.MISS_FIRST, own.ask(TraceFile.MISS, answer));
        own.askAgain(TraceFile.HIT, WARMUP_HITS);
        own.askAgain(TraceFile.MISS, WARMUP_MISSES);
        ask("our archive", PeerFigures.HIT, PeerFigures.MISS, own::ask);
    }

    /** Reads packets from memory and uses all cores, as databases do for their rows. */
    private void file() throws IOException, InterruptedException {
        try (OwnArchive own = OwnArchive.start(site, java -> java, ProgramRun::run)) {
            OwnArchive.Recorded recorded = null;
            for (int i = 0; i <= WARMUPS; i++) {
                recorded = own.read(trace.path(), trace.packets());
            }
            requireAll("our archive", recorded.packets(), recorded.dropped());
            results.add(PeerFigures.FILE_CPU, perPacket((double) recorded.cpuNs()));
            results.add(PeerFigures.FILE_RATE, recorded.packets() * 1e9 / recorded.wallNs());
            results.add(PeerFigures.TRACE_INDEX_BYTES, perPacket((double) recorded.indexBytes()));
            if (results.of(PeerFigures.HIT).isEmpty()) { // nothing was captured live
                askOwn(own);
            }
        }
    }

    private double perPacket(double value) {
        return value / trace.packets();
    }

    private void requireAll(String who, long recorded, long dropped) throws IOException {
        if (recorded != trace.packets()) {
            throw new IOException("%s recorded %,d of %,d packets and dropped %,d: nothing can be compared"
                    .formatted(who, recorded, trace.packets(), dropped));
        }
    }

    @FunctionalInterface
    private interface Asking {
        /** Writes an answer into a file, and returns the time in milliseconds. */
        double ask(String question, Path into) throws IOException, InterruptedException;
    }

    /** Measures both queries; only times of answers with exactly the right packets count. */
    private void ask(String who, String hit, String miss, Asking asking) throws IOException, InterruptedException {
        BitSet hits = packets.hits();
        results.addMedian(hit, ask(who, TraceFile.HIT, hits, asking));
        results.addMedian(miss, ask(who, TraceFile.MISS, new BitSet(), asking));
        results.add(PeerFigures.HIT_PACKETS, hits.cardinality());
    }

    private double[] ask(String who, String question, BitSet expected, Asking asking)
            throws IOException, InterruptedException {
        double[] times = new double[TIMES];
        for (int i = 0; i < TIMES; i++) {
            times[i] = asking.ask(question, answer);
            BitSet answered = packets.numbers(who, answer);
            if (!answered.equals(expected)) {
                throw new IOException("%s answers '%s' with %,d packets instead of %,d"
                        .formatted(who, question, answered.cardinality(), expected.cardinality()));
            }
        }
        return times;
    }

    private void postgres() throws IOException, InterruptedException {
        try (RowFile rows = RowFile.forPostgres(packets, memory());
                Postgres postgres = Postgres.start(site)) {
            Postgres.Took copy = postgres.run("create table packets (time_ns bigint, src integer, dst integer,"
                    + " protocol smallint, sport integer, dport integer, length integer, number integer);"
                    + " copy packets from '" + rows.path() + "' (format binary)");
            results.add(
                    PeerFigures.POSTGRES_RATE,
                    trace.packets() * 1e3 / copy.wallMs().get(0));
            results.add(PeerFigures.POSTGRES_CPU, perPacket(copy.cpuMs() * 1e6));
            postgres.run("vacuum (freeze, analyze) packets"); // so that scans need not check the visibility of rows
            String[] scans = new String[TIMES];
            Arrays.fill(scans, scan(TraceFile.MISS_ADDRESS) + ")");
            Postgres.Took scan = postgres.run(scans);
            results.addMedian(
                    PeerFigures.POSTGRES_SCAN,
                    scan.wallMs().stream().mapToDouble(time -> time).toArray());
            results.add(PeerFigures.POSTGRES_SCAN_CPU, scan.cpuMs() / TIMES);
            requireHits("PostgreSQL", postgres.run(scan(TraceFile.HIT_ADDRESS) + ") and protocol = " + TraceFile.UDP));
        }
    }

    private static String scan(int address) {
        return "select count(*) from packets where (src = %1$d or dst = %1$d".formatted(address);
    }

    private void requireHits(String who, Postgres.Took found) throws IOException {
        String hits = Integer.toString(packets.hits().cardinality());
        if (found.said().lines().noneMatch(hits::equals)) {
            throw new IOException(who + " does not find " + hits + " packets, but prints "
                    + found.said().strip());
        }
    }

    private void clickHouse() throws IOException, InterruptedException {
        try (RowFile rows = RowFile.forClickHouse(packets, memory())) {
            ClickHouse.Said said = ClickHouse.measure(site, rows);
            if (said.one("hit_packets") != packets.hits().cardinality() || said.one("miss_packets") != 0) {
                throw new IOException("ClickHouse finds " + said.one("hit_packets") + " packets instead of "
                        + packets.hits().cardinality());
            }
            results.add(PeerFigures.CLICKHOUSE_RATE, trace.packets() / said.one("insert_s"));
            results.add(PeerFigures.CLICKHOUSE_INDEX_BYTES, perPacket(said.one("index_bytes")));
            results.addMedian(PeerFigures.CLICKHOUSE_HIT, said.all("hit_ms"));
            results.addMedian(PeerFigures.CLICKHOUSE_MISS, said.all("miss_ms"));
        }
    }
}
