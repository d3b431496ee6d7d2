package io.chimera.queue.journal.folder;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owner and layout of a journal folder: {@code {"layout": 2, "node": "queue-1", "group": "east"}} in {@code
 * journal.json}, without a group for the default group. The first start writes the label, and every later start checks
 * the label. An unreadable label is rewritten, because the checksums of the journal files prove their contents.
 */
public final class JournalLabel {
    static final String NAME = "journal.json";

    /** Layout version; changes whenever an older version would misread the folder. */
    static final int LAYOUT = 2;

    private static final String GROUP = "group";

    private static final Logger LOG = LoggerFactory.getLogger(JournalLabel.class);
    private static final ObjectMapper JSON = new ObjectMapper();

    private JournalLabel() {}

    /**
     * Checks the label of a folder locked by this process, and writes a missing label.
     *
     * @param node id of the queue node
     * @param group journal group of the queue node
     * @throws ChimeraException when the folder belongs to another node or group, or has another layout
     */
    public static void claim(Path folder, String node, JournalGroup group) throws IOException {
        Path file = folder.resolve(NAME);
        if (Files.exists(file)) {
            JsonNode label = read(file);
            if (label.path("layout").isInt() && label.path("node").isTextual()) {
                check(folder, label, node, group);
                return;
            }
            LOG.warn("The label {} cannot be read and is rewritten for node '{}'.", file, node);
        }
        write(folder, node, group);
    }

    /** Checks that this version can read the layout of a folder, regardless of the owner. */
    static void checkLayout(Path folder) throws IOException {
        Path file = folder.resolve(NAME);
        if (Files.exists(file)) {
            checkLayout(folder, read(file).path("layout").asInt(LAYOUT));
        }
    }

    /** Id of the queue node that owns a folder; the path of the folder when the label is unreadable. */
    public static String nodeOf(Path folder) throws IOException {
        Path file = folder.resolve(NAME);
        String node = Files.exists(file) ? read(file).path("node").asText() : "";
        return node.isEmpty() ? folder.toString() : node;
    }

    /**
     * Journal group of the queue node that owns a folder; the default group when the label is unreadable.
     *
     * @throws ChimeraException when the label names no valid group
     */
    public static JournalGroup groupOf(Path folder) throws IOException {
        Path file = folder.resolve(NAME);
        if (!Files.exists(file)) {
            return JournalGroup.DEFAULT;
        }
        String group = read(file).path(GROUP).asText(JournalGroup.DEFAULT.name());
        try {
            return new JournalGroup(group);
        } catch (IllegalArgumentException e) {
            throw new ChimeraException(
                    Category.ERROR, e.getMessage() + " in " + file + ". Restore the group of the node there.", e);
        }
    }

    private static JsonNode read(Path file) throws IOException {
        try {
            return JSON.readTree(Files.readAllBytes(file));
        } catch (JsonProcessingException e) {
            return JSON.createObjectNode();
        }
    }

    private static void check(Path folder, JsonNode label, String node, JournalGroup group) {
        checkLayout(folder, label.path("layout").asInt());
        String owner = label.path("node").asText();
        if (!owner.equals(node)) {
            throw new ChimeraException(
                    Category.FATAL,
                    "The journal " + folder + " belongs to node '" + owner + "', and this is node '" + node + "' ("
                            + folder.resolve(NAME)
                            + "). Give each node its own data_dir. To rename a node, start the new one with an empty"
                            + " data_dir beside the old one, then: chimera cluster remove " + owner + ".");
        }
        String journaled = label.path(GROUP).asText(JournalGroup.DEFAULT.name());
        if (!journaled.equals(group.name())) {
            throw new ChimeraException(
                    Category.FATAL,
                    "The journal " + folder + " has points of the journal group '" + journaled + "', and node '" + node
                            + "' is configured for the group '" + group + "'. Set queue.group: " + journaled
                            + ". To change the group of a node, remove the node first (chimera cluster remove " + node
                            + ") and give it an empty data_dir. If the node was never accepted in the group "
                            + journaled + ", only empty its data_dir.");
        }
    }

    private static void checkLayout(Path folder, int layout) {
        if (layout != LAYOUT) {
            throw new ChimeraException(
                    Category.FATAL,
                    "The journal " + folder + " has layout " + layout + ", and this version of Chimera reads layout "
                            + LAYOUT + ". Run the version that wrote the journal until all points are committed, then"
                            + " move the folder away.");
        }
    }

    private static void write(Path folder, String node, JournalGroup group) throws IOException {
        Path next = folder.resolve(NAME + ".next");
        ObjectNode label = JSON.createObjectNode().put("layout", LAYOUT).put("node", node);
        if (!group.isDefault()) {
            label.put(GROUP, group.name());
        }
        Files.write(next, JSON.writeValueAsBytes(label));
        try (FileChannel channel = FileChannel.open(next, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
        Files.move(next, folder.resolve(NAME), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        JournalDirectory.sync(folder);
    }
}
