package io.chimera.queue.journal.folder;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Name of the machine's boot during which the records of a journal were written without a sync. A power cut loses such
 * records from the page cache and leaves no damage: the file merely ends earlier. So the records count as lost under
 * any other boot.
 */
public final class BootFile {
    static final String NAME = "boot";

    private final ReplacedFile file;
    private final Optional<String> present;
    private final boolean isOther;

    /** Reads the file, if it exists. */
    public BootFile(Path folder, JournalDisk disk) throws IOException {
        file = new ReplacedFile(folder, NAME);
        present = disk.boot();
        isOther = file.exists() && !present.equals(Optional.of(new String(file.read(), UTF_8)));
    }

    /** Returns whether an earlier boot of the machine may have ended before records of the journal were on the disk. */
    public boolean isOther() {
        return isOther;
    }

    /**
     * Notes the present boot, durably on return, or deletes the note. A machine without a name of its boot keeps none.
     *
     * @param syncs whether the journal syncs its records, and has synced the earlier ones
     */
    public void note(boolean syncs) throws IOException {
        if (syncs || present.isEmpty()) {
            Files.deleteIfExists(file.path());
        } else if (isOther || !file.exists()) {
            file.write(present.get().getBytes(UTF_8));
        }
    }
}
