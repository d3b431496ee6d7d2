package io.chimera.apps.forensics;

import io.chimera.archive.query.Question;
import io.chimera.archive.server.answer.ConnectionDirection;
import io.chimera.common.agent.Clock;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;

/** Asks all archives the same question in parallel, and collects the matching connections and the cost. One thread. */
final class Hearing {
    private final List<Witness> witnesses;
    private final Executor threads;
    private final Clock clock;
    private final int answersMax;
    private final List<Finding> findings = new ArrayList<>();

    private long intervalsRead;
    private long intervalsSkipped;
    private long packets;
    private String filter = "";
    private long beganNs;

    /**
     * Creates a hearing.
     *
     * @param threads executor with one thread per witness
     * @param answersMax maximum number of matching packets per question
     */
    Hearing(List<Witness> witnesses, Executor threads, Clock clock, int answersMax) {
        this.witnesses = witnesses;
        this.threads = threads;
        this.clock = clock;
        this.answersMax = answersMax;
    }

    /** Begins a step. */
    void begin() {
        intervalsRead = 0;
        intervalsSkipped = 0;
        packets = 0;
        filter = "";
        beganNs = clock.nanoTime();
    }

    /**
     * Asks all witnesses. A packet seen by two witnesses counts twice.
     *
     * @return the merged observations of each connection, in the order of the first packets
     * @throws ChimeraException when an archive is damaged, or too many packets match: a truncated answer could mislead
     *     the next step
     */
    List<ConnectionDirection> ask(String asked, long afterNs, long beforeNs, long limit) {
        filter = filter.isEmpty() ? asked : filter;
        Question question = new Question(asked, "", afterNs, beforeNs, Math.min(limit, answersMax + 1L));
        List<CompletableFuture<Statement>> asking = witnesses.stream()
                .map(witness -> CompletableFuture.supplyAsync(() -> witness.ask(question), threads))
                .toList();
        // waits for all witnesses even if one fails: no archive is in use after the return
        CompletableFuture.allOf(asking.toArray(CompletableFuture[]::new))
                .exceptionally(failure -> null)
                .join();
        Map<ConnectionDirection.Ends, ConnectionDirection> answers = new HashMap<>();
        long heard = 0;
        for (CompletableFuture<Statement> each : asking) {
            Statement statement = await(each);
            statement.connections().forEach(seen -> answers.merge(seen.ends(), seen, ConnectionDirection::plus));
            heard += statement.packets();
            intervalsRead += statement.intervalsRead();
            intervalsSkipped += statement.intervalsSkipped();
        }
        if (heard > answersMax) {
            throw tooMany(asked, afterNs);
        }
        packets += heard;
        return answers.values().stream()
                .sorted(Comparator.comparingLong(ConnectionDirection::firstNs))
                .toList();
    }

    private static Statement await(CompletableFuture<Statement> asked) {
        try {
            return asked.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof ChimeraException failure) {
                throw failure;
            }
            throw e;
        }
    }

    private ChimeraException tooMany(String asked, long afterNs) {
        return new ChimeraException(
                Category.ERROR,
                "More than " + answersMax + " packets match '" + asked + "'; use "
                        + (afterNs == Long.MIN_VALUE ? "archives with less history." : "a shorter --window."));
    }

    /** Ends a step. */
    void end(int step, String question, String answer) {
        findings.add(new Finding(
                step,
                question,
                filter,
                answer,
                packets,
                intervalsRead,
                intervalsSkipped,
                (clock.nanoTime() - beganNs) / 1e9));
    }

    List<Finding> findings() {
        return findings;
    }
}
