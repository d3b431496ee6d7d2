package io.chimera.bench.archive.peers;

import io.chimera.bench.archive.IndexPeer;
import io.chimera.bench.archive.MissCost;
import io.chimera.bench.capture.BenchSite;
import io.chimera.bench.capture.PacketTrace;
import io.chimera.bench.capture.Wire;
import io.chimera.bench.report.Tool;
import io.chimera.jni.capture.Captures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The archive beside stenographer, PostgreSQL and ClickHouse: all keep the same packets on the same disk, and are asked for the
 * same. Whoever captures live does so at the same rate over the same pair of interfaces.
 */
public final class PeerPart {
    private static final int PACKETS = 4_000_000;
    private static final int PACKETS_QUICK = 1_000_000;

    /** Packets per second that are sent; what all bear on one core without a loss. */
    private static final long RATE = 500_000;

    /** Times that each question is asked; the middle one counts. */
    private static final int TIMES = 7;

    /** Rounds that are not counted, so that our code is compiled. */
    private static final int WARMUPS = 2;

    /** Questions that are not counted, for the same reason: a recorder runs for months. The first of each kind is told by itself. */
    private static final int WARMUP_HITS = 40;

    private static final int WARMUP_MISSES = 2_000;

    /** Where {@code scripts/setup --bench} puts public captures. */
    private static final Path CAPTURES = Path.of("chimera-bench/peers/captures");

    /** Figures by what the measurement of the index calls them. */
    private static final Map<String, String> INDEX =
            Map.of(PeerFigures.INDEX_NS, "ns", PeerFigures.PAPER_NS, "paperNs", PeerFigures.INDEX_BYTES, "bytes");

    /** The same of a miss. */
    private static final Map<String, String> INDEX_MISS = Map.of(
            PeerFigures.INDEX_MISS_PACKETS, "packets",
            PeerFigures.INDEX_MISS_DATA, "dataBytes",
            PeerFigures.INDEX_MISS_READS, "reads",
            PeerFigures.INDEX_MISS_BYTES, "bytes");

    private static final long MISS_PACKETS_QUICK = 20_000_000;

    /** The index of the paper's hour is kept in memory. */
    private static final List<String> MISS_FLAGS = List.of("-XX:+UseSerialGC", "-Xmx6g");

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

    /** Something that can fail because this machine lacks something. */
    @FunctionalInterface
    public interface Work {
        /** Does it. */
        void run() throws IOException, InterruptedException;
    }

    /** Measures; what this machine lacks the rights or the tools for is left out, and named. */
    public static void measure(BenchSite site, PeerResults results) throws InterruptedException {
        try (PacketTrace trace = PacketTrace.write(site.isQuick() ? PACKETS_QUICK : PACKETS);
                TraceFile packets = TraceFile.open(trace)) {
            PeerPart part = new PeerPart(site, results, trace, packets);
            try {
                part.part("index of public captures", part::indexOfCaptures);
                part.part("index of traffic like the paper's", part::indexOfMade);
                part.part("index, a miss", part::indexMiss);
                part.part("archive beside stenographer", part::live);
                part.part("archive of a file", part::file);
                part.part("PostgreSQL", part::postgres);
                part.part("ClickHouse", part::clickHouse);
            } finally {
                Files.deleteIfExists(part.answer);
            }
        } catch (IOException e) {
            results.leaveOut("the archive beside others", e.getMessage());
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

    /** Of packets as they were on lines, whole and in their order; again and again, as groups have nothing in common. */
    private void indexOfCaptures() throws IOException, InterruptedException {
        Path folder = site.home().folder().resolve(CAPTURES);
        if (!Files.isDirectory(folder)) {
            throw new IOException("no captures are in " + folder + "; " + Tool.REMEDY);
        }
        try (Stream<Path> files = Files.list(folder)) {
            index(INDEX, OwnArchive.FLAGS, files.sorted().map(Path::toString).toArray(String[]::new));
        }
    }

    /** Of packets of 60 bytes, as mixed as the paper's: most addresses of an interval are in it once. */
    private void indexOfMade() throws IOException, InterruptedException {
        Map<String, String> made = INDEX.keySet().stream().collect(Collectors.toMap(PeerFigures::made, INDEX::get));
        index(made, OwnArchive.FLAGS);
    }

    private void indexMiss() throws IOException, InterruptedException {
        long packets = site.isQuick() ? MISS_PACKETS_QUICK : MissCost.PACKETS;
        index(INDEX_MISS, MISS_FLAGS, IndexPeer.MISS, Long.toString(packets));
    }

    private void index(Map<String, String> figures, List<String> flags, String... arguments)
            throws IOException, InterruptedException {
        String said = Tool.run(Tool.onCore(BenchSite.RECEIVER, site.java(IndexPeer.class, flags, arguments)));
        for (String figure : figures.keySet()) {
            Matcher value =
                    Pattern.compile("\\b" + figures.get(figure) + "=([0-9.E]+)").matcher(said);
            if (!value.find()) {
                throw new IOException("the index does not say " + figures.get(figure) + ", but " + said.strip());
            }
            results.add(figure, Double.parseDouble(value.group(1)));
        }
    }

    /** One after the other; each records with the core of receivers for itself, and answers with all cores. */
    private void live() throws IOException, InterruptedException {
        if (Runtime.getRuntime().availableProcessors() <= BenchSite.RECEIVER) {
            throw new IOException("sender and receiver need a core each");
        }
        String cause = Captures.unavailabilityCause("tpacket");
        if (!cause.isEmpty()) {
            throw new IOException("tpacket cannot be used: " + cause);
        }
        try (Wire wire = Wire.open(site)) {
            part("stenographer", () -> stenographer(wire));
            part("archive live", () -> ownLive(wire));
        }
    }

    private void stenographer(Wire wire) throws IOException, InterruptedException {
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

    private void ownLive(Wire wire) throws IOException, InterruptedException {
        try (OwnArchive own = OwnArchive.start(site, wire::whereReceived, wire::runWhereReceived)) {
            for (int i = 0; i < WARMUPS; i++) {
                own.read(trace.path(), trace.packets());
            }
            OwnArchive.Recorded recorded =
                    own.record("tpacket:" + Wire.RECEIVER, () -> wire.send(trace.path(), RATE), trace.packets());
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

    /** From memory, as databases load their rows; with both cores, as they do. */
    private void file() throws IOException, InterruptedException {
        try (OwnArchive own = OwnArchive.start(site, java -> java, Tool::run)) {
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
        /** Writes an answer into a file; milliseconds that took. */
        double ask(String question, Path into) throws IOException, InterruptedException;
    }

    /** Times count only where the answer is right, packet for packet. */
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
                throw new IOException("%s answers '%s' with %,d packets, and there are %,d"
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
            postgres.run("vacuum (freeze, analyze) packets"); // so that scans need not look who wrote a row
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
            throw new IOException(who + " does not find " + hits + " packets, but says "
                    + found.said().strip());
        }
    }

    private void clickHouse() throws IOException, InterruptedException {
        try (RowFile rows = RowFile.forClickHouse(packets, memory())) {
            ClickHouse.Said said = ClickHouse.measure(site, rows);
            if (said.one("hit_packets") != packets.hits().cardinality() || said.one("miss_packets") != 0) {
                throw new IOException("ClickHouse finds " + said.one("hit_packets") + " packets, and there are "
                        + packets.hits().cardinality());
            }
            results.add(PeerFigures.CLICKHOUSE_RATE, trace.packets() / said.one("insert_s"));
            results.add(PeerFigures.CLICKHOUSE_INDEX_BYTES, perPacket(said.one("index_bytes")));
            results.addMedian(PeerFigures.CLICKHOUSE_HIT, said.all("hit_ms"));
            results.addMedian(PeerFigures.CLICKHOUSE_MISS, said.all("miss_ms"));
        }
    }
}
