package io.chimera.archive.distributed;

import io.chimera.archive.distributed.NodeChoice.Target;
import io.chimera.archive.query.QueryProgress;
import io.chimera.archive.query.Question;
import io.chimera.archive.query.answer.FoundPackets;
import io.chimera.archive.query.answer.NodeReport;
import io.chimera.archive.query.answer.NodeReport.Absent;
import io.chimera.archive.query.packet.PacketInterval;
import io.chimera.common.error.ChimeraException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * Merges the packets of several archive nodes by time. A node that is unreachable, or whose answer breaks off, does not
 * block the others: the report names the node. Single-threaded, except {@link #cancel}.
 */
public final class ClusterQuery implements FoundPackets {
    private final NodeChoice choice;
    private final Question question;
    private final Peers peers;
    private final List<String> warnings;
    private final NodeAnswers<FoundPackets> answers;
    private final List<Source> sources = new ArrayList<>();
    private final List<Absent> absent;
    private final PriorityQueue<Source> heads = new PriorityQueue<>(
            Comparator.<Source>comparingLong(source -> source.packets.packet().timeNs())
                    .thenComparingInt(source -> source.position));
    private Source current;
    private boolean hasBegun;
    private long packets;

    /** Creates the answer; no node is queried before the first packet. */
    public ClusterQuery(NodeChoice choice, Question question, Peers peers) {
        this.choice = choice;
        this.question = question;
        this.peers = peers;
        answers = new NodeAnswers<>(peers);
        warnings = question.warnings();
        absent = new ArrayList<>(choice.absent());
    }

    /** Answer of a node. */
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
        if (packets == question.limit() || answers.isCancelled()) {
            return false;
        }
        if (!hasBegun) {
            hasBegun = true;
            begin();
        } else if (current != null) {
            advance(current);
        }
        current = heads.poll();
        packets += current == null ? 0 : 1;
        return current != null;
    }

    private void begin() {
        List<Target> targets = choice.targets();
        List<FoundPackets> asked = answers.ask(
                targets,
                target -> peers.packets(target.member(), question.within(target.afterNs(), target.beforeNs())));
        for (int i = 0; i < asked.size(); i++) {
            sources.add(new Source(targets.get(i), asked.get(i), i));
        }
        sources.forEach(this::advance);
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
        return Optional.of(choice.report(absent));
    }

    @Override
    public void cancel() {
        answers.cancel();
    }

    @Override
    public boolean isCancelled() {
        return answers.isCancelled();
    }

    @Override
    public void close() {
        answers.close();
    }
}
