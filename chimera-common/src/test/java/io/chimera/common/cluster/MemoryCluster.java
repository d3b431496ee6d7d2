package io.chimera.common.cluster;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.stream.Stream;

/**
 * The coordinator's store in memory, with the versions and fences of the real one: one object that all nodes of a
 * simulation share. Nothing happens by itself and nothing by chance: sessions expire and connections break when a test
 * says so, and views arrive at once or, in the stepped kind, when it calls {@link #step()}, or one after the other with
 * {@link #step(IntUnaryOperator)}. Any thread.
 */
public final class MemoryCluster {
    private final boolean stepped;
    private final List<Node> nodes = new ArrayList<>();
    private final List<Lead> leads = new ArrayList<>();
    private final TreeSet<String> group = new TreeSet<>();
    private final TreeMap<Long, OpenCycle> cycles = new TreeMap<>();
    private final TreeMap<Long, LowMark.Totals> verified = new TreeMap<>();
    private final TreeMap<Long, OpenCycle> replays = new TreeMap<>();
    private final TreeMap<String, ReplayRequest> requests = new TreeMap<>();
    private LowMark low = LowMark.NONE;
    private ReplayMark replayed = ReplayMark.NONE;
    private long epoch;
    private long revision;
    private ClusterView truth;

    /** Whoever is connected: a {@link Node} or a {@link Lead}. */
    public interface Client {
        /** What it sees. */
        ClusterView view();

        /** Lets nothing through, either way, without this one noticing; or lets things through again. */
        void hang(boolean hangs);

        /** Breaks the connection; the session lives on until it is made to expire. */
        void disconnect();

        /** Mends the connection, with a new session where the old one expired. */
        void reconnect();

        /** Expires the session. */
        void expire();

        /** Ends the process that holds the connection; its session lives on until it is made to expire. */
        void die();
    }

    private MemoryCluster(boolean stepped) {
        this.stepped = stepped;
    }

    /** A store whose changes everybody sees at once. */
    public static MemoryCluster immediate() {
        return new MemoryCluster(false);
    }

    /** A store whose changes are seen after {@link #step()}; announcements and commits too take effect there. */
    public static MemoryCluster stepped() {
        return new MemoryCluster(true);
    }

    /** Connects another node. */
    public synchronized Node join() {
        Node node = new Node();
        nodes.add(node);
        settle();
        return node;
    }

    /** Connects another coordinator. The first one leads; when its session expires, the one that joined next. */
    public synchronized Lead lead() {
        Lead lead = new Lead();
        leads.add(lead);
        settle();
        return lead;
    }

    /** Lets what was asked for take effect, in the order in which the nodes joined, then shows everybody the result. */
    public synchronized void step() {
        nodes.forEach(Node::write);
        elect();
        leads.stream()
                .filter(lead -> lead.link.isReachable() && !lead.electable)
                .toList()
                .forEach(Lead::queueUp);
        elect();
        publish();
    }

    /**
     * Lets one thing happen, chosen by the caller: what one node asked for takes effect, or one sees what stands, at times
     * the members or the cycles alone, for the real one reads one znode after the other.
     *
     * @param choose given a number of things, returns the index of one
     * @return the node or coordinator to which it happened; null when there is nothing to do
     */
    public synchronized Client step(IntUnaryOperator choose) {
        elect();
        List<Link> busy = new ArrayList<>();
        for (Link link : links()) {
            if (link.isReachable() && (link.hasWrites() || link.sight.isBehind())) {
                busy.add(link);
            }
        }
        if (busy.isEmpty()) {
            return null;
        }
        Link link = busy.get(choose.applyAsInt(busy.size()));
        if (link.hasWrites() && (!link.sight.isBehind() || choose.applyAsInt(2) == 0)) {
            link.write();
        } else {
            int part = link.sight.isWhole() ? choose.applyAsInt(4) : -1;
            link.sight.look(part != 0, part != 1);
            link.seen();
        }
        return link.face();
    }

    private List<Link> links() {
        List<Link> links = new ArrayList<>(nodes.size() + leads.size());
        nodes.forEach(node -> links.add(node.link));
        leads.forEach(lead -> links.add(lead.link));
        return links;
    }

    /** Takes a queue node out of the group, as an operator does when it will not come back. */
    public synchronized void unregister(String id) {
        group.remove(id);
        change();
    }

    /** Asks for a replay, as an operator does. */
    public synchronized void requestReplay(ReplayRequest request) {
        requests.put(request.id(), request);
        change();
    }

    /** Withdraws a request for a replay, as an operator does. */
    public synchronized void withdrawReplay(String id) {
        requests.remove(id);
        change();
    }

    /** Cycles that are noted as verified and not forgotten yet. */
    public synchronized SortedMap<Long, LowMark.Totals> verified() {
        return new TreeMap<>(verified);
    }

    /** What stands at this moment. */
    public synchronized ClusterView truth() {
        if (truth == null || truth.revision() != revision) {
            truth = new ClusterView(
                    revision,
                    true,
                    held(node -> node.heldQueue)
                            .sorted(Comparator.comparing(QueueMember::id))
                            .toList(),
                    held(node -> node.heldProcessor)
                            .sorted(Comparator.comparing(ProcessorMember::id))
                            .toList(),
                    group.size(),
                    cycles,
                    low,
                    new Replays(replayed, replays.values().stream().findFirst(), requests));
        }
        return truth;
    }

    /** Epoch of the newest lead: what a write of the conductor is checked against. */
    public synchronized long epoch() {
        return epoch;
    }

    private void settle() {
        if (!stepped) {
            step();
        }
    }

    private void change() {
        revision++;
        settle();
    }

    private void publish() {
        for (Link link : links()) {
            if (link.isReachable() && link.sight.isBehind()) {
                link.sight.look(true, true);
            }
            link.seen();
        }
    }

    private void elect() {
        leads.stream().filter(lead -> lead.electable).findFirst().ifPresent(first -> {
            if (!first.leading) {
                first.leading = true;
                first.term = ++epoch;
                revision++;
            }
        });
    }

    private SortedMap<Long, OpenCycle> lineOf(long cycle) {
        return Cycle.isReplay(cycle) ? replays : cycles;
    }

    private <M> Stream<M> held(Function<Node, M> member) {
        return nodes.stream().map(member).flatMap(Stream::ofNullable);
    }

    /** What one node sees: the newest it was shown, with a revision of its own. */
    private final class Sight {
        private volatile ClusterView view = ClusterView.NONE;
        private long membersRevision = -1;
        private long cyclesRevision = -1;

        /** Whether everything was read since the connection was made. */
        boolean isWhole() {
            return membersRevision >= 0;
        }

        boolean isBehind() {
            return membersRevision != revision || cyclesRevision != revision;
        }

        void look(boolean members, boolean cycles) {
            ClusterView now = truth();
            membersRevision = members ? revision : membersRevision;
            cyclesRevision = cycles ? revision : cyclesRevision;
            ClusterView ofMembers = members ? now : view;
            ClusterView ofCycles = cycles ? now : view;
            view = new ClusterView(
                    view.revision() + 1,
                    true,
                    ofMembers.queues(),
                    ofMembers.processors(),
                    ofMembers.registered(),
                    ofCycles.cycles(),
                    ofCycles.low(),
                    ofCycles.replays());
        }

        void lose() {
            membersRevision = -1;
            view = new ClusterView(
                    view.revision() + 1,
                    false,
                    view.queues(),
                    view.processors(),
                    view.registered(),
                    view.cycles(),
                    view.low(),
                    view.replays());
        }
    }

    /** A way to the store, be it of a node or of a coordinator. */
    private abstract class Link {
        final Sight sight = new Sight();
        boolean connected = true;

        /** Nothing passes, but nobody has noticed yet. */
        boolean hangs;

        boolean isReachable() {
            return connected && !hangs;
        }

        abstract boolean hasWrites();

        abstract void write();

        abstract void seen();

        abstract Client face();

        void disconnect() {
            connected = false;
            revision++;
            sight.lose();
            seen();
        }
    }

    /** A node's connection. What is asked for while it is broken takes effect when it is back. */
    public final class Node implements Cluster, Client {
        private final List<Runnable> commits = new ArrayList<>();
        private final NodeLink link = new NodeLink(this);
        private QueueMember queue;
        private ProcessorMember processor;
        private QueueMember heldQueue;
        private ProcessorMember heldProcessor;
        private boolean isQueueAsked;
        private boolean isProcessorAsked;
        private boolean closed;

        private Node() {}

        @Override
        public ClusterView view() {
            return link.sight.view;
        }

        /** Nobody sleeps here: agents are driven by hand. */
        @Override
        public void onView(Runnable listener) {}

        @Override
        public void announce(QueueMember self) {
            synchronized (MemoryCluster.this) {
                queue = self;
                isQueueAsked = true;
                settle();
            }
        }

        @Override
        public void announce(ProcessorMember self) {
            synchronized (MemoryCluster.this) {
                processor = self;
                isProcessorAsked = true;
                settle();
            }
        }

        @Override
        public void commit(ShardCommit commit, int assignmentVersion) {
            synchronized (MemoryCluster.this) {
                commits.add(() -> write(commit, assignmentVersion));
                settle();
            }
        }

        /** Who holds this node's id, so that its own announcement waits. */
        public Optional<Long> refusedFor() {
            synchronized (MemoryCluster.this) {
                return holderOf(queue, node -> node.heldQueue, QueueMember::id)
                        .map(QueueMember::session)
                        .or(() -> holderOf(processor, node -> node.heldProcessor, ProcessorMember::id)
                                .map(ProcessorMember::session));
            }
        }

        @Override
        public void hang(boolean hangs) {
            synchronized (MemoryCluster.this) {
                link.hangs = hangs;
            }
        }

        @Override
        public void disconnect() {
            synchronized (MemoryCluster.this) {
                link.disconnect();
            }
        }

        @Override
        public void die() {
            synchronized (MemoryCluster.this) {
                link.connected = false;
                closed = true;
            }
        }

        @Override
        public void reconnect() {
            synchronized (MemoryCluster.this) {
                link.connected = true;
                change();
            }
        }

        /** Expires the session. A node that is connected announces itself again at the next step. */
        @Override
        public void expire() {
            synchronized (MemoryCluster.this) {
                heldQueue = null;
                heldProcessor = null;
                isQueueAsked = true;
                isProcessorAsked = true;
                if (closed) {
                    nodes.remove(this);
                }
                revision++;
                if (!stepped) {
                    publish();
                }
            }
        }

        @Override
        public void close() {
            synchronized (MemoryCluster.this) {
                closed = true;
                if (link.connected) {
                    heldQueue = null;
                    heldProcessor = null;
                    nodes.remove(this);
                    change();
                }
            }
        }

        private boolean isQueueNew() {
            return isQueueAsked
                    && queue != null
                    && !queue.equals(heldQueue)
                    && refusedFor().isEmpty();
        }

        private boolean isProcessorNew() {
            return isProcessorAsked
                    && processor != null
                    && !processor.equals(heldProcessor)
                    && refusedFor().isEmpty();
        }

        private void write() {
            if (!link.isReachable() || closed) {
                return;
            }
            if (isQueueNew()) {
                heldQueue = queue;
                isQueueAsked = false;
                if (!queue.leaving()) {
                    group.add(queue.id());
                }
                revision++;
            }
            if (isProcessorNew()) {
                heldProcessor = processor;
                isProcessorAsked = false;
                revision++;
            }
            commits.forEach(Runnable::run);
            commits.clear();
        }

        private void write(ShardCommit commit, int assignmentVersion) {
            OpenCycle open = lineOf(commit.cycle()).get(commit.cycle());
            if (open == null || open.assignment().version() != assignmentVersion || open.isCommitted(commit.shard())) {
                return;
            }
            SortedMap<Integer, ShardCommit> all = new TreeMap<>(open.commits());
            all.put(commit.shard(), commit);
            lineOf(commit.cycle()).put(commit.cycle(), new OpenCycle(open.cycle(), open.assignment(), all));
            revision++;
        }

        private <M> Optional<M> holderOf(M self, Function<Node, M> member, Function<M, String> id) {
            return nodes.stream()
                    .filter(other -> other != this)
                    .map(member)
                    .flatMap(Stream::ofNullable)
                    .filter(other -> self != null && id.apply(other).equals(id.apply(self)))
                    .findFirst();
        }
    }

    private final class NodeLink extends Link {
        private final Node node;

        NodeLink(Node node) {
            this.node = node;
        }

        @Override
        boolean hasWrites() {
            return !node.closed && (!node.commits.isEmpty() || node.isQueueNew() || node.isProcessorNew());
        }

        @Override
        void write() {
            node.write();
        }

        @Override
        void seen() {}

        @Override
        Client face() {
            return node;
        }
    }

    private final class LeadLink extends Link {
        private final Lead lead;

        LeadLink(Lead lead) {
            this.lead = lead;
        }

        @Override
        boolean hasWrites() {
            return !lead.electable;
        }

        @Override
        void write() {
            lead.queueUp();
        }

        @Override
        void seen() {
            lead.believed = connected && lead.leading ? lead.term : 0;
        }

        @Override
        Client face() {
            return lead;
        }
    }

    /** A coordinator's connection. */
    public final class Lead implements Conductorship, Client {
        private final LeadLink link = new LeadLink(this);
        private volatile long believed;
        private long term;
        private boolean leading;
        private boolean electable = true;
        private boolean closed;
        private boolean replyLost;

        private Lead() {}

        @Override
        public ClusterView view() {
            return link.sight.view;
        }

        @Override
        public long epoch() {
            return believed;
        }

        @Override
        public boolean begin(Cycle cycle, Assignment assignment) {
            return write(cycle.epoch(), () -> {
                long live = cycles.isEmpty() ? low.cycle() : cycles.lastKey();
                long last = Cycle.isReplay(cycle.number()) ? replayed.cycle() : live;
                if (cycle.number() != last + 1
                        || lineOf(cycle.number()).containsKey(cycle.number())
                        || assignment.version() != 0) {
                    return false;
                }
                lineOf(cycle.number()).put(cycle.number(), new OpenCycle(cycle, assignment, new TreeMap<>()));
                return true;
            });
        }

        @Override
        public boolean assign(long cycle, Assignment next) {
            return write(believed, () -> {
                OpenCycle open = lineOf(cycle).get(cycle);
                if (open == null || open.assignment().version() + 1 != next.version()) {
                    return false;
                }
                lineOf(cycle).put(cycle, new OpenCycle(open.cycle(), next, open.commits()));
                return true;
            });
        }

        @Override
        public boolean verify(long cycle, LowMark.Totals accounts) {
            return write(
                    believed,
                    () -> cycles.containsKey(cycle)
                            && accounts.equals(verified.merge(cycle, accounts, (old, added) -> old)));
        }

        @Override
        public boolean advance(LowMark mark) {
            return write(believed, () -> {
                if (mark.cycle() <= low.cycle()) {
                    return mark.equals(low);
                }
                low = mark;
                cycles.headMap(mark.cycle(), true).clear();
                verified.headMap(mark.cycle(), true).clear();
                return true;
            });
        }

        @Override
        public boolean advanceReplay(ReplayMark mark, Optional<ReplayRequest> request) {
            return write(believed, () -> {
                boolean isKnown =
                        request.isEmpty() || requests.containsKey(request.get().id());
                if (mark.cycle() < replayed.cycle() || !isKnown) {
                    return false;
                }
                replayed = mark;
                replays.headMap(mark.cycle(), true).clear();
                request.ifPresent(noted -> requests.put(noted.id(), noted));
                return true;
            });
        }

        @Override
        public boolean forgetReplay(String request) {
            return write(believed, () -> {
                requests.remove(request);
                return true;
            });
        }

        /** Breaks the connection; the session, and with it the lead, lives on until it is made to expire. */
        @Override
        public void disconnect() {
            synchronized (MemoryCluster.this) {
                link.disconnect();
            }
        }

        @Override
        public void hang(boolean hangs) {
            synchronized (MemoryCluster.this) {
                link.hangs = hangs;
            }
        }

        @Override
        public void die() {
            synchronized (MemoryCluster.this) {
                link.connected = false;
                closed = true;
            }
        }

        /** Mends the connection. After the session expired this coordinator is the last in the row to lead. */
        @Override
        public void reconnect() {
            synchronized (MemoryCluster.this) {
                link.connected = true;
                change();
            }
        }

        /** Expires the session: another coordinator leads. In the stepped kind this one hears of it at the next step. */
        @Override
        public void expire() {
            synchronized (MemoryCluster.this) {
                electable = false;
                leading = false;
                if (closed) {
                    leads.remove(this);
                }
                revision++;
                settle();
            }
        }

        /** Raises the epoch as a coordinator does that takes the lead; this one does not hear of it. */
        public void overtake() {
            synchronized (MemoryCluster.this) {
                epoch++;
            }
        }

        /** The next write takes effect, but the connection breaks before this coordinator hears so. */
        public void loseNextReply() {
            synchronized (MemoryCluster.this) {
                replyLost = true;
            }
        }

        @Override
        public void close() {
            synchronized (MemoryCluster.this) {
                leads.remove(this);
                believed = 0;
                settle();
            }
        }

        private void queueUp() {
            electable = true;
            leads.remove(this);
            leads.add(this);
        }

        private boolean write(long ofEpoch, BooleanSupplier change) {
            synchronized (MemoryCluster.this) {
                if (!link.isReachable() || believed == 0 || ofEpoch != believed) {
                    return false;
                }
                if (believed != epoch) {
                    leading = false; // takes the lead anew, if nobody else has it
                    believed = 0;
                    settle();
                    return false;
                }
                boolean stands = change.getAsBoolean();
                if (stands) {
                    change();
                }
                boolean heard = !replyLost;
                replyLost = false;
                return stands && heard;
            }
        }
    }
}
