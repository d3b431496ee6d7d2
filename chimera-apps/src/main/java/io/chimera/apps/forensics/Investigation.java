package io.chimera.apps.forensics;

import io.chimera.archive.server.answer.ConnectionDirection;
import io.chimera.common.agent.Clock;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;

/**
 * Traces spam back to the attacker with the seven questions of Hyperion (2007, 7.5, Figure 17). Each question builds on
 * the previous answers and goes to all archives at once. Times and letters are those of the paper. One thread, one run.
 */
public final class Investigation {
    private static final String SYN = "tcp[tcpflags] & (tcp-syn|tcp-ack) == tcp-syn";

    /** Matches TCP segments over IPv4 with a payload. */
    private static final String CARRIES =
            "ip and tcp and (ip[2:2] - ((ip[0] & 0xf) << 2)) - ((tcp[12] & 0xf0) >> 2) != 0";

    /** Maximum number of matching packets; a larger answer is an error. */
    private static final int ANSWERS_MAX = 200_000;

    private final Hearing hearing;
    private final InsideNets inside;
    private final long windowNs;

    /**
     * Result of the investigation.
     *
     * @param attacker X
     * @param foothold A
     * @param master Z
     * @param spamNs T0, ns since 1970
     * @param contactNs T-1, ns since 1970
     * @param intrusionNs T-2, ns since 1970
     * @param findings results of the seven questions
     */
    public record Verdict(
            String attacker,
            String foothold,
            String master,
            long spamNs,
            long contactNs,
            long intrusionNs,
            List<Finding> findings) {
        /** Returns the total duration of the questions, including the evaluation of their answers. */
        public double seconds() {
            return findings.stream().mapToDouble(Finding::seconds).sum();
        }
    }

    /**
     * Creates an investigation.
     *
     * @param threads executor with one thread per witness
     * @param window search window around a moment: Δ in the paper
     */
    public Investigation(List<Witness> witnesses, Executor threads, InsideNets inside, Duration window, Clock clock) {
        hearing = new Hearing(witnesses, threads, clock, ANSWERS_MAX);
        this.inside = inside;
        windowNs = window.toNanos();
    }

    /**
     * Traces the attack behind a host with spam traffic.
     *
     * @param bot address of B
     * @param nowNs upper bound of the search, ns since 1970
     * @throws ChimeraException when the trail ends; the message says where
     */
    public Verdict run(String bot, long nowNs) {
        long spamNs = spam(bot, nowNs);
        Set<ConnectionDirection.Ends> during = talkers(bot, spamNs);
        ConnectionDirection command = command(bot, spamNs, during);
        long contactNs = contact(bot, command, spamNs);
        ConnectionDirection intrusion = intrusion(bot, contactNs);
        List<String> suspects = suspects(intrusion.source(), intrusion.lastNs());
        String attacker = attacker(suspects, intrusion.source(), intrusion.lastNs());
        return new Verdict(
                attacker,
                intrusion.source(),
                command.source(),
                spamNs,
                contactNs,
                intrusion.lastNs(),
                hearing.findings());
    }

    /** Question 1: T0. */
    private long spam(String bot, long nowNs) {
        hearing.begin();
        List<ConnectionDirection> mail =
                hearing.ask("src host " + bot + " and tcp dst port 25 and " + SYN, Long.MIN_VALUE, nowNs, 1);
        if (mail.isEmpty()) {
            throw lost(bot + " sent no mail in the archives; check the host and the time range of the archives.");
        }
        long spamNs = mail.get(0).firstNs();
        hearing.end(1, "Since when does B = " + bot + " send mail?", "T0 = " + time(spamNs));
        return spamNs;
    }

    /** Question 2: connections to B during the spam. */
    private Set<ConnectionDirection.Ends> talkers(String bot, long spamNs) {
        hearing.begin();
        Set<ConnectionDirection.Ends> talkers =
                hearing.ask(toBot(bot), spamNs, spamNs + windowNs, Long.MAX_VALUE).stream()
                        .map(ConnectionDirection::ends)
                        .collect(Collectors.toSet());
        hearing.end(2, "Who speaks to B while it sends?", talkers.size() + " connections");
        return talkers;
    }

    /** Question 3: Z, the last of these peers to send to B before the spam. */
    private ConnectionDirection command(String bot, long spamNs, Set<ConnectionDirection.Ends> during) {
        hearing.begin();
        List<ConnectionDirection> before = hearing.ask(toBot(bot), spamNs - windowNs, spamNs, Long.MAX_VALUE);
        List<ConnectionDirection> both =
                before.stream().filter(seen -> during.contains(seen.ends())).toList();
        ConnectionDirection last = last(both.isEmpty() ? before : both)
                .orElseThrow(() -> lost("no host sent to " + bot + " before its first mail; use a longer --window."));
        hearing.end(
                3,
                "Who of them spoke to B last before T0?",
                "Z = " + last.source() + ", port " + last.sourcePort() + ", at " + time(last.lastNs()));
        return last;
    }

    private static String toBot(String bot) {
        return "dst host " + bot + " and not src port 25 and " + CARRIES;
    }

    /** Question 4: T-1. */
    private long contact(String bot, ConnectionDirection command, long spamNs) {
        hearing.begin();
        List<ConnectionDirection> contacts = hearing.ask(
                "src host " + bot + " and dst host " + command.source() + " and src port " + command.destinationPort()
                        + " and dst port " + command.sourcePort() + " and " + SYN,
                Long.MIN_VALUE,
                spamNs,
                Long.MAX_VALUE);
        long contactNs = last(contacts)
                .orElseThrow(() -> lost("the begin of the connection between " + bot + " and " + command.source()
                        + " is in no archive; use archives with more history."))
                .lastNs();
        hearing.end(4, "When did B contact Z?", "T-1 = " + time(contactNs));
        return contactNs;
    }

    /** Question 5: A and T-2. */
    private ConnectionDirection intrusion(String bot, long contactNs) {
        hearing.begin();
        List<ConnectionDirection> opened =
                hearing.ask("dst host " + bot + " and " + SYN, contactNs - windowNs, contactNs, Long.MAX_VALUE);
        List<ConnectionDirection> fromInside =
                opened.stream().filter(seen -> inside.holds(seen.source())).toList();
        ConnectionDirection last = last(fromInside)
                .orElseThrow(() -> lost("no inside host connected to " + bot + " before " + time(contactNs)
                        + "; set the inside networks with --inside, or use a longer --window."));
        hearing.end(
                5,
                "Who inside connected to B shortly before?",
                "A = " + last.source() + ", to port " + last.destinationPort() + ", T-2 = " + time(last.lastNs()));
        return last;
    }

    /** Question 6: outside hosts with traffic to A before and after T-2, in descending order of packets. */
    private List<String> suspects(String foothold, long intrusionNs) {
        hearing.begin();
        Set<String> suspects = hearing
                .ask(
                        "dst host " + foothold + " and " + CARRIES,
                        intrusionNs - windowNs,
                        intrusionNs + windowNs,
                        Long.MAX_VALUE)
                .stream()
                .filter(seen -> !inside.holds(seen.source()))
                .filter(seen -> seen.firstNs() < intrusionNs && seen.lastNs() > intrusionNs)
                .sorted(Comparator.comparingLong(ConnectionDirection::packets)
                        .reversed()
                        .thenComparing(ConnectionDirection::source)
                        .thenComparingInt(ConnectionDirection::sourcePort))
                .map(ConnectionDirection::source)
                .collect(Collectors.toCollection(LinkedHashSet::new));
        hearing.end(6, "Who outside spoke to A before and after T-2?", suspects.size() + " hosts: " + first(suspects));
        return List.copyOf(suspects);
    }

    /** Question 7: X, the first suspect with a connection of its own to A, and X's other targets. */
    private String attacker(List<String> suspects, String foothold, long intrusionNs) {
        hearing.begin();
        for (String suspect : suspects) {
            List<ConnectionDirection> opened =
                    hearing.ask("src host " + suspect + " and " + SYN, Long.MIN_VALUE, intrusionNs, Long.MAX_VALUE);
            if (opened.stream().anyMatch(seen -> seen.destination().equals(foothold))) {
                Set<String> targets = new LinkedHashSet<>();
                opened.forEach(seen -> targets.add(seen.destination() + ":" + seen.destinationPort()));
                hearing.end(
                        7,
                        "Who of them connected to A, and to what else?",
                        "X = " + suspect + ", since " + time(opened.get(0).firstNs()) + ", to " + first(targets));
                return suspect;
            }
        }
        throw lost("no outside host with traffic to " + foothold + " around " + time(intrusionNs)
                + " had connected to it; use a longer --window.");
    }

    /** Returns the connection with the latest packet. */
    private static Optional<ConnectionDirection> last(List<ConnectionDirection> seen) {
        return seen.stream().max(Comparator.comparingLong(ConnectionDirection::lastNs));
    }

    /** Formats the first names for display. */
    private static String first(Set<String> names) {
        List<String> some = new ArrayList<>(names).subList(0, Math.min(12, names.size()));
        return String.join(", ", some) + (names.size() > some.size() ? " …" : "");
    }

    private static String time(long ns) {
        return Instant.ofEpochSecond(0, ns).toString();
    }

    private static ChimeraException lost(String why) {
        return new ChimeraException(Category.ERROR, "The trail ends: " + why);
    }
}
