package io.chimera.apps.forensics;

import io.chimera.apps.archive.DecodedPacket;
import io.chimera.archive.query.PacketInterval;
import io.chimera.archive.query.PacketQuery;
import io.chimera.archive.query.QueryProgress;
import io.chimera.archive.query.Question;
import io.chimera.common.agent.Clock;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** One question to all archives: its answers in the order of time, and what they cost. One thread. */
final class Hearing {
    private final List<Witness> witnesses;
    private final Clock clock;
    private final int answersMax;
    private final DecodedPacket decoded = new DecodedPacket();
    private final List<Finding> findings = new ArrayList<>();

    private long intervalsRead;
    private long intervalsSkipped;
    private long packets;
    private String filter = "";
    private long beganNs;

    /**
     * Nothing is asked yet.
     *
     * @param answersMax of one question, as they are held in memory
     */
    Hearing(List<Witness> witnesses, Clock clock, int answersMax) {
        this.witnesses = witnesses;
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
     * Asks all of them. Those who saw the same packet both name it.
     *
     * @throws ChimeraException when an archive is damaged, or there are too many answers: without the last of them a step would go wrong
     */
    List<Seen> ask(String asked, long afterNs, long beforeNs, long limit) {
        filter = filter.isEmpty() ? asked : filter;
        List<Seen> answers = new ArrayList<>();
        long heard = 0;
        for (Witness witness : witnesses) {
            try (PacketQuery query = witness.volume().askPackets(new Question(asked, "", afterNs, beforeNs, limit))) {
                while (query.next()) {
                    if (++heard > answersMax) {
                        throw tooMany(asked, afterNs);
                    }
                    add(query.packet(), answers);
                }
                QueryProgress progress = query.progress();
                intervalsRead += progress.intervals();
                intervalsSkipped += progress.skipped();
                packets += progress.found();
                if (progress.damaged() > 0) {
                    throw new ChimeraException(
                            Category.ERROR, "The archive of " + witness.name() + " is damaged: " + progress.damage());
                }
            }
        }
        answers.sort(Comparator.comparingLong(Seen::timeNs));
        return answers;
    }

    private ChimeraException tooMany(String asked, long afterNs) {
        return new ChimeraException(
                Category.ERROR,
                "More than " + answersMax + " packets answer '" + asked + "'; ask "
                        + (afterNs == Long.MIN_VALUE
                                ? "archives that do not reach back so far."
                                : "with a shorter --window."));
    }

    private void add(PacketInterval packet, List<Seen> answers) {
        if (decoded.decode(packet)) {
            answers.add(new Seen(
                    packet.timeNs(),
                    decoded.source(),
                    decoded.tuple().sourcePort(),
                    decoded.destination(),
                    decoded.tuple().destinationPort()));
        }
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
