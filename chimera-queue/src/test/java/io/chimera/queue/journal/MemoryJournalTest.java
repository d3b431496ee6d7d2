package io.chimera.queue.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.queue.journal.Journal.Appended;
import org.junit.jupiter.api.Test;

final class MemoryJournalTest extends JournalContract {
    private MemoryJournal journal;

    @Override
    protected Journal open(SyncPolicy sync) {
        if (journal == null) {
            journal = new MemoryJournal(sync, SYNC_EVERY.toMillis(), clock);
        } else {
            journal.reopen();
        }
        return journal;
    }

    @Test
    void crashLosesWhatIsNotDurable() {
        open(SyncPolicy.BATCH);
        batches.append(journal, A, 1, 4);
        journal.sync();
        batches.append(journal, A, 5, 4);

        journal.crash();
        journal.reopen();

        assertThat(journal.position(A)).isEqualTo(4);
        assertThat(read(journal, A, 0, 4)).hasSize(1);
        assertThat(batches.append(journal, A, 5, 1)).isEqualTo(Appended.OK);
    }

    @Test
    void crashKeepsWhatHadReachedTheDiskInTheOrderOfWriting() {
        open(SyncPolicy.BATCH);
        batches.append(journal, A, 1, 4);
        batches.append(journal, A + 1, 1, 2);
        batches.append(journal, A, 5, 4);

        assertThat(journal.unsynced()).isEqualTo(3);
        journal.crash(2);
        journal.reopen();

        assertThat(journal.position(A)).isEqualTo(4);
        assertThat(journal.durable(A + 1)).isEqualTo(2);
        assertThat(batches.append(journal, A, 5, 1)).isEqualTo(Appended.OK);
    }

    @Test
    void refusesBeyondItsLimitAndOnDemand() {
        open(SyncPolicy.NONE);
        journal.limit(batches.seal(A, 1, 4));

        assertThat(batches.append(journal, A, 1, 4)).isEqualTo(Appended.OK);
        assertThat(batches.append(journal, A, 5, 1)).isEqualTo(Appended.FULL);
        journal.limit(Long.MAX_VALUE);
        journal.refuse(true);
        assertThat(batches.append(journal, A, 5, 1)).isEqualTo(Appended.FULL);
        journal.refuse(false);
        assertThat(batches.append(journal, A, 5, 1)).isEqualTo(Appended.OK);
    }
}
