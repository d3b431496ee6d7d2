package io.chimera.bench.archive.forensics;

import io.chimera.apps.forensics.InsideNets;
import io.chimera.apps.forensics.Investigation;
import io.chimera.apps.forensics.Investigation.Verdict;
import io.chimera.bench.archive.peers.PageCache;
import io.chimera.common.agent.Clock;
import io.chimera.common.agent.SystemClock;
import io.chimera.node.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Process that runs the investigation of {@code chimera forensics} with a stenographer. Its arguments are certificates,
 * bot, nets inside and number of investigations, then folders of stores to drop from the page cache before each
 * investigation.
 */
public final class StenographerSession {
    private static final Duration WINDOW = Duration.ofSeconds(30);

    private StenographerSession() {}

    /** Prints one line per investigation. */
    public static void main(String[] arguments) throws IOException, GeneralSecurityException, InterruptedException {
        Clock clock = new SystemClock();
        try (StenographerWitness witness = new StenographerWitness(Path.of(arguments[0]), StenographerArchive.PORT)) {
            InsideNets inside = new InsideNets(List.of(arguments[2].split(",", -1)));
            for (int i = Integer.parseInt(arguments[3]); i > 0; i--) {
                for (int store = 4; store < arguments.length; store++) {
                    PageCache.forget(Path.of(arguments[store]));
                }
                Investigation investigation = new Investigation(List.of(witness), Runnable::run, inside, WINDOW, clock);
                print(investigation.run(arguments[1], clock.epochNs()));
            }
        }
    }

    private static void print(Verdict verdict) {
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("attacker", verdict.attacker());
        report.put("foothold", verdict.foothold());
        report.put("master", verdict.master());
        report.put("spam_ns", verdict.spamNs());
        report.put("contact_ns", verdict.contactNs());
        report.put("intrusion_ns", verdict.intrusionNs());
        report.put("seconds", verdict.seconds());
        report.put("findings", verdict.findings());
        System.out.println(Json.line(report));
    }
}
