package io.chimera.apps.forensics;

import io.chimera.apps.archive.Connection;
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
 * From the spam back to the attacker: the seven questions of Hyperion (2007, 7.5, Figure 17), each built on the answers before it, and
 * asked of all archives at once. Times and letters are those of the paper. One thread, once.
 */
public final class Investigation {
    private static final String SYN = "tcp[tcpflags] & (tcp-syn|tcp-ack) == tcp-syn";

    /** Segments of TCP over IPv4 that carry something. */
    private static final String CARRIES =
            "ip and tcp and (ip[2:2] - ((ip[0] & 0xf) << 2)) - ((tcp[12] & 0xf0) >> 2) != 0";

    /** An answer that takes longer is none. */
    private static final int ANSWERS_MAX = 200_000;

    private final Hearing hearing;
    private final InsideNets inside;
    private final long windowNs;

    /**
     * What came of it.
     *
     * @param attacker X
     * @param foothold A
     * @param master Z
     * @param spamNs T0, ns since 1970
     * @param contactNs T-1
     * @param intrusionNs T-2
     * @param findings of the seven questions
     */
    public record Verdict(
            String attacker,
            String foothold,
            String master,
            long spamNs,
            long contactNs,
            long intrusionNs,
            List<Finding> findings) {
        /** How long the questions took, with what was picked among their answers. */
        public double seconds() {
            return findings.stream().mapToDouble(Finding::seconds).sum();
        }
    }

    /**
     * An investigation.
     *
     * @param threads ask the witnesses, as many as there are
     * @param window how far around a moment is looked: the paper's Δ
     */
    public Investigation(List<Witness> witnesses, Executor threads, InsideNets inside, Duration window, Clock clock) {
        hearing = new Hearing(witnesses, threads, clock, ANSWERS_MAX);
        this.inside = inside;
        windowNs = window.toNanos();
    }

    /**
     * Finds out who is behind a host that sends spam.
     *
     * @param bot B, its address
     * @param nowNs nothing later is looked at, ns since 1970
     * @throws ChimeraException when the trail ends; says where
     */
    public Verdict run(String bot, long nowNs) {
        long spamNs = spam(bot, nowNs);
        Set<Connection.Ends> during = talkers(bot, spamNs);
        Connection command = command(bot, spamNs, during);
        long contactNs = contact(bot, command, spamNs);
        Connection intrusion = intrusion(bot, contactNs);
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

    /** 1: T0. */
    private long spam(String bot, long nowNs) {
        hearing.begin();
        List<Connection> mail =
                hearing.ask("src host " + bot + " and tcp dst port 25 and " + SYN, Long.MIN_VALUE, nowNs, 1);
        if (mail.isEmpty()) {
            throw lost(bot + " sent no mail; is it the right host, and do the archives reach back that far?");
        }
        long spamNs = mail.get(0).firstNs();
        hearing.end(1, "Since when does B = " + bot + " send mail?", "T0 = " + time(spamNs));
        return spamNs;
    }

    /** 2: who speaks to B while it sends. */
    private Set<Connection.Ends> talkers(String bot, long spamNs) {
        hearing.begin();
        Set<Connection.Ends> talkers = hearing.ask(toBot(bot), spamNs, spamNs + windowNs, Long.MAX_VALUE).stream()
                .map(Connection::ends)
                .collect(Collectors.toSet());
        hearing.end(2, "Who speaks to B while it sends?", talkers.size() + " connections");
        return talkers;
    }

    /** 3: who of these spoke last before it began: Z. */
    private Connection command(String bot, long spamNs, Set<Connection.Ends> during) {
        hearing.begin();
        List<Connection> before = hearing.ask(toBot(bot), spamNs - windowNs, spamNs, Long.MAX_VALUE);
        List<Connection> both =
                before.stream().filter(seen -> during.contains(seen.ends())).toList();
        Connection last = last(both.isEmpty() ? before : both)
                .orElseThrow(() ->
                        lost("nobody spoke to " + bot + " before it sent mail; look further with a longer --window."));
        hearing.end(
                3,
                "Who of them spoke to B last before T0?",
                "Z = " + last.source() + ", port " + last.sourcePort() + ", at " + time(last.lastNs()));
        return last;
    }

    private static String toBot(String bot) {
        return "dst host " + bot + " and not src port 25 and " + CARRIES;
    }

    /** 4: T-1. */
    private long contact(String bot, Connection command, long spamNs) {
        hearing.begin();
        List<Connection> contacts = hearing.ask(
                "src host " + bot + " and dst host " + command.source() + " and src port " + command.destinationPort()
                        + " and dst port " + command.sourcePort() + " and " + SYN,
                Long.MIN_VALUE,
                spamNs,
                Long.MAX_VALUE);
        long contactNs = last(contacts)
                .orElseThrow(() -> lost("the beginning of the connection between " + bot + " and " + command.source()
                        + " is in no archive; they do not reach back that far."))
                .lastNs();
        hearing.end(4, "When did B contact Z?", "T-1 = " + time(contactNs));
        return contactNs;
    }

    /** 5: A and T-2. */
    private Connection intrusion(String bot, long contactNs) {
        hearing.begin();
        List<Connection> opened =
                hearing.ask("dst host " + bot + " and " + SYN, contactNs - windowNs, contactNs, Long.MAX_VALUE);
        List<Connection> fromInside =
                opened.stream().filter(seen -> inside.holds(seen.source())).toList();
        Connection last = last(fromInside)
                .orElseThrow(() -> lost("no host inside connected to " + bot + " before " + time(contactNs)
                        + "; say with --inside what is inside, or look further with a longer --window."));
        hearing.end(
                5,
                "Who inside connected to B shortly before?",
                "A = " + last.source() + ", to port " + last.destinationPort() + ", T-2 = " + time(last.lastNs()));
        return last;
    }

    /** 6: who outside used A at that time, those who spoke most first. */
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
                .sorted(Comparator.comparingLong(Connection::packets)
                        .reversed()
                        .thenComparing(Connection::source)
                        .thenComparingInt(Connection::sourcePort))
                .map(Connection::source)
                .collect(Collectors.toCollection(LinkedHashSet::new));
        hearing.end(6, "Who outside spoke to A before and after T-2?", suspects.size() + " hosts: " + first(suspects));
        return List.copyOf(suspects);
    }

    /** 7: who of them came of its own accord, and where else it was: X. */
    private String attacker(List<String> suspects, String foothold, long intrusionNs) {
        hearing.begin();
        for (String suspect : suspects) {
            List<Connection> opened =
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
        throw lost("nobody outside that spoke to " + foothold + " around " + time(intrusionNs)
                + " had connected to it; look further with a longer --window.");
    }

    /** That of which a packet came last. */
    private static Optional<Connection> last(List<Connection> seen) {
        return seen.stream().max(Comparator.comparingLong(Connection::lastNs));
    }

    /** Some of them, for people. */
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
