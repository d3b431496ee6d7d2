package io.chimera.bench.archive.forensics;

import com.fasterxml.jackson.databind.JsonNode;
import io.chimera.apps.forensics.AttackCaptures;
import io.chimera.apps.forensics.AttackCaptures.Written;
import io.chimera.apps.forensics.Monitor;
import io.chimera.apps.forensics.TwoStageAttack;
import io.chimera.bench.archive.peers.PeerResults;
import io.chimera.bench.capture.BenchSite;
import io.chimera.bench.capture.VethWire;
import io.chimera.bench.cluster.BenchFolder;
import io.chimera.bench.report.ProgramRun;
import io.chimera.node.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures an attack investigation (Hyperion 2007, Figure 17): the same code runs the same seven steps with the
 * archive's recorders and with stenographer, which store the same packets of three monitors.
 */
public final class ForensicsPart {
    private static final long PACKETS = 1_000_000;
    private static final long PACKETS_QUICK = 150_000;

    /** Investigations per session; the first one includes connection setup and uncompiled code. */
    private static final int TIMES = 6;

    /**
     * Investigations of an uncounted warm-up session: recorders run for months, and their JVM compiles during the first
     * 1,500 queries.
     */
    private static final int WARMUP_TIMES = 200;

    private static final int STEPS = 7;
    private static final double MS_PER_S = 1e3;

    private final BenchSite site;
    private final PeerResults results;
    private final Path folder;
    private Written written;

    private ForensicsPart(BenchSite site, PeerResults results, Path folder) {
        this.site = site;
        this.results = results;
        this.folder = folder;
    }

    /** Measures both; reports and skips steps for which this machine lacks permissions or tools. */
    public static void measure(BenchSite site, PeerResults results) throws InterruptedException {
        try {
            ForensicsPart part = new ForensicsPart(
                    site, results, BenchFolder.emptied(site.folder().resolve("attack")));
            try {
                part.plant();
                part.own();
                part.stenographer();
            } finally {
                BenchFolder.delete(part.folder);
            }
        } catch (IOException e) {
            results.leaveOut("attack investigation", e.getMessage());
        }
    }

    private void plant() throws IOException {
        site.log().accept("Forensics: the attack.");
        Path background = folder.resolve("background.pcap");
        BackgroundFile.write(site.home().folder(), background);
        long startNs = (System.currentTimeMillis() / 1000 - 2 * TwoStageAttack.SECONDS) * 1_000_000_000L;
        written = AttackCaptures.write(background, folder, site.isQuick() ? PACKETS_QUICK : PACKETS, startNs);
        double bytes = 0;
        for (Monitor monitor : Monitor.values()) {
            bytes += (double) Files.size(pcap(monitor));
        }
        results.add(
                ForensicsFigures.PACKETS,
                written.packets().values().stream().mapToDouble(count -> count).sum());
        results.add(ForensicsFigures.BYTES, bytes);
    }

    private Path pcap(Monitor monitor) {
        return folder.resolve(monitor.label() + ".pcap");
    }

    private void own() throws IOException, InterruptedException {
        site.log().accept("Forensics: our recorders.");
        try (Recorders recorders = new Recorders(site)) {
            for (Monitor monitor : Monitor.values()) {
                recorders.record(monitor.label(), pcap(monitor));
            }
            for (Monitor monitor : Monitor.values()) {
                recorders.start(monitor.label());
            }
            sessions("", times -> recorders.investigate(bot(), inside(), times));
        }
    }

    private void stenographer() throws InterruptedException {
        site.log().accept("Forensics: stenographer.");
        try (StenographerArchive archive = new StenographerArchive(site.folder().resolve("stenographer"))) {
            try (VethWire wire = VethWire.open(site)) {
                for (Monitor monitor : Monitor.values()) {
                    archive.record(wire, pcap(monitor), written.packets().get(monitor));
                }
            }
            archive.serve();
            results.add(ForensicsFigures.STENOGRAPHER_FILES, archive.files());
            sessions(ForensicsFigures.CACHED, times -> session(archive, times, List.of()));
            sessions(ForensicsFigures.STENOGRAPHER, times -> session(archive, times, archive.stores()));
        } catch (IOException e) {
            results.leaveOut("attack investigation with stenographer", e.getMessage());
        }
    }

    /**
     * Runs a session of an operator with stenographer.
     *
     * @param forgotten stores to drop from the page cache before each investigation
     */
    private List<String> session(StenographerArchive archive, int times, List<Path> forgotten)
            throws IOException, InterruptedException {
        List<String> flags = new ArrayList<>(Recorders.FLAGS);
        flags.add("-Djdk.internal.httpclient.disableHostnameVerification=true");
        List<String> arguments =
                new ArrayList<>(List.of(archive.certificates().toString(), bot(), inside(), Integer.toString(times)));
        forgotten.forEach(store -> arguments.add(store.toString()));
        return ProgramRun.run(site.java(StenographerSession.class, flags, arguments.toArray(String[]::new)))
                .lines()
                .toList();
    }

    private String bot() {
        return written.attack().bot();
    }

    private String inside() {
        return written.attack().foothold() + "," + bot();
    }

    @FunctionalInterface
    private interface Session {
        List<String> lines(int times) throws IOException, InterruptedException;
    }

    private void sessions(String who, Session session) throws IOException, InterruptedException {
        List<JsonNode> first = verdicts(session, WARMUP_TIMES);
        results.add(who + ForensicsFigures.COLD, ms(first.get(0)));
        add(who, verdicts(session, TIMES).subList(1, TIMES));
    }

    private List<JsonNode> verdicts(Session session, int times) throws IOException, InterruptedException {
        List<JsonNode> verdicts = new ArrayList<>();
        for (String line : session.lines(times)) {
            if (line.startsWith("{")) {
                JsonNode verdict = Json.read("forensics", line);
                requireRight(verdict);
                verdicts.add(verdict);
            }
        }
        if (verdicts.size() != times) {
            throw new IOException("a session ended early");
        }
        return verdicts;
    }

    private void add(String who, List<JsonNode> verdicts) {
        results.addMedian(
                who + ForensicsFigures.WARM,
                verdicts.stream().mapToDouble(ForensicsPart::ms).toArray());
        for (int step = 1; step <= STEPS; step++) {
            int at = step - 1;
            results.addMedian(
                    who + ForensicsFigures.step(step),
                    verdicts.stream()
                            .mapToDouble(verdict -> ms(verdict.path("findings").path(at)))
                            .toArray());
        }
    }

    private static double ms(JsonNode took) {
        return took.path("seconds").asDouble() * MS_PER_S;
    }

    /** Requires that the verdict matches the planted attack; only the times of correct verdicts count. */
    private void requireRight(JsonNode verdict) throws IOException {
        TwoStageAttack attack = written.attack();
        String found = of(
                verdict.path("attacker").asText(),
                verdict.path("foothold").asText(),
                verdict.path("master").asText(),
                verdict.path("spam_ns").asLong(),
                verdict.path("contact_ns").asLong(),
                verdict.path("intrusion_ns").asLong());
        String planted = of(
                attack.attacker(),
                attack.foothold(),
                attack.master(),
                attack.spamNs(),
                attack.contactNs(),
                attack.intrusionNs());
        if (!found.equals(planted) || verdict.path("findings").size() != STEPS) {
            throw new IOException("the verdict is " + found + " instead of " + planted);
        }
    }

    private static String of(String attacker, String foothold, String master, long spam, long contact, long intrusion) {
        return "X %s, A %s, Z %s, T0 %d, T-1 %d, T-2 %d"
                .formatted(attacker, foothold, master, spam, contact, intrusion);
    }
}
