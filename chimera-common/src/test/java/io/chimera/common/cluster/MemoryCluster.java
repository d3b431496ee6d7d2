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
import java.util.stream.Stream;

/**
 * The coordinator's store in memory, with the versions and fences of the real one: one object that all nodes of a
 * simulation share. Nothing happens by itself and nothing by chance: sessions expire and connections break when a test
 * says so, and views arrive at once or, in the stepped kind, when it calls {@link #step()}. Any thread.
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
                .filter(lead -> lead.connected && !lead.electable)
                .toList()
                .forEach(Lead::queueUp);
        elect();
        publish();
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
        return viewOf(true);
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
        nodes.forEach(node -> node.view = viewOf(node.connected));
        leads.forEach(lead -> lead.learn(viewOf(lead.connected)));
    }

    private void elect() {
        leads.stream().filter(lead -> lead.electable).findFirst().ifPresent(first -> {
            if (!first.leading) {
                first.leading = true;
                first.term = ++epoch;
            }
        });
    }

    private ClusterView viewOf(boolean connected) {
        return new ClusterView(
                revision,
                connected,
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

    private SortedMap<Long, OpenCycle> lineOf(long cycle) {
        return Cycle.isReplay(cycle) ? replays : cycles;
    }

    private <M> Stream<M> held(Function<Node, M> member) {
        return nodes.stream().map(member).flatMap(Stream::ofNullable);
    }

    /** A node's connection. What is asked for while it is broken takes effect when it is back. */
    public final class Node implements Cluster {
        private final List<Runnable> commits = new ArrayList<>();
        private volatile ClusterView view = ClusterView.NONE;
        private QueueMember queue;
        private ProcessorMember processor;
        private QueueMember heldQueue;
        private ProcessorMember heldProcessor;
        private boolean connected = true;
        private boolean closed;

        private Node() {}

        @Override
        public ClusterView view() {
            return view;
        }

        @Override
        public void announce(QueueMember self) {
            synchronized (MemoryCluster.this) {
                queue = self;
                settle();
            }
        }

        @Override
        public void announce(ProcessorMember self) {
            synchronized (MemoryCluster.this) {
                processor = self;
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

        /** Breaks the connection; the session lives on until it is made to expire. */
        public void disconnect() {
            synchronized (MemoryCluster.this) {
                connected = false;
                revision++;
                view = viewOf(false);
            }
        }

        /** Mends the connection, with a new session where the old one expired. */
        public void reconnect() {
            synchronized (MemoryCluster.this) {
                connected = true;
                change();
            }
        }

        /** Expires the session. A node that is connected announces itself again at the next step. */
        public void expire() {
            synchronized (MemoryCluster.this) {
                heldQueue = null;
                heldProcessor = null;
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
                if (connected) {
                    heldQueue = null;
                    heldProcessor = null;
                    nodes.remove(this);
                    change();
                }
            }
        }

        private void write() {
            if (!connected || closed) {
                return;
            }
            if (queue != null && !queue.equals(heldQueue) && refusedFor().isEmpty()) {
                heldQueue = queue;
                if (!queue.leaving()) {
                    group.add(queue.id());
                }
                revision++;
            }
            if (processor != null
                    && !processor.equals(heldProcessor)
                    && refusedFor().isEmpty()) {
                heldProcessor = processor;
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

    /** A coordinator's connection. */
    public final class Lead implements Conductorship {
        private volatile ClusterView view = ClusterView.NONE;
        private volatile long believed;
        private long term;
        private boolean leading;
        private boolean electable = true;
        private boolean connected = true;
        private boolean replyLost;

        private Lead() {}

        @Override
        public ClusterView view() {
            return view;
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
        public void disconnect() {
            synchronized (MemoryCluster.this) {
                connected = false;
                revision++;
                learn(viewOf(false));
            }
        }

        /** Mends the connection. After the session expired this coordinator is the last in the row to lead. */
        public void reconnect() {
            synchronized (MemoryCluster.this) {
                connected = true;
                change();
            }
        }

        /** Expires the session: another coordinator leads. In the stepped kind this one hears of it at the next step. */
        public void expire() {
            synchronized (MemoryCluster.this) {
                electable = false;
                leading = false;
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

        private void learn(ClusterView seen) {
            view = seen;
            believed = connected && leading ? term : 0;
        }

        private boolean write(long ofEpoch, BooleanSupplier change) {
            synchronized (MemoryCluster.this) {
                if (!connected || believed == 0 || ofEpoch != believed) {
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
