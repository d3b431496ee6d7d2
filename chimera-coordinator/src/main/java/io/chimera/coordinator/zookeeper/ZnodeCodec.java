package io.chimera.coordinator.zookeeper;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.chimera.common.cluster.Assignment;
import io.chimera.common.cluster.ControlMark;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.CycleTime;
import io.chimera.common.cluster.LowMark;
import io.chimera.common.cluster.ProcessorMember;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.cluster.ShardCommit;
import io.chimera.common.cluster.archive.ArchiveKind;
import io.chimera.common.cluster.archive.ArchiveMember;
import io.chimera.common.cluster.archive.KnownArchive;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Encodes and decodes the content of znodes: JSON that an operator can read. Sessions and streams are hex strings,
 * since JSON readers round large numbers. Unknown fields are ignored, so that nodes can be upgraded separately.
 */
final class ZnodeCodec {
    /** Protocol version of the whole content. */
    static final int PROTOCOL = 1;

    /**
     * Maximum size of a znode: half the limit of a ZooKeeper server (jute.maxbuffer, 1 MiB), because the start of a
     * cycle writes two such znodes at once.
     */
    static final int BYTES_MAX = 512 * 1024;

    private static final int SHOWN_MAX = 100;

    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private ZnodeCodec() {}

    static byte[] encode(QueueMember member) {
        return bytes(object().put("id", member.id())
                .put("session", hex(member.session()))
                .put("address", member.address())
                .put("http", member.http())
                .put("stream", hex(member.stream()))
                .put("leaving", member.leaving())
                .put("clock_ms", member.clockMs())
                .put("digest", member.digest())
                .<ObjectNode>set("digests", texts(member.digests()))
                .<ObjectNode>set("bases", positions(member.bases()))
                .<ObjectNode>set("positions", positions(member.positions()))
                .<ObjectNode>set("unreachable", names(member.unreachable()))
                .<ObjectNode>set("past", ReplayCodec.spans(member.past()))
                .set("kept", kept(member.kept())));
    }

    static QueueMember queue(byte[] json) throws MalformedZnodeException {
        ZnodeFields fields = fields(json);
        return new QueueMember(
                fields.text("id"),
                fields.name("session"),
                fields.text("address"),
                fields.text("http"),
                fields.name("stream"),
                digests(fields),
                fields.positions("bases"),
                fields.positions("positions"),
                fields.flag("leaving"),
                fields.names("unreachable"),
                fields.has("clock_ms") ? fields.number("clock_ms") : 0,
                ReplayCodec.spans(fields, "past"),
                fields.has("kept") ? kept(fields.object("kept")) : ControlMark.NONE);
    }

    private static ObjectNode kept(ControlMark kept) {
        return object().put("history", kept.history()).put("low", kept.low()).put("newest", kept.newest());
    }

    private static ControlMark kept(ZnodeFields fields) throws MalformedZnodeException {
        return new ControlMark(fields.text("history"), fields.number("low"), fields.number("newest"));
    }

    static byte[] encode(ProcessorMember member) {
        return bytes(object().put("id", member.id())
                .put("session", hex(member.session()))
                .put("address", member.address())
                .put("http", member.http())
                .put("leaving", member.leaving())
                .put("digest", member.digest())
                .<ObjectNode>set("digests", texts(member.digests()))
                .set("stores_out", texts(member.storesOut())));
    }

    static ProcessorMember processor(byte[] json) throws MalformedZnodeException {
        ZnodeFields fields = fields(json);
        return new ProcessorMember(
                fields.text("id"),
                fields.name("session"),
                fields.text("address"),
                fields.text("http"),
                digests(fields),
                fields.flag("leaving"),
                fields.has("stores_out") ? fields.texts("stores_out") : List.of());
    }

    static byte[] encode(ArchiveMember member) {
        return bytes(object().put("id", member.id())
                .put("session", hex(member.session()))
                .put("http", member.http())
                .put("span_ns", member.index().spanNs())
                .put("keys", member.index().keys())
                .put("generation", member.generation())
                .<ObjectNode>set("kinds", kinds(member.kinds())));
    }

    /** Returns the content of the persistent znode of an archive node. */
    static byte[] known(ArchiveMember member) {
        return bytes(object().put("registered", true).<ObjectNode>set("kinds", kinds(member.kinds())));
    }

    static KnownArchive known(String id, byte[] json) throws MalformedZnodeException {
        return new KnownArchive(id, kinds(fields(json)));
    }

    private static ArrayNode kinds(Set<ArchiveKind> kinds) {
        return texts(kinds.stream().map(ArchiveKind::toString).sorted().toList());
    }

    /** Decodes kinds; ignores unknown kinds, which this release never queries. */
    private static Set<ArchiveKind> kinds(ZnodeFields fields) throws MalformedZnodeException {
        return fields.texts("kinds").stream()
                .flatMap(name -> ArchiveKind.of(name).stream())
                .collect(Collectors.toSet());
    }

    static ArchiveMember archive(byte[] json) throws MalformedZnodeException {
        ZnodeFields fields = fields(json);
        ArchiveMember member = new ArchiveMember(
                fields.text("id"),
                fields.name("session"),
                fields.text("http"),
                new ArchiveMember.IndexFormat(fields.number("span_ns"), fields.smallNumber("keys")),
                fields.number("generation"),
                kinds(fields));
        if (member.index().spanNs() < 1) {
            throw new MalformedZnodeException("its spans have no length");
        }
        return member;
    }

    static byte[] encode(Cycle cycle) {
        ObjectNode json = object().put("cycle", cycle.number())
                .put("epoch", cycle.epoch())
                .put("time_ms", cycle.timeMs())
                .put("clock_ms", cycle.time().clockMs())
                .<ObjectNode>set("cut", positions(cycle.cut()))
                .<ObjectNode>set("queues", names(cycle.queues()))
                .set("processors", names(cycle.processors()));
        cycle.replay().ifPresent(replay -> json.set("replay", ReplayCodec.tree(replay)));
        return bytes(json);
    }

    static Cycle cycle(byte[] json) throws MalformedZnodeException {
        ZnodeFields fields = fields(json);
        Cycle cycle = new Cycle(
                fields.number("cycle"),
                fields.number("epoch"),
                time(fields),
                fields.positions("cut"),
                fields.names("queues"),
                fields.names("processors"),
                fields.has("replay") ? Optional.of(ReplayCodec.replay(fields.object("replay"))) : Optional.empty());
        if (Cycle.isReplay(cycle.number()) != cycle.replay().isPresent()) {
            throw new MalformedZnodeException("its number does not say whether it is a replay cycle");
        }
        if (cycle.parts() == 0 || cycle.shards() == 0) {
            throw new MalformedZnodeException("it lists no queue nodes or no processors");
        }
        return cycle;
    }

    /** Decodes the time; earlier releases did not write the clock. */
    static CycleTime time(ZnodeFields fields) throws MalformedZnodeException {
        long timeMs = fields.number("time_ms");
        return new CycleTime(timeMs, fields.has("clock_ms") ? fields.number("clock_ms") : timeMs);
    }

    static byte[] encode(Assignment assignment) {
        return bytes(object().put("digest", assignment.digest())
                .<ObjectNode>set("owners", names(assignment.owners()))
                .set("processors", names(assignment.processors())));
    }

    /** Decodes an assignment; the znode version is the version of the assignment. */
    static Assignment assignment(byte[] json, int version) throws MalformedZnodeException {
        ZnodeFields fields = fields(json);
        return new Assignment(version, digest(fields), fields.names("owners"), fields.names("processors"));
    }

    static byte[] encode(ShardCommit commit) {
        return bytes(object().put("cycle", commit.cycle())
                .put("shard", commit.shard())
                .put("session", hex(commit.session()))
                .put("aggregated", commit.accounts().aggregated())
                .put("late", commit.accounts().late())
                .put("rejected", commit.accounts().rejected())
                .put("filtered", commit.accounts().filtered())
                .put("rows", commit.rows())
                .put("checksum", hex(commit.checksum())));
    }

    static ShardCommit commit(byte[] json) throws MalformedZnodeException {
        ZnodeFields fields = fields(json);
        return new ShardCommit(
                fields.number("cycle"),
                fields.smallNumber("shard"),
                fields.name("session"),
                new ShardCommit.Accounts(
                        fields.number("aggregated"),
                        fields.number("late"),
                        fields.number("rejected"),
                        fields.number("filtered")),
                fields.number("rows"),
                fields.name("checksum"));
    }

    static byte[] encode(LowMark low) {
        return bytes(object().put("cycle", low.cycle())
                .put("time_ms", low.timeMs())
                .put("digest", low.digest())
                .put("history", low.history())
                .<ObjectNode>set("cut", positions(low.cut()))
                .set("totals", accounts(low.totals())));
    }

    static LowMark low(byte[] json) throws MalformedZnodeException {
        ZnodeFields fields = fields(json);
        return new LowMark(
                fields.number("cycle"),
                fields.number("time_ms"),
                fields.positions("cut"),
                digest(fields),
                accounts(fields.object("totals")),
                fields.has("history") ? fields.text("history") : "");
    }

    /** Decodes the configuration digest; earlier releases did not write the digest. */
    private static String digest(ZnodeFields fields) throws MalformedZnodeException {
        return fields.has("digest") ? fields.text("digest") : "";
    }

    /** Decodes the digests loaded by a member; earlier releases wrote a single digest. */
    private static List<String> digests(ZnodeFields fields) throws MalformedZnodeException {
        return fields.has("digests") ? fields.texts("digests") : List.of(fields.text("digest"));
    }

    private static ArrayNode texts(List<String> texts) {
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        texts.forEach(array::add);
        return array;
    }

    static byte[] encode(LowMark.Totals accounts) {
        return bytes(accounts(accounts));
    }

    static byte[] version() {
        return bytes(object().put("protocol", PROTOCOL));
    }

    static int protocol(byte[] json) throws MalformedZnodeException {
        return fields(json).smallNumber("protocol");
    }

    static byte[] holder(long session) {
        return bytes(object().put("session", hex(session)));
    }

    /**
     * Encodes the holder of an id together with a claim of another process.
     *
     * @param holder session of the process that holds the id
     * @param claimant announcement of the process that claims the id
     */
    static byte[] claimed(long holder, byte[] claimant) throws MalformedZnodeException {
        ZnodeFields fields = fields(claimant);
        ObjectNode claim = object().put("session", hex(fields.name("session"))).put("http", fields.text("http"));
        return bytes(object().put("session", hex(holder)).<ObjectNode>set("claim", claim));
    }

    /** Returns the claim in a holder's znode: session and HTTP address of the other process; empty without a claim. */
    static String claim(byte[] json) throws MalformedZnodeException {
        JsonNode claim = fields(json).object().path("claim");
        return claim.isObject() ? "address=" + shown(claim, "http") + " session=" + shown(claim, "session") : "";
    }

    /** Returns a text from another process in a form safe for the log. */
    private static String shown(JsonNode object, String name) {
        String text = object.path(name).asText().replaceAll("[^A-Za-z0-9.:_\\[\\]-]", "?");
        return text.substring(0, Math.min(text.length(), SHOWN_MAX));
    }

    static long session(byte[] json) throws MalformedZnodeException {
        return fields(json).name("session");
    }

    static byte[] conductor(String id) {
        return bytes(object().put("conductor", id));
    }

    static String conductor(byte[] json) throws MalformedZnodeException {
        return fields(json).text("conductor");
    }

    static byte[] registered() {
        return bytes(object().put("registered", true));
    }

    static String hex(long name) {
        return Long.toHexString(name);
    }

    static ObjectNode accounts(LowMark.Totals accounts) {
        return object().put("points", accounts.points())
                .put("aggregated", accounts.aggregated())
                .put("late", accounts.late())
                .put("rejected", accounts.rejected())
                .put("filtered", accounts.filtered())
                .put("rows", accounts.rows());
    }

    static LowMark.Totals accounts(ZnodeFields fields) throws MalformedZnodeException {
        return new LowMark.Totals(
                fields.number("points"),
                fields.number("aggregated"),
                fields.number("late"),
                fields.number("rejected"),
                fields.number("filtered"),
                fields.number("rows"));
    }

    static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    static ObjectNode positions(Map<Long, Long> positions) {
        ObjectNode map = object();
        positions.forEach((stream, seq) -> map.put(hex(stream), seq));
        return map;
    }

    private static ArrayNode names(List<Long> names) {
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        names.forEach(name -> array.add(hex(name)));
        return array;
    }

    static byte[] bytes(JsonNode json) {
        byte[] bytes;
        try {
            bytes = JSON.writeValueAsBytes(json);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("A tree of JSON nodes cannot be written", e);
        }
        if (bytes.length >= BYTES_MAX) {
            throw new ChimeraException(
                    Category.ERROR,
                    "A znode has " + bytes.length + " bytes, the limit is " + BYTES_MAX
                            + ". The size grows with the number of nodes and of streams (one per start of a queue"
                            + " node, as long as a journal holds the stream). Check that cycles are committed, and"
                            + " remove queue nodes that will not return, so that finished streams are omitted.");
        }
        return bytes;
    }

    static ZnodeFields fields(byte[] json) throws MalformedZnodeException {
        try {
            JsonNode tree = json == null ? null : JSON.readTree(json);
            if (tree == null || !tree.isObject()) {
                throw new MalformedZnodeException("it is not a JSON object");
            }
            return new ZnodeFields(tree);
        } catch (IOException e) {
            throw new MalformedZnodeException("it is not JSON", e);
        }
    }
}
