package io.chimera.queue.journal.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.agent.ManualClock;
import io.chimera.common.error.ChimeraException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class IdentityFileTest {
    private static final String TREE = "1f";

    @TempDir
    Path folder;

    private final ManualClock clock = new ManualClock();

    @Test
    void lastsAsLongAsItsFolder() throws IOException {
        IdentityFile first = open();
        assertThat(first.id()).isPositive();
        assertThat(first.registeredIn()).isEmpty();
        assertThat(open().id()).isEqualTo(first.id());

        first.noteRegistered(TREE, false);

        assertThat(first.registeredIn()).contains(TREE);
        assertThat(open().registeredIn()).contains(TREE);
        assertThat(open().id()).isEqualTo(first.id());
    }

    @Test
    void notesTheTreeThatHasRegisteredItLast() throws IOException {
        open().noteRegistered(TREE, false);

        open().noteRegistered("20", false);

        assertThat(open().registeredIn()).contains("20");
    }

    @Test
    void differsInAnotherFolder() throws IOException {
        Path other = Files.createDirectory(folder.resolve("other"));
        assertThat(new IdentityFile(other, "q1", Runnable::run, clock, false).id())
                .isNotEqualTo(open().id());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "{", "[]", "7", "{\"id\": 7.5}", "{\"id\": \"-1\"}", "{\"id\": \"x\"}", "{\"id\": \"0\"}"})
    void replacesAnUnreadableFile(String content) throws IOException {
        Files.writeString(folder.resolve(IdentityFile.NAME), content);

        long id = open().id();

        assertThat(id).isPositive();
        assertThat(open().id()).isEqualTo(id);
        assertThat(open().registeredIn()).isEmpty();
    }

    @Test
    void refusesTheFolderOfAnotherRegisteredNode() throws IOException {
        long id = open().id();
        open().noteRegistered(TREE, false);

        assertThatThrownBy(() -> open("q2"))
                .isInstanceOf(ChimeraException.class)
                .hasMessageContainingAll("copied from node 'q1'", "'q2'", "empty data_dir", IdentityFile.NAME);

        assertThat(open().id()).isEqualTo(id);
    }

    @Test
    void replacesTheIdentityOfAnotherNodeThatWasNeverRegistered() throws IOException {
        long id = open().id();

        assertThat(open("q2").id()).isNotEqualTo(id);
        open("q2").noteRegistered(TREE, false);
        assertThatThrownBy(this::open).hasMessageContaining("copied from node 'q2'");
    }

    /** The first builds with this file named no node and no history. */
    @Test
    void completesAFileWithoutANode() throws IOException {
        Files.writeString(folder.resolve(IdentityFile.NAME), "{\"id\": \"7\", \"registered\": true}");
        IdentityFile file = open();
        assertThat(file.id()).isEqualTo(7);
        assertThat(file.registeredIn()).contains("");

        file.noteRegistered("", false);

        assertThatThrownBy(() -> open("q2")).hasMessageContaining("copied from node 'q1'");
    }

    @Test
    void triesAgainToNoteTheRegistrationAfterADiskError() throws IOException {
        IdentityFile file = open();
        Path inTheWay = refuseWrites();
        file.noteRegistered(TREE, false);
        assertThat(file.registeredIn()).as("this process knows").contains(TREE);
        assertThat(open().registeredIn()).isEmpty();

        Files.delete(inTheWay);
        file.noteRegistered(TREE, false);
        assertThat(open().registeredIn()).as("before the retry").isEmpty();
        clock.advanceMs(1_000);
        file.noteRegistered(TREE, false);

        assertThat(open().registeredIn()).contains(TREE);
    }

    @Test
    void backsOffWhileTheDiskRefusesTheNote() throws IOException {
        List<Long> attemptsMs = new ArrayList<>();
        IdentityFile file = new IdentityFile(
                folder,
                "q1",
                write -> {
                    attemptsMs.add(clock.nanoTime() / 1_000_000);
                    write.run();
                },
                clock,
                false);
        refuseWrites();

        for (int poll = 0; poll < 200_000 / 50; poll++) {
            file.noteRegistered(TREE, false);
            clock.advanceMs(50);
        }

        assertThat(attemptsMs)
                .containsExactly(0L, 1_000L, 3_000L, 7_000L, 15_000L, 31_000L, 63_000L, 123_000L, 183_000L);
    }

    /** Damage must not make a removed node welcome: its folder is still the one that was registered. */
    @Test
    void replacesOnlyTheIdWhenTheJournalIsDamaged() throws IOException {
        IdentityFile first = open();
        first.noteRegistered(TREE, false);

        IdentityFile damaged = openDamaged();

        assertThat(damaged.id()).isNotEqualTo(first.id());
        assertThat(damaged.registeredIn()).contains(TREE);
        assertThat(damaged.replaced()).containsExactly(first.id());
        assertThat(open().id()).isEqualTo(damaged.id());
        assertThat(open().registeredIn()).contains(TREE);
        assertThat(open().replaced()).containsExactly(first.id());
    }

    /** Each of the ids may be in the registration: a note follows its registration. */
    @Test
    void keepsAllReplacedIdsUntilTheNextNote() throws IOException {
        long first = open().id();
        open().noteRegistered(TREE, false);
        long second = openDamaged().id();
        IdentityFile third = openDamaged();
        assertThat(third.replaced()).containsExactly(first, second);

        third.noteRegistered(TREE, false);

        assertThat(third.replaced()).isEmpty();
        assertThat(open().replaced()).isEmpty();
        assertThat(open().id()).isEqualTo(third.id());
    }

    /** A new folder does not know whether the registration of an earlier one has a proof. */
    @Test
    void knowsOfItsRegistrationWithoutAProof() throws IOException {
        assertThat(open().isUnproven()).isFalse();
        open().noteRegistered(TREE, true);
        assertThat(open().isUnproven()).isTrue();
        assertThat(openDamaged().isUnproven()).isTrue();

        open().noteRegistered(TREE, false);

        assertThat(open().isUnproven()).isFalse();
    }

    /** A proof waits for this note. */
    @Test
    void isUnprovenUntilTheNextNoteIsDurable() throws IOException {
        open().noteRegistered(TREE, true);
        Path inTheWay = refuseWrites();
        IdentityFile file = open();
        file.noteRegistered(TREE, false);
        assertThat(file.isUnproven()).isTrue();

        Files.delete(inTheWay);
        clock.advanceMs(1_000);
        file.noteRegistered(TREE, false);

        assertThat(file.isUnproven()).isFalse();
    }

    /** A removed node must not acknowledge alone, although no start can reach the coordinator. */
    @Test
    void endsTheNoteWithoutARegistration() throws IOException {
        IdentityFile file = open();
        file.endUnproven();
        assertThat(file.registeredIn()).isEmpty();
        file.noteRegistered(TREE, true);

        file.endUnproven();

        assertThat(file.isUnproven()).isFalse();
        assertThat(open().isUnproven()).isFalse();
        assertThat(open().registeredIn()).contains(TREE);
    }

    /** The note that is still queued would let a later start acknowledge alone. */
    @Test
    void aQueuedWriteWritesTheNewestNote() throws IOException {
        List<Runnable> queued = new ArrayList<>();
        IdentityFile file = new IdentityFile(folder, "q1", queued::add, clock, false);
        file.noteRegistered(TREE, true);
        file.endUnproven();
        assertThat(file.isUnproven()).isFalse();

        queued.remove(0).run();

        assertThat(open().isUnproven()).isFalse();
        assertThat(open().registeredIn()).contains(TREE);
    }

    /** A write that fails late may have replaced the file. */
    @Test
    void theNoteStaysInDoubtAfterAFailedWrite() throws IOException {
        IdentityFile file = open();
        Path inTheWay = refuseWrites();
        file.noteRegistered(TREE, true);
        file.endUnproven();
        assertThat(file.isUnproven()).isTrue();

        Files.delete(inTheWay);
        clock.advanceMs(1_000);
        file.endUnproven();

        assertThat(file.isUnproven()).isFalse();
        assertThat(open().isUnproven()).isFalse();
    }

    @Test
    void keepsRoomForTheNextNoteOnAFullDisk() throws IOException {
        Path next = folder.resolve(IdentityFile.NAME + ".next");
        IdentityFile file = open();
        assertThat(next).isNotEmptyFile();

        file.noteRegistered(TREE, true);

        assertThat(next).isNotEmptyFile();
    }

    /** Lets each write fail until the returned folder is deleted. */
    private Path refuseWrites() throws IOException {
        Path next = folder.resolve(IdentityFile.NAME + ".next");
        Files.deleteIfExists(next);
        return Files.createDirectory(next);
    }

    private IdentityFile openDamaged() throws IOException {
        return new IdentityFile(folder, "q1", Runnable::run, clock, true);
    }

    private IdentityFile open() throws IOException {
        return open("q1");
    }

    private IdentityFile open(String node) throws IOException {
        return new IdentityFile(folder, node, Runnable::run, clock, false);
    }
}
