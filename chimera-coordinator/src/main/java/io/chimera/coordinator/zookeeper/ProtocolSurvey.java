package io.chimera.coordinator.zookeeper;

import io.chimera.coordinator.zookeeper.znode.MalformedZnodeException;
import io.chimera.coordinator.zookeeper.znode.ZnodeCodec;
import java.nio.charset.StandardCharsets;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.apache.zookeeper.KeeperException.Code;

/**
 * Finds the live processes that do not speak {@link ZnodeCodec#PROTOCOL}. A tree with this protocol has none: such a
 * process stops at its start. Used by the agent's thread only, for one survey.
 */
final class ProtocolSurvey {
    private static final int NAME_MAX = 64;

    private final ZooKeeperLink link;
    private final BiConsumer<Code, SortedSet<String>> outcome;
    private final SortedSet<String> older = new TreeSet<>();
    private int awaited;
    private Code failure = Code.OK;

    /**
     * Creates a survey.
     *
     * @param outcome receives OK and the names of the found processes, or the code of a failure
     */
    ProtocolSurvey(ZooKeeperLink link, BiConsumer<Code, SortedSet<String>> outcome) {
        this.link = link;
        this.outcome = outcome;
    }

    void start() {
        link.read(link.znodes().version(), (code, data, stat) -> {
            if (code != Code.OK || protocolOf(data) >= ZnodeCodec.PROTOCOL) {
                outcome.accept(code, older);
                return;
            }
            awaited = 2;
            list(link.znodes().folder(ViewScope.HOLDERS), ProtocolSurvey::protocolOfHolder);
            list(link.znodes().conductor(), ZnodeCodec::protocolOfCandidate);
        });
    }

    /** Returns the protocol in the znode of an ephemeral member. */
    @FunctionalInterface
    private interface Decoder {
        int protocol(byte[] data);
    }

    private void list(String folder, Decoder decoder) {
        link.list(folder, (code, names) -> {
            if (code == Code.OK) {
                awaited += names.size();
                names.forEach(name -> read(folder, name, decoder));
            } else {
                failure = code;
            }
            end();
        });
    }

    private void read(String folder, String name, Decoder decoder) {
        link.read(folder + "/" + name, (code, data, stat) -> {
            if (code == Code.OK && decoder.protocol(data) < ZnodeCodec.PROTOCOL) {
                boolean isCandidate = folder.equals(link.znodes().conductor());
                older.add(isCandidate ? "coordinator-" + shown(data) : name);
            } else if (code != Code.OK && code != Code.NONODE) {
                failure = code;
            }
            end();
        });
    }

    private void end() {
        awaited--;
        if (awaited == 0) {
            outcome.accept(failure, older);
        }
    }

    private static int protocolOf(byte[] version) {
        try {
            return ZnodeCodec.protocol(version);
        } catch (MalformedZnodeException e) {
            return 0;
        }
    }

    private static int protocolOfHolder(byte[] data) {
        try {
            return ZnodeCodec.protocolOfHolder(data);
        } catch (MalformedZnodeException e) {
            return 0;
        }
    }

    /** Returns the id that an earlier release writes for a coordinator, in a form safe for the log. */
    private static String shown(byte[] data) {
        String text = new String(data, StandardCharsets.UTF_8).replaceAll("[^A-Za-z0-9._-]", "?");
        return text.substring(0, Math.min(text.length(), NAME_MAX));
    }
}
