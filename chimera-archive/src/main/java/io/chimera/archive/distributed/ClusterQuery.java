package io.chimera.archive.distributed;

import io.chimera.archive.distributed.NodeChoice.Target;
import io.chimera.archive.query.FoundPackets;
import io.chimera.archive.query.NodeReport;
import io.chimera.archive.query.NodeReport.Absent;
import io.chimera.archive.query.PacketInterval;
import io.chimera.archive.query.QueryProgress;
import io.chimera.archive.query.Question;
import io.chimera.common.error.ChimeraException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * An answer of several archive nodes, merged by time. A node that cannot be asked, or not to the end, does not hold up the others: it is named.
 * One thread.
 */
public final class ClusterQuery implements FoundPackets {
    private final NodeChoice choice;
    private final long limit;
    private final List<String> warnings;
    private final List<Source> sources = new ArrayList<>();
    private final List<Absent> absent;
    private final PriorityQueue<Source> heads = new PriorityQueue<>(
            Comparator.<Source>comparingLong(source -> source.packets.packet().timeNs())
                    .thenComparingInt(source -> source.position));
    private Source current;
    private boolean hasBegun;
    private long packets;
    private volatile boolean isCancelled;

    /** Asks everybody who was chosen. */
    public ClusterQuery(NodeChoice choice, Question question, Peers peers) {
        this.choice = choice;
        limit = question.limit();
        warnings = question.warnings();
        absent = new ArrayList<>(choice.absent());
        for (Target target : choice.targets()) {
            Question narrowed = question.within(target.afterNs(), target.beforeNs());
            sources.add(new Source(target, peers.packets(target.member(), narrowed), sources.size()));
        }
    }

    /** One node. */
    private static final class Source {
        private final Target target;
        private final FoundPackets packets;
        private final int position;

        private Source(Target target, FoundPackets packets, int position) {
            this.target = target;
            this.packets = packets;
            this.position = position;
        }
    }

    @Override
    public List<String> warnings() {
        return warnings;
    }

    @Override
    public boolean next() {
        if (packets == limit || isCancelled) {
            return false;
        }
        if (!hasBegun) {
            hasBegun = true;
            sources.forEach(this::advance);
        } else if (current != null) {
            advance(current);
        }
        current = heads.poll();
        packets += current == null ? 0 : 1;
        return current != null;
    }

    private void advance(Source source) {
        try {
            if (source.packets.next()) {
                heads.add(source);
            }
        } catch (ChimeraException e) {
            Target target = source.target;
            absent.add(new Absent(target.member().id(), target.afterNs(), target.beforeNs(), e.getMessage()));
        }
    }

    @Override
    public PacketInterval packet() {
        return current.packets.packet();
    }

    @Override
    public String stream() {
        return current.target.member().id() + "/" + current.packets.stream();
    }

    @Override
    public QueryProgress progress() {
        QueryProgress all = QueryProgress.NONE;
        for (Source source : sources) {
            all = all.plus(source.packets.progress());
        }
        return all.withFound(packets);
    }

    @Override
    public Optional<NodeReport> nodes() {
        return Optional.of(new NodeReport(
                choice.nodes(),
                choice.targets().size(),
                choice.skipped(),
                choice.indexNodes(),
                choice.indexNodesFailed(),
                absent));
    }

    @Override
    public void cancel() {
        isCancelled = true;
    }

    @Override
    public void close() {
        sources.forEach(source -> source.packets.close());
    }
}
