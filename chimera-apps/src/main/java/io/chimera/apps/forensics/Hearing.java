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
    /** More answers than that need a narrower question. */
    private static final int ANSWERS_MAX = 200_000;

    private final List<Witness> witnesses;
    private final Clock clock;
    private final DecodedPacket decoded = new DecodedPacket();
    private final List<Finding> findings = new ArrayList<>();

    private long intervalsRead;
    private long intervalsSkipped;
    private long packets;
    private String filter = "";
    private long beganNs;

    Hearing(List<Witness> witnesses, Clock clock) {
        this.witnesses = witnesses;
        this.clock = clock;
    }

    /** Begins a step. */
    void begin() {
        intervalsRead = 0;
        intervalsSkipped = 0;
        packets = 0;
        filter = "";
        beganNs = clock.nanoTime();
    }

    /** Asks all of them. Those who saw the same packet both name it. */
    List<Seen> ask(String asked, long afterNs, long beforeNs, long limit) {
        filter = filter.isEmpty() ? asked : filter;
        List<Seen> answers = new ArrayList<>();
        for (Witness witness : witnesses) {
            try (PacketQuery query =
                    witness.volume().ask(new Question(asked, "", afterNs, beforeNs, Math.min(limit, ANSWERS_MAX)))) {
                while (query.next()) {
                    add(query.packet(), answers);
                }
                QueryProgress progress = query.progress();
                intervalsRead += progress.intervals();
                intervalsSkipped += progress.skipped();
                packets += progress.packets();
                if (progress.damaged() > 0) {
                    throw new ChimeraException(
                            Category.ERROR, "The archive of " + witness.name() + " is damaged: " + progress.damage());
                }
            }
        }
        answers.sort(Comparator.comparingLong(Seen::timeNs));
        return answers;
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
