package io.chimera.node.archive.recorder;

import io.chimera.archive.server.QueryService;
import io.chimera.archive.server.volume.Volume;
import io.chimera.archive.server.volume.VolumeReport;
import io.chimera.common.access.AccessControl;
import io.chimera.common.agent.Clock;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.channel.Listeners;
import io.chimera.common.channel.netty.ChannelThreads;
import io.chimera.common.channel.netty.NettyListeners;
import io.chimera.common.error.ErrorLog;
import io.chimera.common.metrics.AccessCounter;
import io.chimera.common.metrics.ArchiveCounter;
import io.chimera.common.metrics.ChannelCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.JvmGauge;
import io.chimera.common.metrics.Metrics;
import io.chimera.node.http.NodeFace;
import io.chimera.node.http.NodeHttp;
import io.chimera.node.security.AccessWatch;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.agrona.CloseHelper;

/** HTTP port of a recorder: health, metrics and status as on every node, and queries. */
final class RecorderProcess implements NodeFace, AutoCloseable {
    private final Volume volume;
    private final Counters<ArchiveCounter> counters;
    private final Metrics metrics = new Metrics("archive");
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final Endpoint address;
    private final ArchiveNode node;

    /**
     * Limits for requests of other archive nodes. A parcel or question has up to about 256 KiB (a group of busy
     * traffic, or a long list of addresses). The limits allow 16 MiB in total and 256 clients.
     */
    private static final Listeners.Limits LIMITS = new Listeners.Limits(512 << 10, 10, 16 << 20, 256, 60_000);

    /**
     * Opens the port. Queries read the streams that the volume shows.
     *
     * @param port address and token file
     * @param member settings of the cluster membership; empty outside a cluster
     * @param service query service for the volume; closed together with the process, and if the port cannot be opened
     */
    RecorderProcess(
            RecorderPort port,
            Optional<ArchiveNodeSettings> member,
            Volume volume,
            QueryService service,
            Clock clock,
            Counters<ArchiveCounter> counters) {
        this.volume = volume;
        this.counters = counters;
        ErrorLog errors = new ErrorLog(clock, fatal -> {});
        Counters<ChannelCounter> channelCounters = new Counters<>(ChannelCounter.class);
        metrics.register("archive", counters);
        metrics.register("node", errors.counters());
        metrics.register("node_http", channelCounters);
        VolumeReport.register(metrics, "volume", volume.store());
        JvmGauge.registerAll(metrics);
        ChannelThreads threads = open(new ChannelThreads("archive"));
        NettyListeners listeners = open(new NettyListeners(threads, channelCounters, errors));
        Counters<AccessCounter> accessCounters = new Counters<>(AccessCounter.class);
        metrics.register("access", accessCounters);
        NodeHttp http;
        try {
            AccessControl access = new AccessControl(port.tokens(), clock, accessCounters, null)
                    .ofHosts(Set.of(port.address().host()));
            open(new AccessWatch(access));
            http = open(new NodeHttp(access));
            http.warn(access::warnings);
        } catch (RuntimeException e) {
            service.close();
            close();
            throw e;
        }
        http.serve(QueryService.PATH, service);
        http.serve(QueryService.STENOGRAPHER_PATH, service);
        http.show(this);
        try {
            Endpoint bound = http.listen(listeners, port.address(), LIMITS);
            address = bound;
            node = member.map(settings ->
                            open(new ArchiveNode(settings, bound, volume, clock, counters, metrics, errors)))
                    .orElse(null);
        } catch (RuntimeException e) {
            service.close();
            close();
            throw e;
        }
        // close in reverse order: first no more requests, then the end of running answers, only then the end of the
        // connections to other nodes
        open(service);
        this.<AutoCloseable>open(listeners::stop);
        if (node != null) {
            node.serve(http);
            service.serve(node.archives(), node.id());
        }
    }

    private <T extends AutoCloseable> T open(T resource) {
        opened.push(resource);
        return resource;
    }

    Endpoint address() {
        return address;
    }

    @Override
    public String role() {
        return "archive";
    }

    @Override
    public String id() {
        return metrics.node();
    }

    @Override
    public List<String> notReady() {
        String failure = volume.store().status().failure();
        return failure == null ? List.of() : List.of(failure);
    }

    @Override
    public List<String> warnings() {
        return node == null ? List.of() : node.warnings();
    }

    @Override
    public Metrics metrics() {
        return metrics;
    }

    @Override
    public Object status() {
        Map<String, Object> status = new LinkedHashMap<>();
        status.put("packets", counters.get(ArchiveCounter.ARCHIVE_PACKETS));
        status.put("volume", VolumeReport.of(volume.store().status()));
        status.put(
                "streams",
                volume.store().streams().stream().map(VolumeReport::of).toList());
        if (node != null) {
            status.put("cluster", node.status());
        }
        return status;
    }

    /** Closes the port. The volume has no readers afterwards. */
    @Override
    public void close() {
        while (!opened.isEmpty()) {
            CloseHelper.quietClose(opened.pop());
        }
    }
}
