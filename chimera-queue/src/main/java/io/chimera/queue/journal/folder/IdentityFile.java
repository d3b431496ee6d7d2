package io.chimera.queue.journal.folder;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.chimera.common.agent.Clock;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.queue.journal.JournalIdentity;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Identity of a journal in its folder: {@code {"id": "1f3a…", "node": "q1", "registered": true, "history": "1f"}}, with
 * the history of the tree once it is registered. A folder without the file, or with an unreadable file, gets a new
 * identity: the cluster then counts the journal as lost and copied again, which costs time and no record.
 */
public final class IdentityFile implements JournalIdentity {
    static final String NAME = "identity.json";

    private static final String ID = "id";
    private static final String NODE = "node";
    private static final String REGISTERED = "registered";
    private static final String HISTORY = "history";
    private static final int HEX = 16;

    /** Delay after the first failed write of a note; doubled by each further one. */
    private static final long RETRY_NS_MIN = TimeUnit.SECONDS.toNanos(1);

    private static final long RETRY_NS_MAX = TimeUnit.SECONDS.toNanos(60);

    private static final Logger LOG = LoggerFactory.getLogger(IdentityFile.class);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final ReplacedFile file;
    private final String node;
    private final Executor chores;
    private final Clock clock;
    private final long id;
    private volatile Optional<String> registeredIn = Optional.empty();

    /** History in a complete file; empty while the file lacks a value. */
    private volatile Optional<String> written = Optional.empty();

    /** Set while a note is written; guards the next values. */
    private final AtomicBoolean isWriting = new AtomicBoolean();

    private long retryAtNs;

    /** Delay after the last failed write; 0 after a successful one. */
    private long retryNs;

    /**
     * Reads the identity, or creates it.
     *
     * @param node id of the queue node
     * @param chores writes the note of the registration
     * @param isDamaged whether the journal lacks records, so that others must not count on its copies: the identity is
     *     replaced
     * @throws ChimeraException when another node was registered with this folder
     */
    public IdentityFile(Path folder, String node, Executor chores, Clock clock, boolean isDamaged) throws IOException {
        file = new ReplacedFile(folder, NAME);
        this.node = node;
        this.chores = chores;
        this.clock = clock;
        retryAtNs = clock.nanoTime();
        JsonNode known = read();
        String owner = known.path(NODE).asText(node);
        boolean isRegistered = known.path(REGISTERED).asBoolean();
        if (!owner.equals(node) && isRegistered) {
            throw copied(folder, owner);
        }
        long named = isDamaged || !owner.equals(node) ? 0 : idIn(known);
        if (named == 0) {
            id = new SecureRandom().nextLong(1, Long.MAX_VALUE);
            write(Optional.empty());
        } else {
            id = named;
            registeredIn = isRegistered ? Optional.of(known.path(HISTORY).asText("")) : Optional.empty();
            written = known.has(NODE) ? registeredIn : Optional.empty();
        }
    }

    /**
     * The cluster knows the journal under the id of the other node. If that node lives, the folder is a copy; if it was
     * removed, the cluster may have ended the cycles of these records.
     */
    private ChimeraException copied(Path folder, String owner) {
        return new ChimeraException(
                Category.FATAL,
                "The journal " + folder + " was copied from node '" + owner + "', which the cluster has registered with"
                        + " it (" + file + "), and this is node '" + node + "'. Start '" + node + "' with an empty"
                        + " data_dir. To rename a node, start the new one beside the old one, then: chimera cluster"
                        + " remove " + owner + ".");
    }

    private JsonNode read() throws IOException {
        if (!file.exists()) {
            return JsonNodeFactory.instance.objectNode();
        }
        try {
            JsonNode known = JSON.readTree(file.read());
            if (idIn(known) == 0) {
                LOG.warn("The identity {} cannot be read and is replaced by a new one.", file);
            }
            return known;
        } catch (JsonProcessingException e) {
            LOG.warn("The identity {} is not JSON and is replaced by a new one.", file);
            return JsonNodeFactory.instance.objectNode();
        }
    }

    /** Returns the id in the file; 0 without a readable id. */
    private static long idIn(JsonNode known) {
        try {
            return Math.max(0, Long.parseLong(known.path(ID).asText(), HEX));
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    private void write(Optional<String> history) throws IOException {
        ObjectNode identity = JSON.createObjectNode()
                .put(ID, Long.toHexString(id))
                .put(NODE, node)
                .put(REGISTERED, history.isPresent());
        history.ifPresent(name -> identity.put(HISTORY, name));
        file.write(JSON.writeValueAsBytes(identity));
    }

    @Override
    public long id() {
        return id;
    }

    @Override
    public Optional<String> registeredIn() {
        return registeredIn;
    }

    @Override
    public void noteRegistered(String history) {
        Optional<String> next = Optional.of(history);
        registeredIn = next;
        if (written.equals(next) || !isWriting.compareAndSet(false, true)) {
            return;
        }
        if (clock.nanoTime() - retryAtNs < 0) {
            isWriting.set(false);
        } else {
            chores.execute(() -> note(next));
        }
    }

    private void note(Optional<String> history) {
        try {
            write(history);
            written = history;
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
