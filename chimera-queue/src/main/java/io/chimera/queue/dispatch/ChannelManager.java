package io.chimera.queue.dispatch;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.CutRange;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.OpenCycle;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.ProcessorMember;
import io.chimera.common.cluster.membership.ConfigurationRegistry;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.common.wire.PartFrame;
import io.chimera.common.wire.PartId;
import io.chimera.common.wire.PastFrame;
import io.chimera.queue.peer.PeerNetwork;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.agrona.CloseHelper;
import org.agrona.concurrent.Agent;

/**
 * Sends this node's own parts of every open cycle to the processors of their shards (Chimera 2017, III-C4 and Algorithm
 * 1), and retransmits parts when the view assigns their shards to another processor (Algorithm 3). The channel manager
 * compares the newest view with the parts already sent, so a missed event changes nothing. One agent, one thread.
 */
public final class ChannelManager implements Agent {
    /**
     * Maximum number of passes at a time, apart from one pass for each lagging processor: the cycles in flight (16 at
     * most), and as many again for retransmissions. No part of a shard is in two passes, so the cycles bound the memory
     * of all passes: 64 KiB per part, shard and pipeline, and with keys 256 KiB more.
     */
    private static final int TRANSMISSIONS_MAX = 32;

    /** Steps of passes until the next look at the view and at the answers of processors: a batch takes two steps. */
    private static final int STEPS_MAX = 8;

    private final long session;
    private final PeerNetwork network;
    private final Cycles cycles;
    private final ConfigurationRegistry<Routing> held;
    private final Counters<QueueCounter> counters;

    private final Map<Long, ProcessorChannel> channels = new HashMap<>();
    private final TreeMap<Long, SendState[]> states = new TreeMap<>();

    /** Digest of the pipelines used for the states, by cycle. */
    private final Map<Long, ConfigurationDigest> digests = new HashMap<>();

    private long retiredAt = -1;

    /** Passes by cycle, the oldest first. */
    private final List<Transmission> transmissions = new ArrayList<>();

    private final PastPasses past;
    private final ProcessorChannel.AnswerHandler answers = new ProcessorChannel.AnswerHandler() {
        @Override
        public void onAnswer(ChannelNote.Answer answer) {
            ChannelManager.this.onAnswer(answer);
        }

        @Override
        public void onRefused() {
            counters.increment(QueueCounter.DISPATCH_ANSWERS_REFUSED);
        }

        @Override
        public void onPast(ProcessorChannel channel, PastFrame.Request request) {
            past.ask(channel, request);
        }
    };
    private int lastTransmission;

    /**
     * Creates a channel manager.
     *
     * @param network connects with the processors
     * @param held routing of records by the digest of the cycle; closed with the channel manager
     */
    public ChannelManager(
            PeerNetwork network, Cycles cycles, ConfigurationRegistry<Routing> held, Counters<QueueCounter> counters) {
        this.session = network.self().session();
        this.network = network;
        this.cycles = cycles;
        this.held = held;
        this.counters = counters;
        past = new PastPasses(network.self().group(), cycles, held, counters);
    }

    @Override
    public String roleName() {
        return "channel-manager";
    }

    @Override
    public int doWork() {
        ClusterView view = network.cluster().view();
        int work = alignChannels(view);
        forgetClosedCycles(view);
        for (OpenCycle open : view.open()) {
            work += alignCycle(view, open);
        }
        work += transmit();
        return work + past.step(network.clock().nanoTime(), work == 0);
    }

    /** Keeps one channel per live processor. */
    private int alignChannels(ClusterView view) {
        int work = 0;
        for (ProcessorMember member : view.processors()) {
            channels.computeIfAbsent(member.session(), key -> new ProcessorChannel(member, network, counters));
        }
        for (Iterator<Map.Entry<Long, ProcessorChannel>> all =
                        channels.entrySet().iterator();
                all.hasNext(); ) {
            Map.Entry<Long, ProcessorChannel> entry = all.next();
            if (view.connected() && view.processor(entry.getKey()).isEmpty()) {
                entry.getValue().close();
                all.remove();
            } else {
                work += entry.getValue().poll(answers);
            }
        }
        return work;
    }

    private void forgetClosedCycles(ClusterView view) {
        states.keySet().removeIf(view::isOver);
        digests.keySet().retainAll(states.keySet());
        transmissions.removeIf(transmission -> {
            boolean isClosed = isClosed(view, transmission.cycleNumber());
            if (isClosed) {
                transmission.close();
            }
            return isClosed;
        });
        if (view.revision() != retiredAt) {
            retiredAt = view.revision();
            List<Routing> retired = held.retire(view);
            past.forget(retired);
            CloseHelper.closeAll(retired);
        }
    }

    /** Whether the passes of a cycle must end: the cycle is over, or continues with other pipelines. */
    private boolean isClosed(ClusterView view, long cycle) {
        OpenCycle open = view.open(cycle).orElse(null);
        return open == null || !open.assignment().digest().equals(digests.get(cycle));
    }

    /** Finds this node's own parts of a cycle that are not yet sent to their processors, and starts passes for them. */
    private int alignCycle(ClusterView view, OpenCycle open) {
        Cycle cycle = open.cycle();
        if (!open.assignment().owners().contains(session) || open.isCommitted()) {
            return 0;
        }
        ConfigurationRegistry.LoadedConfiguration<Routing> edition =
                held.find(open.assignment().digest());
        if (edition == null) {
            return 0;
        }
        if (!open.assignment()
                .digest()
                .equals(digests.put(cycle.number(), open.assignment().digest()))) {
            states.remove(cycle.number());
        }
        SendState[] parts = states.computeIfAbsent(cycle.number(), number -> newStates(cycle));
        List<SendState> together = new ArrayList<>();
        Map<ProcessorChannel, List<SendState>> apart = new LinkedHashMap<>();
        for (SendState state : parts) {
            ProcessorChannel channel = align(open, state);
            if (channel == null || !channel.isReady() || !state.isPending()) {
                continue;
            }
            if (channel.isLagging()) {
                apart.computeIfAbsent(channel, key -> new ArrayList<>()).add(state);
            } else {
                together.add(state);
            }
        }
        Positions before = view.cutBefore(cycle.number()).orElse(null);
        if ((together.isEmpty() && apart.isEmpty()) || before == null) {
            return 0;
        }
        CutRange records = new CutRange(before, cycle.cut());
        if (!cycles.covers(records)) {
            return 0;
        }
        int started = 0;
        if (!together.isEmpty() && passesTogether() < TRANSMISSIONS_MAX) {
            start(edition, cycle, records, together, null);
            started++;
        }
        for (Map.Entry<ProcessorChannel, List<SendState>> lagging : apart.entrySet()) {
            if (transmissions.stream().noneMatch(pass -> pass.apartFor() == lagging.getKey())) {
                start(edition, cycle, records, lagging.getValue(), lagging.getKey());
                started++;
            }
        }
        return started;
    }

    private long passesTogether() {
        return transmissions.stream().filter(pass -> pass.apartFor() == null).count();
    }

    private static SendState[] newStates(Cycle cycle) {
        SendState[] parts = new SendState[cycle.parts() * cycle.shards()];
        for (int i = 0; i < parts.length; i++) {
            parts[i] = new SendState(new PartId(cycle.number(), i / cycle.shards(), i % cycle.shards()));
        }
        return parts;
    }

    /** Channel for a part of a shard; null when there is nothing to send. */
    private ProcessorChannel align(OpenCycle open, SendState state) {
        PartId id = state.id();
        long owner = open.assignment().owners().get(id.part());
        if (owner != session || open.isCommitted(id.shard())) {
            return null;
        }
        long processor = open.assignment().processors().get(id.shard());
        ProcessorChannel channel = channels.get(processor);
        state.align(processor, channel == null ? 0 : channel.connectionNumber());
        return channel;
    }

    private void start(
            ConfigurationRegistry.LoadedConfiguration<Routing> edition,
            Cycle cycle,
            CutRange records,
            List<SendState> pending,
            ProcessorChannel apartFor) {
        PassPlan plan = PassPlan.open(
                ++lastTransmission,
                cycle,
                cycle.parts(network.self().group()),
                edition.fingerprint(),
                edition.pipelines().routesOf(cycle));
        DispatchTarget[] targets = new DispatchTarget[cycle.parts() * cycle.shards()];
        for (SendState state : pending) {
            state.sending(plan.number());
            targets[state.id().part() * cycle.shards() + state.id().shard()] =
                    new DispatchTarget(plan, state, channels.get(state.processor()));
        }
        counters.increment(QueueCounter.DISPATCH_TRANSMISSIONS);
        int place = transmissions.size();
        while (place > 0 && transmissions.get(place - 1).cycleNumber() > cycle.number()) {
            place--;
        }
        // a processor without a part of the pass or the cycle has always caught up, and would be no measure
        Stream<SendState> measured = apartFor == null ? pending.stream() : Arrays.stream(states.get(cycle.number()));
        transmissions.add(
                place,
                new Transmission(
                        plan, records.before(), cycles.open(records), targets, apartFor, channelsOf(measured)));
    }

    private Set<ProcessorChannel> channelsOf(Stream<SendState> parts) {
        return parts.map(part -> channels.get(part.processor()))
                .filter(Objects::nonNull)
                .collect(Collectors.toSet());
    }

    /**
     * Advances passes by some steps: the oldest cycle first, and a younger cycle only while all older passes are
     * stalled. A processor that receives several cycles in turn would complete all of them at the same time, and then
     * have nothing to do until further cycles begin. A replay has the highest number of all cycles, and gets a step of
     * its own, so that live cycles cannot keep it from its end.
     */
    private int transmit() {
        long nowNs = network.clock().nanoTime();
        int steps = 0;
        int index = 0;
        while (steps < STEPS_MAX && index < transmissions.size()) {
            if (step(index, nowNs)) {
                steps++;
            } else {
                index++;
            }
        }
        return steps < STEPS_MAX ? steps : steps + giveWay(index, nowNs);
    }

    /** Lets the passes after a pass give way; the oldest replay among them advances by a step. */
    private int giveWay(int after, long nowNs) {
        int replay = transmissions.size();
        for (int i = transmissions.size() - 1; i > after; i--) {
            if (Cycle.isReplay(transmissions.get(i).cycleNumber())) {
                replay = i;
            }
            transmissions.get(i).giveWay();
        }
        boolean isAfterLive = after < replay
                && replay < transmissions.size()
                && !Cycle.isReplay(transmissions.get(after).cycleNumber());
        return isAfterLive && step(replay, nowNs) ? 1 : 0;
    }

    private boolean step(int index, long nowNs) {
        Transmission transmission = transmissions.get(index);
        long copies = transmission.copies();
        int deferred = transmission.deferred();
        Transmission.Progress progress = transmission.step(nowNs);
        counters.add(QueueCounter.DISPATCH_POINTS, transmission.copies() - copies);
        counters.add(QueueCounter.DISPATCH_DEFERRED, transmission.deferred() - deferred);
        switch (progress) {
            case WORKED -> {}
            case STALLED -> counters.increment(QueueCounter.DISPATCH_STALLS);
            case DONE, FAILED -> {
                if (progress == Transmission.Progress.DONE && transmission.apartFor() != null) {
                    transmission.apartFor().lagging(transmission.hasLagged());
                }
                transmissions.remove(index);
                transmission.close();
            }
        }
        return progress != Transmission.Progress.STALLED;
    }

    private void onAnswer(ChannelNote.Answer answer) {
        SendState[] parts = states.get(answer.id().cycle());
        if (parts == null) {
            return;
        }
        for (SendState state : parts) {
            if (state.id().equals(answer.id())) {
                if (answer.type() == PartFrame.OK) {
                    state.held(answer.processor(), answer.slice());
                } else {
                    state.needed(answer.processor(), answer.slice());
                    counters.increment(QueueCounter.DISPATCH_NEEDS);
                }
            }
        }
    }

    /** Sessions of live processors without a connection for some seconds. The channel manager's thread. */
    public List<Long> unreachable() {
        return channels.entrySet().stream()
                .filter(channel -> channel.getValue().isUnreachable())
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    /** Whether no pass over a live cycle is running. */
    public boolean isIdle() {
        return transmissions.isEmpty();
    }

    @Override
    public void onClose() {
        transmissions.forEach(Transmission::close);
        past.close();
        CloseHelper.closeAll(channels.values());
        CloseHelper.closeAll(held.all());
    }
}
