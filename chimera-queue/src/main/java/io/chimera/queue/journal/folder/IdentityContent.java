package io.chimera.queue.journal.folder;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Content of an {@link IdentityFile}.
 *
 * @param id random number above 0; 0 without a readable id
 * @param replaced earlier ids of the folder since its last noted registration, oldest first
 * @param node id of the queue node; empty in files of the first builds
 * @param registeredIn history of the tree that has registered the node with this folder; empty before that
 * @param isUnproven whether the registration has no proof of copies
 */
record IdentityContent(long id, List<Long> replaced, String node, Optional<String> registeredIn, boolean isUnproven) {
    private static final String ID = "id";
    private static final String REPLACED = "replaced";
    private static final String NODE = "node";
    private static final String REGISTERED = "registered";
    private static final String HISTORY = "history";
    private static final String UNPROVEN = "unproven";
    private static final int HEX = 16;
    private static final SecureRandom IDS = new SecureRandom();
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Content without a readable value. */
    static final IdentityContent NONE = new IdentityContent(0, List.of(), "", Optional.empty(), false);

    IdentityContent {
        replaced = List.copyOf(replaced);
    }

    /** Creates the content of an empty folder. */
    static IdentityContent of(String node) {
        return new IdentityContent(randomId(), List.of(), node, Optional.empty(), false);
    }

    /**
     * Decodes a content.
     *
     * @throws com.fasterxml.jackson.core.JsonProcessingException when the bytes are not JSON
     */
    static IdentityContent decode(byte[] json) throws IOException {
        JsonNode known = JSON.readTree(json);
        List<Long> replaced = new ArrayList<>();
        known.path(REPLACED).forEach(id -> replaced.add(idIn(id)));
        return new IdentityContent(
                idIn(known.path(ID)),
                replaced,
                known.path(NODE).asText(),
                known.path(REGISTERED).asBoolean()
                        ? Optional.of(known.path(HISTORY).asText())
                        : Optional.empty(),
                known.path(UNPROVEN).asBoolean());
    }

    private static long idIn(JsonNode text) {
        try {
            return Math.max(0, Long.parseLong(text.asText(), HEX));
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    private static long randomId() {
        return IDS.nextLong(1, Long.MAX_VALUE);
    }

    byte[] encode() throws IOException {
        ObjectNode content = JSON.createObjectNode()
                .put(ID, Long.toHexString(id))
                .put(NODE, node)
                .put(REGISTERED, registeredIn.isPresent());
        registeredIn.ifPresent(history -> content.put(HISTORY, history));
        if (isUnproven) {
            content.put(UNPROVEN, true);
        }
        if (!replaced.isEmpty()) {
            ArrayNode earlier = content.putArray(REPLACED);
            replaced.forEach(old -> earlier.add(Long.toHexString(old)));
        }
        return JSON.writeValueAsBytes(content);
    }

    /** Returns a copy with the name of the node. */
    IdentityContent in(String owner) {
        return new IdentityContent(id, replaced, owner, registeredIn, isUnproven);
    }

    /**
     * Returns a copy after a loss of records: with a new id, because other nodes may have counted these records as
     * copies. The folder is still the one of the registration, which may name any of the earlier ids.
     */
    IdentityContent renewed() {
        List<Long> earlier = new ArrayList<>(replaced);
        earlier.add(id);
        return new IdentityContent(randomId(), earlier, node, registeredIn, isUnproven);
    }

    /** Returns a copy without the note that the registration has no proof. */
    IdentityContent withoutUnproven() {
        return isUnproven ? new IdentityContent(id, replaced, node, registeredIn, false) : this;
    }

    /** Returns a copy for a folder whose present id is registered in a tree. */
    IdentityContent registered(String history, boolean hasNoProof) {
        Optional<String> tree = Optional.of(history);
        return replaced.isEmpty() && tree.equals(registeredIn) && isUnproven == hasNoProof
                ? this
                : new IdentityContent(id, List.of(), node, tree, hasNoProof);
    }
}
