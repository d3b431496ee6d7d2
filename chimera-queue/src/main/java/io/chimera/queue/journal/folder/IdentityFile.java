package io.chimera.queue.journal.folder;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.chimera.queue.journal.JournalIdentity;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Identity of a journal in its folder: {@code {"id": "1f3a…", "registered": true}}. A folder without the file, or with
 * an unreadable file, gets a new identity: the cluster then counts the journal as lost and copied again, which costs
 * time and no record.
 */
public final class IdentityFile implements JournalIdentity {
    static final String NAME = "identity.json";

    private static final String ID = "id";
    private static final String REGISTERED = "registered";
    private static final int HEX = 16;

    private static final Logger LOG = LoggerFactory.getLogger(IdentityFile.class);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final ReplacedFile file;
    private final Executor chores;
    private final AtomicBoolean isNoted = new AtomicBoolean();
    private final long id;
    private volatile boolean isRegistered;

    /**
     * Reads the identity, or creates it.
     *
     * @param chores writes the note of the registration
     * @param isDamaged whether the journal lacks records, so that others must not count on its copies: the identity is
     *     replaced
     */
    public IdentityFile(Path folder, Executor chores, boolean isDamaged) throws IOException {
        file = new ReplacedFile(folder, NAME);
        this.chores = chores;
        JsonNode known = read();
        long named = isDamaged ? 0 : idIn(known);
        if (named == 0) {
            id = new SecureRandom().nextLong(1, Long.MAX_VALUE);
            write(false);
        } else {
            id = named;
            isRegistered = known.path(REGISTERED).asBoolean();
            isNoted.set(isRegistered);
        }
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

    private void write(boolean registered) throws IOException {
        file.write(JSON.writeValueAsBytes(
                JSON.createObjectNode().put(ID, Long.toHexString(id)).put(REGISTERED, registered)));
    }

    @Override
    public long id() {
        return id;
    }

    @Override
    public boolean isRegistered() {
        return isRegistered;
    }

    @Override
    public void noteRegistered() {
        if (isNoted.compareAndSet(false, true)) {
            chores.execute(this::note);
        }
    }

    private void note() {
        try {
            write(true);
            isRegistered = true;
        } catch (IOException e) {
            isNoted.set(false); // the next call tries again
            LOG.warn("The identity {} cannot be written: {}. The write is retried.", file, e.toString());
        }
    }
}
