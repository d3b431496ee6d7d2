package io.chimera.queue.journal.index;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** A reader finds the place of the last published batch, also while the journaler enlarges the index. */
@JCStressTest
@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "The place of the batch.")
@State
public class StreamLogStress {
    /** The first index has room for 16 entries, so the journaler replaces the index. */
    private static final int BEFORE = 15;

    private final StreamLog log = new StreamLog(1);
    private final StreamLog.Place place = new StreamLog.Place();

    public StreamLogStress() {
        for (int number = 1; number <= BEFORE; number++) {
            add(number);
        }
    }

    /** Adds a batch of one record in a separate file, so that the batch gets an entry. */
    private void add(int number) {
        log.add(number, number, number, 100L * number);
    }

    @Actor
    public void journaler() {
        add(BEFORE + 1);
        add(BEFORE + 2);
    }

    @Actor
    public void reader(ZZ_Result result) {
        long position = log.position();
        result.r1 = log.locate(position, place);
        result.r2 = place.file() == position && place.offset() == 100 * position;
    }
}
