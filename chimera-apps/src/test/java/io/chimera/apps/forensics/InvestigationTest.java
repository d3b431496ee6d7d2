package io.chimera.apps.forensics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.apps.forensics.Investigation.Verdict;
import io.chimera.archive.query.Question;
import io.chimera.archive.server.answer.ConnectionDirection;
import io.chimera.common.agent.ManualClock;
import io.chimera.common.error.ChimeraException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The verdict from scripted answers: each answer has a decoy that a wrong choice would take. */
final class InvestigationTest {
    private static final String BOT = "10.0.0.2";
    private static final String FOOTHOLD = "10.0.0.1";
    private static final String MASTER = "192.0.2.9";
    private static final String ATTACKER = "192.0.2.66";
    private static final String DECOY = "192.0.2.200";
    private static final long S = 1_000_000_000L;
    private static final long WINDOW = 30 * S;
    private static final long SPAM = 900 * S;
    private static final long CONTACT = 480 * S;
    private static final long INTRUSION = 470 * S;

    private final List<Question> asked = new ArrayList<>();
    private final List<List<ConnectionDirection>> answers = new ArrayList<>();

    /** Answers the questions in their order. */
    private final Witness witness = new Witness() {
        @Override
        public String name() {
            return "gateway";
        }

        @Override
        public Statement ask(Question question) {
            asked.add(question);
            List<ConnectionDirection> seen = answers.get(asked.size() - 1);
            return new Statement(seen, seen.size(), 2, 3);
        }

        @Override
        public void close() {}
    };

    private static ConnectionDirection seen(
            String source, int sourcePort, String destination, int port, long firstNs, long lastNs, long packets) {
        return new ConnectionDirection(source, sourcePort, destination, port, 6, firstNs, lastNs, packets);
    }

    @BeforeEach
    void script() {
        ConnectionDirection command = seen(MASTER, 6667, BOT, 4000, SPAM, SPAM, 1);
        answers.add(List.of(seen(BOT, 4100, DECOY, 25, SPAM, SPAM, 1)));
        answers.add(List.of(command, seen(DECOY, 80, BOT, 4001, SPAM + S, SPAM + S, 1)));
        answers.add(List.of(
                seen(MASTER, 6667, BOT, 4000, SPAM - 9 * S, SPAM - S, 1),
                seen(DECOY, 80, BOT, 4001, SPAM - 3 * S, SPAM - 2 * S, 1),
                seen(DECOY, 81, BOT, 4009, SPAM - 2 * S, SPAM, 1))); // the last, but silent during the spam
        answers.add(List.of(
                seen(BOT, 4000, MASTER, 6667, CONTACT - 99 * S, CONTACT, 2),
                seen(BOT, 4000, MASTER, 6667, CONTACT - 9 * S, CONTACT - 9 * S, 1)));
        answers.add(List.of(
                seen(FOOTHOLD, 5000, BOT, 445, INTRUSION - S, INTRUSION, 1),
                seen("10.0.0.7", 5000, BOT, 445, INTRUSION - 2 * S, INTRUSION - S, 1),
                seen(DECOY, 5000, BOT, 445, INTRUSION, INTRUSION + S, 1))); // the last, but outside
        answers.add(List.of(
                seen(ATTACKER, 7000, FOOTHOLD, 22, INTRUSION - S, INTRUSION + S, 20),
                seen(DECOY, 53, FOOTHOLD, 7001, INTRUSION - S, INTRUSION + S, 90), // answers, but did not connect
                seen("10.0.0.7", 7002, FOOTHOLD, 22, INTRUSION - S, INTRUSION + S, 99),
                seen("192.0.2.201", 7003, FOOTHOLD, 22, INTRUSION - S, INTRUSION, 99), // ended before T-2
                seen("192.0.2.202", 7004, FOOTHOLD, 22, INTRUSION, INTRUSION + S, 99), // began after T-2
                seen("192.0.2.203", 7005, FOOTHOLD, 22, INTRUSION - S, INTRUSION + S, 19))); // fewer packets
        answers.add(List.of(seen(DECOY, 7001, "10.0.0.8", 80, S, S, 1)));
        answers.add(List.of(
                seen(ATTACKER, 6999, "10.0.0.8", 22, S, S, 1), seen(ATTACKER, 7000, FOOTHOLD, 22, 2 * S, 2 * S, 1)));
    }

    private Verdict run() {
        return new Investigation(
                        List.of(witness),
                        Runnable::run,
                        new InsideNets(InsideNets.DEFAULT),
                        Duration.ofNanos(WINDOW),
                        new ManualClock())
                .run(BOT, 1200 * S);
    }

    @Test
    void namesTheAttackerAndTheTimesInSpiteOfDecoys() {
        Verdict verdict = run();

        assertThat(verdict)
                .isEqualTo(new Verdict(ATTACKER, FOOTHOLD, MASTER, SPAM, CONTACT, INTRUSION, verdict.findings()));
        assertThat(verdict.findings()).extracting(Finding::step).containsExactly(1, 2, 3, 4, 5, 6, 7);
        assertThat(verdict.findings()).extracting(Finding::intervalsRead).containsExactly(2L, 2L, 2L, 2L, 2L, 2L, 4L);
        assertThat(verdict.findings()).extracting(Finding::packets).containsExactly(1L, 2L, 3L, 2L, 3L, 6L, 3L);
    }

    @Test
    void asksWithinTheTimesOfTheAnswersBefore() {
        run();

        assertThat(asked)
                .extracting(Question::afterNs)
                .containsExactly(
                        Long.MIN_VALUE,
                        SPAM,
                        SPAM - WINDOW,
                        Long.MIN_VALUE,
                        CONTACT - WINDOW,
                        INTRUSION - WINDOW,
                        Long.MIN_VALUE,
                        Long.MIN_VALUE);
        assertThat(asked)
                .extracting(Question::beforeNs)
                .containsExactly(
                        1200 * S, SPAM + WINDOW, SPAM, SPAM, CONTACT, INTRUSION + WINDOW, INTRUSION, INTRUSION);
        assertThat(asked.get(3).filter())
                .contains("src host " + BOT, "dst host " + MASTER, "src port 4000", "dst port 6667");
    }

    @Test
    void asksTheLastTalkerWhenNoneWentOnDuringTheSpam() {
        answers.set(1, List.of());
        run();

        assertThat(asked.get(3).filter()).contains("dst host " + DECOY, "dst port 81");
    }

    /** Without an answer the trail ends at the question, and no later question is asked. */
    @Test
    void endsTheTrailAtTheFirstQuestionWithoutAnAnswer() {
        for (int question : List.of(0, 2, 3, 4, 5)) {
            List<ConnectionDirection> answer = answers.set(question, List.of());
            asked.clear();

            assertThatThrownBy(this::run).isInstanceOf(ChimeraException.class).hasMessageContaining("The trail ends");
            assertThat(asked).hasSize(Math.min(6, question + 1));
            answers.set(question, answer);
        }
    }
}
