package io.chimera.archive.distributed;

import io.chimera.archive.distributed.NodeChoice.Target;
import io.chimera.archive.distributed.SpanQuestion.Member;
import io.chimera.archive.distributed.SpanQuestion.Told;
import io.chimera.archive.index.IndexMessages;
import io.chimera.archive.index.key.IndexKey;
import io.chimera.archive.index.key.Probe;
import io.chimera.archive.index.record.DamagedRecordException;
import io.chimera.archive.query.Question;
import io.chimera.archive.query.answer.NodeReport.Absent;
import io.chimera.archive.query.filter.PointFilter;
import io.chimera.archive.query.key.PacketKeys;
import io.chimera.archive.query.key.PointKeys;
import io.chimera.archive.streamfs.store.StreamSettings;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.archive.ArchiveKind;
import io.chimera.common.cluster.archive.ArchiveMember;
import io.chimera.common.cluster.archive.Archives;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Selects the archive nodes for a question with the distributed index. A node is skipped only if the index node of
 * every queried span holds all groups of the node and none of them matches; otherwise the node is queried directly.
 * Single-threaded.
 */
public final class NodeSearch {
    /**
     * Maximum length of a question with its probe; a longer question is sent without the probe, so everything may
     * match.
     */
    private static final int QUESTION_BYTES_MAX = 256 << 10;

    private final ArchiveKind kind;
    private final List<IndexKey> keys;
    private final Peers peers;
    private final DistributedCodec codec;

    /** Creates a search for nodes of one kind. */
    public NodeSearch(ArchiveKind kind, Peers peers) {
        this.kind = kind;
        keys = kind == ArchiveKind.POINTS ? PointKeys.keys() : PacketKeys.keys();
        this.peers = peers;
        codec = new DistributedCodec(keys);
    }

    /**
     * Selects the nodes.
     *
     * @param view newest view of the cluster
     * @param nowNs wall-clock time, ns since 1970; only limits the queried spans
     * @throws ChimeraException when the question is invalid
     */
    public NodeChoice choose(Question question, ClusterView view, long nowNs) {
        if (question.stream().length() > StreamSettings.NAME_LENGTH_MAX) {
            throw new ChimeraException(
                    Category.ERROR,
                    "The name of a stream has at most " + StreamSettings.NAME_LENGTH_MAX + " characters.");
        }
        Probe probe = kind == ArchiveKind.POINTS
                ? PointFilter.compile(question.filter()).probe()
                : question.probe();
        Archives archives = view.archives().of(kind);
        List<ArchiveMember> live = archives.live();
        Choosing choosing = new Choosing(question, live);
        List<ArchiveMember> sharing = sharing(live);
        if (view.connected() && !sharing.isEmpty() && sharing.size() <= DistributedCodec.MEMBERS_MAX) {
            choosing.search(probe, sharing, nowNs);
        }
        choosing.wholly(live);
        List<Absent> absent = new ArrayList<>();
        archives.away().forEach(id -> absent.add(absent(id, question, "the node is not connected to the cluster")));
        int nodes = live.size() + absent.size();
        if (!view.connected()) {
            absent.add(absent(Absent.UNKNOWN, question, "no connection to ZooKeeper; other nodes may exist"));
        }
        List<Target> targets = choosing.targets();
        return new NodeChoice(targets, nodes, live.size() - targets.size(), choosing.asked, choosing.failed, absent);
    }

    private static Absent absent(String id, Question question, String why) {
        return new Absent(id, question.afterNs(), question.beforeNs(), why);
    }

    /** Returns the largest set of nodes with a common index; all other nodes are queried directly. */
    private List<ArchiveMember> sharing(List<ArchiveMember> live) {
        int fingerprint = new IndexMessages(keys).fingerprint();
        List<ArchiveMember> most = List.of();
        for (ArchiveMember member : live) {
            List<ArchiveMember> same = live.stream()
                    .filter(other -> other.index().keys() == fingerprint && other.sharesWith(member))
                    .toList();
            most = same.size() > most.size() ? same : most;
        }
        return most;
    }

    /** Selection for a question. */
    private final class Choosing {
        private final Question question;
        private final Map<ArchiveMember, Hull> hulls = new LinkedHashMap<>();
        private final List<String> failed = new ArrayList<>();
        private int asked;
        private List<ArchiveMember> searched = List.of();

        private Choosing(Question question, List<ArchiveMember> live) {
            this.question = question;
            live.forEach(member -> hulls.put(member, new Hull()));
        }

        private void search(Probe probe, List<ArchiveMember> sharing, long nowNs) {
            Spans spans = new Spans(sharing.get(0).index().spanNs());
            long first = spans.of(question.afterNs());
            long last = spans.of(Math.min(question.beforeNs(), nowNs));
            if (last - first < 0 || last - first >= DistributedCodec.SPANS_MAX) {
                return; // only the future, or too many spans
            }
            searched = sharing;
            Map<ArchiveMember, List<Long>> spansOf = new LinkedHashMap<>();
            SpanOwners owners = new SpanOwners(sharing);
            for (long span = first; span <= last; span++) {
                spansOf.computeIfAbsent(owners.of(span), owner -> new ArrayList<>())
                        .add(span);
            }
            ask(probe, sharing, spans, spansOf);
            if (question.beforeNs() > spans.lastNs(last)) {
                sharing.forEach(member -> hulls.get(member).add(spans.lastNs(last) + 1, question.beforeNs(), question));
            }
        }

        private void ask(
                Probe probe, List<ArchiveMember> sharing, Spans spans, Map<ArchiveMember, List<Long>> spansOf) {
            List<ArchiveMember> owners = List.copyOf(spansOf.keySet());
            List<Member> members = sharing.stream()
                    .map(member -> new Member(member.session(), member.generation()))
                    .toList();
            List<byte[]> questions = owners.stream()
                    .map(owner -> encode(probe, spans, spansOf.get(owner), members))
                    .toList();
            List<byte[]> answers = peers.ask(owners, questions);
            asked = owners.size();
            for (int i = 0; i < owners.size(); i++) {
                List<Long> ofOwner = spansOf.get(owners.get(i));
                List<Told> told = read(answers.get(i), sharing.size());
                if (told == null) {
                    failed.add(owners.get(i).id());
                    sharing.forEach(member -> ofOwner.forEach(span -> unknown(member, spans, span)));
                    continue;
                }
                for (int j = 0; j < sharing.size(); j++) {
                    ArchiveMember member = sharing.get(j);
                    told.get(j).unknown().stream()
                            .filter(position -> position < ofOwner.size())
                            .forEach(position -> unknown(member, spans, ofOwner.get(position)));
                    if (told.get(j).mayMatch()) {
                        hulls.get(member).add(told.get(j).firstNs(), told.get(j).lastNs(), question);
                    }
                }
            }
        }

        private void unknown(ArchiveMember member, Spans spans, long span) {
            hulls.get(member).add(spans.firstNs(span), spans.lastNs(span), question);
        }

        private byte[] encode(Probe probe, Spans spans, List<Long> ofOwner, List<Member> members) {
            byte[] bytes = codec.encode(asks(probe, spans, ofOwner, members));
            return bytes.length <= QUESTION_BYTES_MAX
                    ? bytes
                    : codec.encode(asks(Probe.all(), spans, ofOwner, members));
        }

        private SpanQuestion asks(Probe probe, Spans spans, List<Long> ofOwner, List<Member> members) {
            return new SpanQuestion(
                    spans.lengthNs(),
                    probe,
                    question.stream(),
                    question.afterNs(),
                    question.beforeNs(),
                    ofOwner,
                    members);
        }

        /** Returns null for an unusable answer. */
        private List<Told> read(byte[] answer, int size) {
            try {
                List<Told> told = answer == null ? null : codec.answer(answer);
                return told == null || told.size() != size ? null : told;
            } catch (DamagedRecordException e) {
                return null;
            }
        }

        /** Includes every node not covered by the index search: such a node may hold matching data. */
        private void wholly(List<ArchiveMember> live) {
            live.stream().filter(member -> !searched.contains(member)).forEach(member -> hulls.get(member)
                    .add(question.afterNs(), question.beforeNs(), question));
        }

        private List<Target> targets() {
            List<Target> targets = new ArrayList<>();
            hulls.forEach((member, hull) -> {
                if (hull.firstNs <= hull.lastNs) {
                    targets.add(new Target(member, hull.firstNs, hull.lastNs));
                }
            });
            // same order for all queries: of several concurrent queries, one is likely to get all the free places
            targets.sort(Comparator.comparing(target -> target.member().id()));
            return targets;
        }
    }

    /** Time range of possible matches at a node. */
    private static final class Hull {
        private long firstNs = Long.MAX_VALUE;
        private long lastNs = Long.MIN_VALUE;

        private void add(long fromNs, long toNs, Question question) {
            firstNs = Math.min(firstNs, Math.max(fromNs, question.afterNs()));
            lastNs = Math.max(lastNs, Math.min(toNs, question.beforeNs()));
        }
    }
}
