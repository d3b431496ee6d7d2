package io.chimera.queue.journal.folder;

import io.chimera.common.agent.Clock;
import io.chimera.common.cluster.control.ControlCodec;
import io.chimera.common.cluster.control.ControlCopy;
import io.chimera.common.cluster.control.ControlState;
import io.chimera.common.error.ChimeraException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copy of the control state in the folder of the journal, as a line of {@link ControlCodec}. The chores executor writes
 * the file.
 */
public final class ControlFile implements ControlCopy {
    public static final String NAME = "control.json";

    private static final Logger LOG = LoggerFactory.getLogger(ControlFile.class);
    private static final String DAMAGED = NAME + ".damaged";

    /** Delay between write attempts after a disk error. */
    private static final long RETRY_NS = TimeUnit.SECONDS.toNanos(1);

    private final ReplacedFile file;
    private final Executor chores;
    private final Clock clock;
    private volatile ControlState kept = ControlState.NONE;
    private volatile String trouble = "";
    private volatile boolean isWriting;
    private long retryAtNs;

    /**
     * Reads the copy, and moves a damaged copy aside.
     *
     * @param chores writes the copy, with at most one write at a time
     */
    public ControlFile(Path folder, Executor chores, Clock clock) throws IOException {
        file = new ReplacedFile(folder, NAME);
        this.chores = chores;
        this.clock = clock;
        retryAtNs = clock.nanoTime();
        if (file.exists()) {
            read(folder);
        }
        file.makeReady();
    }

    private void read(Path folder) throws IOException {
        try {
            kept = ControlCodec.decode(file.read(), file.toString());
        } catch (ChimeraException e) {
            LOG.error("{} The file was moved to {}.", e.getMessage(), DAMAGED);
            Files.move(file.path(), folder.resolve(DAMAGED), StandardCopyOption.REPLACE_EXISTING);
        }
    }

    @Override
    public ControlState kept() {
        return kept;
    }

    @Override
    public String trouble() {
        return trouble;
    }

    @Override
    public void keep(ControlState next) {
        if (isWriting || clock.nanoTime() - retryAtNs < 0) {
            return;
        }
        isWriting = true;
        chores.execute(() -> write(next));
    }

    private void write(ControlState next) {
        try {
            file.write(ControlCodec.encode(next));
            file.makeReady();
            kept = next;
            if (!trouble.isEmpty()) {
                LOG.info("The copy of the control state {} is written again.", file);
                trouble = "";
            }
        } catch (IOException e) {
            retryAtNs = clock.nanoTime() + RETRY_NS;
            if (trouble.isEmpty()) {
                LOG.error(
                        "The copy of the control state {} cannot be written: {}. The write is retried.",
                        file,
                        e.toString());
            }
            trouble = "The copy of the control state " + file + " cannot be written: " + e
                    + ". Until then only other queue nodes can recover ZooKeeper's data. Check the disk.";
        } finally {
            isWriting = false; // publishes the results of the write
        }
    }
}
