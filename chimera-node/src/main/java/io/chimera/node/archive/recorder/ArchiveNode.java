package io.chimera.node.archive.recorder;

import io.chimera.archive.distributed.IndexNode;
import io.chimera.archive.distributed.IndexSender;
import io.chimera.archive.distributed.IndexedStream;
import io.chimera.archive.distributed.Peers;
import io.chimera.archive.index.IndexMessages;
import io.chimera.archive.index.key.IndexKey;
import io.chimera.archive.query.ArchiveStream;
import io.chimera.archive.query.key.PacketKeys;
import io.chimera.archive.server.ClusterArchive;
import io.chimera.archive.server.IndexService;
import io.chimera.archive.server.client.HttpPeers;
import io.chimera.archive.server.volume.Volume;
import io.chimera.common.agent.AgentThreads;
import io.chimera.common.agent.Clock;
import io.chimera.common.agent.Wakeup;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.cluster.Cluster;
import io.chimera.common.cluster.archive.ArchiveKind;
import io.chimera.common.cluster.archive.ArchiveMember;
import io.chimera.common.cluster.archive.Archives;
import io.chimera.common.metrics.ArchiveCounter;
import io.chimera.common.metrics.ArchiveGauge;
import io.chimera.common.metrics.ClusterCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.Metrics;
import io.chimera.coordinator.zookeeper.ZooKeeperSession;
import io.chimera.node.cluster.ClusterLink;
import io.chimera.node.http.NodeHttp;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.agrona.CloseHelper;
import org.agrona.ErrorHandler;

/**
 * Cluster membership of a recorder: shares its own index, holds a part of the other nodes' indexes, and queries all
 * nodes.
 */
final class ArchiveNode implements AutoCloseable {
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final ZooKeeperSession session;
    private final IndexNode index;
    private final IndexSender sender;
    private final IndexService service;
    private final ClusterArchive archives;

    /**
     * Joins the cluster.
     *
     * @param http address of this process for other nodes
     * @param volume volume with the shared streams
     */
    ArchiveNode(
            ArchiveNodeSettings settings,
            Endpoint http,
            Volume volume,
            Clock clock,
            Counters<ArchiveCounter> counters,
            Metrics metrics,
            ErrorHandler errors) {
        List<IndexKey> keys = PacketKeys.keys();
        Counters<ClusterCounter> clusterCounters = new Counters<>(ClusterCounter.class);
        metrics.register("cluster", clusterCounters);
        SecureRandom random = new SecureRandom();
        long name = random.nextLong();
        long spanNs = settings.span().toNanos();
        Peers peers = open(new HttpPeers(random));
        index = new IndexNode(name, spanNs, keys, settings.indexBytes(), clock, counters);
        service = open(new IndexService(index, settings.id()));
        session = open(new ZooKeeperSession(
                ClusterLink.settings(settings.cluster().config()), settings.id(), clock, clusterCounters, errors));
        Cluster cluster = open(session.cluster());
        int fingerprint = new IndexMessages(keys).fingerprint();
        sender = new IndexSender(
                new ArchiveMember(
                        settings.id(),
                        name,
                        http.toString(),
                        new ArchiveMember.IndexFormat(spanNs, fingerprint),
                        0,
                        volume.kinds()),
                keys,
                volume.streams().stream()
                        .filter(stream -> stream.kind().equals(ArchiveStream.PACKETS))
                        .map(stream -> new IndexedStream(stream.name(), stream.index()))
                        .toList(),
                cluster::view,
                cluster::announce,
                peers,
                index,
                clock,
                counters);
        open(new AgentThreads(settings.id(), errors)).startControl(sender, new Wakeup());
        archives = new ClusterArchive(cluster::view, peers, clock, counters);
        metrics.register("shared", ArchiveGauge.SHARED_HELD_BYTES, index::bytes);
        metrics.register("shared", ArchiveGauge.SHARED_HELD_SPANS, index::spans);
        metrics.register("shared", ArchiveGauge.SHARED_SPANS_BEHIND, sender::behind);
    }

    private <T extends AutoCloseable> T open(T resource) {
        opened.push(resource);
        return resource;
    }

    /** Registers the handlers for other archive nodes on the recorder's port. */
    void serve(NodeHttp port) {
        port.serve(IndexService.PARCEL_PATH, service);
        port.serve(IndexService.QUESTION_PATH, service);
    }

    String id() {
        return sender.self().id();
    }

    /** Returns the archive of the whole cluster. */
    ClusterArchive archives() {
        return archives;
    }

    /** Returns the status as a map. Any thread. */
    Map<String, Object> status() {
        ArchiveMember self = sender.self();
        Archives seen = session.view().archives();
        Map<String, Object> status = new LinkedHashMap<>();
        status.put("id", self.id());
        status.put("connected", session.view().connected());
        status.put("nodes", seen.live().stream().map(ArchiveMember::id).toList());
        status.put("nodes_absent", seen.away());
        status.put("span_seconds", self.index().spanNs() / 1e9);
        status.put("generation", self.generation());
        status.put("spans_behind", sender.behind());
        status.put("spans_held", index.spans());
        status.put("bytes_held", index.bytes());
        return status;
    }

    /** Returns warnings for the operator as sentences. Any thread. */
    List<String> warnings() {
        List<String> warnings = new ArrayList<>(session.problem().stream().toList());
        warnings.addAll(session.warnings());
        Archives seen = session.view().archives();
        seen.of(ArchiveKind.PACKETS).live().stream()
                .filter(member -> !member.sharesWith(sender.self()))
                .forEach(member -> warnings.add("Archive node " + member.id() + " has spans of "
                        + member.index().spanNs() / 1e9 + " s or other keys than this node, so they share no index. Use"
                        + " the same --span and the same release on all nodes."));
        seen.away()
                .forEach(id -> warnings.add("Archive node " + id + " is absent; answers of the cluster lack its"
                        + " recorded data. Start the node, or remove it: chimera archive forget " + id + "."));
        return warnings;
    }

    @Override
    public void close() {
        while (!opened.isEmpty()) {
            CloseHelper.quietClose(opened.pop());
        }
    }
}
