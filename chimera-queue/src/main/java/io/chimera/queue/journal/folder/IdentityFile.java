package io.chimera.queue.journal.folder;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.chimera.common.agent.Clock;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.queue.journal.JournalIdentity;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Identity of a journal in its folder: {@code {"id": "1f3a…", "node": "q1", "registered": true, "history": "1f"}}, with
 * the history of the tree once it is registered, with the {@code replaced} ids after a loss of records, and with {@code
 * unproven} once its registration has no proof of copies. A folder without the file, or with an unreadable file, gets a
 * new identity: the cluster then counts the journal as lost and copied again, which costs time and no record.
 */
public final class IdentityFile implements JournalIdentity {
    static final String NAME = "identity.json";

    /** Delay after the first failed write of a note; doubled by each further one. */
    private static final long RETRY_NS_MIN = TimeUnit.SECONDS.toNanos(1);

    private static final long RETRY_NS_MAX = TimeUnit.SECONDS.toNanos(60);

    private static final Logger LOG = LoggerFactory.getLogger(IdentityFile.class);

    private final ReplacedFile file;
    private final Executor chores;
    private final Clock clock;
    private volatile Versions versions;

    /** Set while a note is written; guards the next values. */
    private final AtomicBoolean isWriting = new AtomicBoolean();

    private long retryAtNs;

    /** Delay after the last failed write; 0 after a successful one. */
    private long retryNs;

    /**
     * Versions of the content, replaced as a whole.
     *
     * @param wanted newest version
     * @param attempted version of the last write. Until the write has succeeded, the file has this version or the
     *     written one
     * @param written version of the last successful write
     */
    private record Versions(IdentityContent wanted, IdentityContent attempted, IdentityContent written) {
        private Versions want(IdentityContent next) {
            return new Versions(next, attempted, written);
        }

        private Versions attempt() {
            return new Versions(wanted, wanted, written);
        }

        private Versions succeeded() {
            return new Versions(wanted, attempted, attempted);
        }

        private boolean isWritten() {
            return wanted.equals(written) && wanted.equals(attempted);
        }
    }

    /**
     * Reads the identity, or creates it.
     *
     * @param node id of the queue node
     * @param chores writes the note of the registration
     * @param isIncomplete whether the journal may lack records, so that others must not count on its copies: the id is
     *     replaced
     * @throws ChimeraException when another node was registered with this folder
     */
    public IdentityFile(Path folder, String node, Executor chores, Clock clock, boolean isIncomplete)
            throws IOException {
        file = new ReplacedFile(folder, NAME);
        this.chores = chores;
        this.clock = clock;
        retryAtNs = clock.nanoTime();
        IdentityContent written = read(file);
        boolean isOther = !written.node().isEmpty() && !written.node().equals(node);
        if (isOther && written.registeredIn().isPresent()) {
            throw copied(folder, written.node(), node);
        }
        IdentityContent known = written.id() == 0 || isOther ? IdentityContent.of(node) : written.in(node);
        IdentityContent content = isIncomplete && known.id() == written.id() ? known.renewed() : known;
        versions = new Versions(content, written, written);
        if (content.id() != written.id()) {
            write();
        }
        file.makeReady();
    }

    /**
     * Replaces the id of a closed journal before records are cut off, after which no damage shows that they are
     * missing. Durable on return.
     */
    public static void renew(Path folder) throws IOException {
        ReplacedFile file = new ReplacedFile(folder, NAME);
        IdentityContent known = read(file);
        if (known.id() != 0) {
            file.write(known.renewed().encode());
        }
    }

    /**
     * The cluster knows the journal under the id of the other node. If that node lives, the folder is a copy; if it was
     * removed, the cluster may have ended the cycles of these records.
     */
    private ChimeraException copied(Path folder, String owner, String node) {
        return new ChimeraException(
                Category.FATAL,
                "The journal " + folder + " was copied from node '" + owner + "', which the cluster has registered with"
                        + " it (" + file + "), and this is node '" + node + "'. Start '" + node + "' with an empty"
                        + " data_dir. To rename a node, start the new one beside the old one, then: chimera cluster"
                        + " remove " + owner + ".");
    }

    private static IdentityContent read(ReplacedFile file) throws IOException {
        if (!file.exists()) {
            return IdentityContent.NONE;
        }
        try {
            IdentityContent known = IdentityContent.decode(file.read());
            if (known.id() == 0) {
                LOG.warn("The identity {} cannot be read and is replaced by a new one.", file);
            }
            return known;
        } catch (JsonProcessingException e) {
            LOG.warn("The identity {} is not JSON and is replaced by a new one.", file);
            return IdentityContent.NONE;
        }
    }

    /** Writes the newest version, which may be newer than the one at the request of the write. */
    private void write() throws IOException {
        file.write(change(Versions::attempt).attempted().encode());
        change(Versions::succeeded);
    }

    private synchronized Versions change(UnaryOperator<Versions> step) {
        versions = step.apply(versions);
        return versions;
    }

    @Override
    public long id() {
        return versions.wanted().id();
    }

    @Override
    public List<Long> replaced() {
        return versions.wanted().replaced();
    }

    @Override
    public Optional<String> registeredIn() {
        return versions.wanted().registeredIn();
    }

    @Override
    public boolean isUnproven() {
        Versions present = versions; // one read: the write replaces both versions at once
        return present.written().isUnproven() || present.attempted().isUnproven();
    }

    @Override
    public void noteRegistered(String history, boolean isUnproven) {
        replaceBy(versions.wanted().registered(history, isUnproven));
    }

    @Override
    public void endUnproven() {
        replaceBy(versions.wanted().withoutUnproven());
    }

    private void replaceBy(IdentityContent next) {
        Versions present = change(before -> before.want(next));
        if (present.isWritten() || !isWriting.compareAndSet(false, true)) {
            return;
        }
        if (clock.nanoTime() - retryAtNs < 0) {
            isWriting.set(false);
        } else {
            chores.execute(this::note);
        }
    }

    private void note() {
        try {
            write();
            file.makeReady();
            if (retryNs > 0) {
                LOG.info("The identity {} is written again.", file);
            }
            retryNs = 0;
        } catch (IOException e) {
            if (retryNs == 0) {
                LOG.warn("The identity {} cannot be written: {}. The write is retried.", file, e.toString());
            }
            retryNs = retryNs == 0 ? RETRY_NS_MIN : Math.min(2 * retryNs, RETRY_NS_MAX);
            retryAtNs = clock.nanoTime() + retryNs;
        } finally {
            isWriting.set(false);
        }
    }
}
