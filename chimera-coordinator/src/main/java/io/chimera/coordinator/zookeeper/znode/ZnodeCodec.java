package io.chimera.coordinator.zookeeper.znode;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import io.chimera.common.cluster.Assignment;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.JournalLosses;
import io.chimera.common.cluster.JournalState;
import io.chimera.common.cluster.LowMark;
import io.chimera.common.cluster.ProcessorMember;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.cluster.ReplayMark;
import io.chimera.common.cluster.ReplayRequest;
import io.chimera.common.cluster.ShardCommit;
import io.chimera.common.cluster.archive.ArchiveMember;
import io.chimera.common.cluster.archive.KnownArchive;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Encodes and decodes the content of znodes: JSON that an operator can read. Each record of this package is the form of
 * one znode.
 */
public final class ZnodeCodec {
    /** Newest protocol version of the whole content that this release reads: a tree with several journal groups. */
    public static final int PROTOCOL = 2;

    /** Protocol version of a tree with the default journal group alone, as earlier releases write and read it. */
    public static final int PROTOCOL_OF_ONE_GROUP = 1;

    private static final int SHOWN_MAX = 100;

    private ZnodeCodec() {}

    private record Version(int protocol) {}

    private record Epoch(String conductor) {}

    private record Registered(
            boolean registered,

            @MayBeMissing @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            String group,

            @MayBeMissing @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            HexName journal,

            @MayBeMissing @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Long copied) {
        static Registered of(QueueMember member) {
            JournalState journal = member.journal();
            return new Registered(
                    true,
                    GroupNames.of(member.group()),
                    journal.id() == 0 ? null : new HexName(journal.id()),
                    journal.copied().isPresent() ? journal.copied().getAsLong() : null);
        }

        Registration registration() throws MalformedZnodeException {
            return new Registration(GroupNames.group(group), copied == null ? named() : named().copiedAfter(copied));
        }

        private JournalState named() {
            return JournalState.of(journal == null ? 0 : journal.value());
        }
    }

    /** The folder of the registrations; without losses in trees of earlier releases. */
    private record Losses(
            @MayBeMissing @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Map<String, Long> losses) {}

    /**
     * The persistent znode of a queue node.
     *
     * @param group journal group of the node
     * @param journal state of its journal
     */
    public record Registration(JournalGroup group, JournalState journal) {}

    /** Holder of an id; the claim of another process may be in any form. Protocol 0: a release that names none. */
    private record Holder(
            HexName session,

            @MayBeMissing @JsonInclude(JsonInclude.Include.NON_DEFAULT)
            int protocol,

            @MayBeMissing @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            JsonNode claim) {}

    /** A coordinator in the election. */
    private record Candidate(String coordinator, int protocol) {}

    /** The part of an announcement that names a claimant. */
    private record Claimant(HexName session, String http) {}

    /** Encodes the announcement of a queue node. */
    public static byte[] encode(QueueMember member) {
        return ZnodeJson.bytes(QueueZnode.of(member));
    }

    /** Decodes the announcement of a queue node. */
    public static QueueMember queue(byte[] json) throws MalformedZnodeException {
        return ZnodeJson.read(json, QueueZnode.class).member();
    }

    /** Encodes the announcement of a processor. */
    public static byte[] encode(ProcessorMember member) {
        return ZnodeJson.bytes(ProcessorZnode.of(member));
    }

    /** Decodes the announcement of a processor. */
    public static ProcessorMember processor(byte[] json) throws MalformedZnodeException {
        return ZnodeJson.read(json, ProcessorZnode.class).member();
    }

    /** Encodes the announcement of an archive node. */
    public static byte[] encode(ArchiveMember member) {
        return ZnodeJson.bytes(ArchiveZnode.of(member));
    }

    /** Decodes the announcement of an archive node. */
    public static ArchiveMember archive(byte[] json) throws MalformedZnodeException {
        return ZnodeJson.read(json, ArchiveZnode.class).member();
    }

    /** Encodes the persistent znode of an archive node. */
    public static byte[] known(ArchiveMember member) {
        return ZnodeJson.bytes(ArchiveZnode.Known.of(member));
    }

    /** Decodes the persistent znode of an archive node. */
    public static KnownArchive known(String id, byte[] json) throws MalformedZnodeException {
        return ZnodeJson.read(json, ArchiveZnode.Known.class).known(id);
    }

    /** Encodes the record of a cycle. */
    public static byte[] encode(Cycle cycle) {
        return ZnodeJson.bytes(CycleZnode.of(cycle));
    }

    /** Decodes the record of a cycle. */
    public static Cycle cycle(byte[] json) throws MalformedZnodeException {
        return ZnodeJson.read(json, CycleZnode.class).toCycle();
    }

    /** Encodes an assignment. */
    public static byte[] encode(Assignment assignment) {
        return ZnodeJson.bytes(AssignmentZnode.of(assignment));
    }

    /** Decodes an assignment; the znode version is the version of the assignment. */
    public static Assignment assignment(byte[] json, int version) throws MalformedZnodeException {
        return ZnodeJson.read(json, AssignmentZnode.class).assignment(version);
    }

    /** Encodes a commit. */
    public static byte[] encode(ShardCommit commit) {
        return ZnodeJson.bytes(CommitZnode.of(commit));
    }

    /** Decodes a commit. */
    public static ShardCommit commit(byte[] json) throws MalformedZnodeException {
        return ZnodeJson.read(json, CommitZnode.class).commit();
    }

    /** Encodes the accounts of a verified cycle. */
    public static byte[] encode(LowMark.Totals accounts) {
        return ZnodeJson.bytes(accounts);
    }

    /** Encodes the low-water mark. */
    public static byte[] encode(LowMark low) {
        return ZnodeJson.bytes(LowMarkZnode.of(low));
    }

    /** Decodes the low-water mark. */
    public static LowMark low(byte[] json) throws MalformedZnodeException {
        return ZnodeJson.read(json, LowMarkZnode.class).mark();
    }

    /** Encodes the mark of the replays. */
    public static byte[] encode(ReplayMark mark) {
        return ZnodeJson.bytes(mark);
    }

    /** Decodes the mark of the replays. */
    public static ReplayMark replayMark(byte[] json) throws MalformedZnodeException {
        return ZnodeJson.read(json, ReplayMark.class);
    }

    /** Encodes a replay request. */
    public static byte[] encode(ReplayRequest request) {
        return ZnodeJson.bytes(ReplayRequestZnode.of(request));
    }

    /** Decodes a replay request; the id is the name of its znode. */
    public static ReplayRequest replayRequest(String id, byte[] json) throws MalformedZnodeException {
        return ZnodeJson.read(json, ReplayRequestZnode.class).request(id);
    }

    /**
     * Encodes a protocol version.
     *
     * @param protocol {@link #PROTOCOL}, or {@link #PROTOCOL_OF_ONE_GROUP}
     */
    public static byte[] version(int protocol) {
        return ZnodeJson.bytes(new Version(protocol));
    }

    /** Decodes the protocol version. */
    public static int protocol(byte[] json) throws MalformedZnodeException {
        return ZnodeJson.read(json, Version.class).protocol;
    }

    /** Encodes the epoch znode with the id of the conductor; the znode version is the epoch. */
    public static byte[] conductor(String id) {
        return ZnodeJson.bytes(new Epoch(id));
    }

    /** Decodes the id of the conductor. */
    public static String conductor(byte[] json) throws MalformedZnodeException {
        return ZnodeJson.read(json, Epoch.class).conductor;
    }

    /** Encodes the persistent znode of a queue node. */
    public static byte[] registered(QueueMember member) {
        return ZnodeJson.bytes(Registered.of(member));
    }

    /** Encodes the persistent znode of a queue node of which only the journal group is known. */
    public static byte[] registered(JournalGroup group) {
        return ZnodeJson.bytes(new Registered(true, GroupNames.of(group), null, null));
    }

    /** Decodes the persistent znode of a queue node. */
    public static Registration registered(byte[] json) throws MalformedZnodeException {
        return ZnodeJson.read(json, Registered.class).registration();
    }

    /** Encodes the folder of the persistent znodes of queue nodes. */
    public static byte[] losses(JournalLosses losses) {
        Map<String, Long> named = new LinkedHashMap<>();
        losses.counts().forEach((group, count) -> named.put(group.name(), count));
        return ZnodeJson.bytes(new Losses(named));
    }

    /** Decodes the folder of the persistent znodes of queue nodes. */
    public static JournalLosses losses(byte[] json) throws MalformedZnodeException {
        Map<String, Long> named = ZnodeJson.read(json, Losses.class).losses;
        SortedMap<JournalGroup, Long> counts = new TreeMap<>();
        for (Map.Entry<String, Long> group : (named == null ? Map.<String, Long>of() : named).entrySet()) {
            counts.put(GroupNames.group(group.getKey()), group.getValue());
        }
        return new JournalLosses(counts);
    }

    /**
     * Encodes the name of a coordinator in the election.
     *
     * @param id id of the coordinator
     */
    public static String candidate(String id) {
        return new String(ZnodeJson.bytes(new Candidate(id, PROTOCOL)), StandardCharsets.UTF_8);
    }

    /** Returns the newest protocol of a coordinator in the election; earlier releases write their id only. */
    public static int protocolOfCandidate(byte[] data) {
        try {
            return ZnodeJson.read(data, Candidate.class).protocol;
        } catch (MalformedZnodeException e) {
            return PROTOCOL_OF_ONE_GROUP;
        }
    }

    /** Encodes this process as the holder of an id. */
    public static byte[] holder(long session) {
        return ZnodeJson.bytes(new Holder(new HexName(session), PROTOCOL, null));
    }

    /** Returns the newest protocol of the process that holds an id. */
    public static int protocolOfHolder(byte[] json) throws MalformedZnodeException {
        return Math.max(ZnodeJson.read(json, Holder.class).protocol, PROTOCOL_OF_ONE_GROUP);
    }

    /**
     * Encodes the holder of an id together with a claim of another process.
     *
     * @param holder the znode of the process that holds the id
     * @param claimant announcement of the process that claims the id
     */
    public static byte[] claimed(byte[] holder, byte[] claimant) throws MalformedZnodeException {
        Holder held = ZnodeJson.read(holder, Holder.class);
        JsonNode claim = ZnodeJson.tree(ZnodeJson.read(claimant, Claimant.class));
        return ZnodeJson.bytes(new Holder(held.session, held.protocol, claim));
    }

    /** Decodes the session of a holder. */
    public static long session(byte[] json) throws MalformedZnodeException {
        return ZnodeJson.read(json, Holder.class).session.value();
    }

    /** Returns the claim in a holder's znode: session and HTTP address of the other process; empty without a claim. */
    public static String claim(byte[] json) throws MalformedZnodeException {
        JsonNode claim = ZnodeJson.read(json, Holder.class).claim;
        return claim != null && claim.isObject()
                ? "address=" + shown(claim, "http") + " session=" + shown(claim, "session")
                : "";
    }

    /** Returns a text from another process in a form safe for the log. */
    private static String shown(JsonNode object, String name) {
        String text = object.path(name).asText().replaceAll("[^A-Za-z0-9.:_\\[\\]-]", "?");
        return text.substring(0, Math.min(text.length(), SHOWN_MAX));
    }

    /** Returns the hex form of the name of a session or stream. */
    public static String hex(long name) {
        return Long.toHexString(name);
    }
}
