package io.chimera.bench.archive.peers;

import io.chimera.bench.archive.index.IndexPeer;
import io.chimera.bench.archive.index.MissCost;
import io.chimera.bench.capture.BenchSite;
import io.chimera.bench.report.ProgramRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Measures the archive's index alone, in processes on a dedicated core: its cost, the bytes sent to index nodes, and
 * the reads of a miss.
 */
final class IndexPart {
    /** Folder of public captures, filled by {@code scripts/setup --bench}. */
    private static final Path CAPTURES = Path.of("chimera-bench/peers/captures");

    /** Names in the process output, by figure. */
    private static final Map<String, String> INDEX =
            Map.of(PeerFigures.INDEX_NS, "ns", PeerFigures.PAPER_NS, "paperNs", PeerFigures.INDEX_BYTES, "bytes");

    /** Names in the process output for bytes sent to index nodes, by figure. */
    private static final Map<String, String> SENT = Map.of(PeerFigures.DISTRIBUTED_BYTES, "bytes");

    /** Names in the process output for a miss, by figure. */
    private static final Map<String, String> MISS = Map.of(
            PeerFigures.INDEX_MISS_PACKETS, "packets",
            PeerFigures.INDEX_MISS_DATA, "dataBytes",
            PeerFigures.INDEX_MISS_READS, "reads",
            PeerFigures.INDEX_MISS_BYTES, "bytes");

    private static final long MISS_PACKETS_QUICK = 20_000_000;

    /** The index of at least 20,000 intervals is kept in memory, together with the sent bytes. */
    private static final List<String> SENT_FLAGS = List.of("-XX:+UseSerialGC", "-Xmx2g");

    /** The index of the paper's hour is kept in memory. */
    private static final List<String> MISS_FLAGS = List.of("-XX:+UseSerialGC", "-Xmx6g");

    private final BenchSite site;
    private final PeerResults results;

    IndexPart(BenchSite site, PeerResults results) {
        this.site = site;
        this.results = results;
    }

    /**
     * Measures packets as captured from lines, complete and in their order; repeated, because groups have nothing in
     * common.
     */
    void ofCaptures() throws IOException, InterruptedException {
        measure(INDEX, OwnArchive.FLAGS, captures());
    }

    /** Measures packets of 60 bytes with the paper's mix: most addresses appear once per interval. */
    void ofMade() throws IOException, InterruptedException {
        measure(made(INDEX), OwnArchive.FLAGS, List.of());
    }

    /** Measures the bytes sent for the packets of {@link #ofCaptures} by a node that stores none of its spans. */
    void sentOfCaptures() throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of(IndexPeer.SHARED));
        arguments.addAll(captures());
        measure(SENT, SENT_FLAGS, arguments);
    }

    /** Measures the bytes sent for the packets of {@link #ofMade}. */
    void sentOfMade() throws IOException, InterruptedException {
        measure(made(SENT), SENT_FLAGS, List.of(IndexPeer.SHARED));
    }

    /** Measures queries for absent packets. */
    void miss() throws IOException, InterruptedException {
        long packets = site.isQuick() ? MISS_PACKETS_QUICK : MissCost.PACKETS;
        measure(MISS, MISS_FLAGS, List.of(IndexPeer.MISS, Long.toString(packets)));
    }

    private List<String> captures() throws IOException {
        Path folder = site.home().folder().resolve(CAPTURES);
        if (!Files.isDirectory(folder)) {
            throw new IOException("no captures are in " + folder + "; " + ProgramRun.REMEDY);
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().map(Path::toString).toList();
        }
    }

    private static Map<String, String> made(Map<String, String> figures) {
        return figures.keySet().stream().collect(Collectors.toMap(PeerFigures::made, figures::get));
    }

    private void measure(Map<String, String> figures, List<String> flags, List<String> arguments)
            throws IOException, InterruptedException {
        List<String> peer = site.java(IndexPeer.class, flags, arguments.toArray(String[]::new));
        String said = ProgramRun.run(ProgramRun.onCore(BenchSite.RECEIVER, peer));
        for (String figure : figures.keySet()) {
            results.add(figure, number(said, figures.get(figure)));
        }
    }

    /** Returns a number of the record printed by the process. */
    static double number(String said, String name) throws IOException {
        Matcher value = Pattern.compile("\\b" + name + "=([-0-9.E]+)").matcher(said);
        if (!value.find()) {
            throw new IOException("the index process prints no " + name + ", but " + said.strip());
        }
        return Double.parseDouble(value.group(1));
    }
}
