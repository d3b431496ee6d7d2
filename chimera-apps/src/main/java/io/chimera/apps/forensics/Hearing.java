package io.chimera.apps.forensics;

import io.chimera.apps.archive.Connection;
import io.chimera.archive.query.Question;
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

/** One question to all archives at once: the connections that answer it, and what they cost. One thread. */
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
     * Nothing is asked yet.
     *
     * @param threads ask the witnesses, each on one
     * @param answersMax packets that may answer one question
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
     * Asks all of them. Those who saw the same packet both count it.
     *
     * @return what they saw of each connection together, in the order of the first packets
     * @throws ChimeraException when an archive is damaged, or there are too many answers: without the last of them a step would go wrong
     */
    List<Connection> ask(String asked, long afterNs, long beforeNs, long limit) {
        filter = filter.isEmpty() ? asked : filter;
        Question question = new Question(asked, "", afterNs, beforeNs, Math.min(limit, answersMax + 1L));
        List<CompletableFuture<Statement>> asking = witnesses.stream()
                .map(witness -> CompletableFuture.supplyAsync(() -> witness.ask(question), threads))
                .toList();
        // also those behind one that fails: nobody reads an archive any more when this returns
        CompletableFuture.allOf(asking.toArray(CompletableFuture[]::new))
                .exceptionally(failure -> null)
                .join();
        Map<Connection.Ends, Connection> answers = new HashMap<>();
        long heard = 0;
        for (CompletableFuture<Statement> each : asking) {
            Statement statement = await(each);
            statement.connections().forEach(seen -> answers.merge(seen.ends(), seen, Connection::plus));
            heard += statement.packets();
            intervalsRead += statement.intervalsRead();
            intervalsSkipped += statement.intervalsSkipped();
        }
        if (heard > answersMax) {
            throw tooMany(asked, afterNs);
        }
        packets += heard;
        return answers.values().stream()
                .sorted(Comparator.comparingLong(Connection::firstNs))
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
                "More than " + answersMax + " packets answer '" + asked + "'; ask "
                        + (afterNs == Long.MIN_VALUE
                                ? "archives that do not reach back so far."
                                : "with a shorter --window."));
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
