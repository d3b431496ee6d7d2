package io.chimera.queue.dispatch;

import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.CycleGroups;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.PastCycle;
import io.chimera.common.cluster.membership.ConfigurationRegistry;
import io.chimera.common.cluster.membership.ConfigurationRegistry.LoadedConfiguration;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.common.wire.PartId;
import io.chimera.common.wire.PastFrame;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Sends past cycles to processors that rebuild the state of a composition: one cycle per request, all parts of the own
 * group in one pass over the journal, and only while open cycles need no work. A request ends with its connection: the
 * processor repeats the request over a new connection. The channel manager's thread.
 */
final class PastPasses implements AutoCloseable {
    private final JournalGroup group;
    private final Cycles cycles;
    private final ConfigurationRegistry<Routing> held;
    private final Counters<QueueCounter> counters;
    private final List<Pass> passes = new ArrayList<>();

    PastPasses(
            JournalGroup group, Cycles cycles, ConfigurationRegistry<Routing> held, Counters<QueueCounter> counters) {
        this.group = group;
        this.cycles = cycles;
        this.held = held;
        this.counters = counters;
    }

    /** State of one request. */
    private static final class Pass {
        private final ProcessorChannel channel;
        private final long connection;
        private final PastFrame.Request request;

        /** The cycle to send; null without such a cycle. */
        private PastCycle cycle;

        /** Without a cycle to send: the first cycle number in the range that is unknown to this node. */
        private long unknown;

        private Routing routing;
        private Transmission transmission;

        Pass(ProcessorChannel channel, PastFrame.Request request) {
            this.channel = channel;
            this.connection = channel.connectionNumber();
            this.request = request;
        }

        boolean isAlive() {
            return channel.isReady() && channel.connectionNumber() == connection;
        }

        boolean isReplacedBy(ProcessorChannel other, PastFrame.Request next) {
            return channel == other && request.pipeline() == next.pipeline();
        }

        void close() {
            if (transmission != null) {
                transmission.close();
            }
        }
    }

    /** Accepts the request of a processor. A new request for the same pipeline replaces the earlier request. */
    void ask(ProcessorChannel channel, PastFrame.Request request) {
        passes.removeIf(pass -> {
            boolean isReplaced = pass.isReplacedBy(channel, request);
            if (isReplaced) {
                pass.close();
            }
            return isReplaced;
        });
        Pass pass = new Pass(channel, request);
        find(pass);
        passes.add(pass);
    }

    private void find(Pass pass) {
        pass.unknown = pass.request.cycles().first();
        if (pass.request.cycles().first() > pass.request.cycles().last() || !held.has(pass.request.fingerprint())) {
            return;
        }
        SortedMap<Long, PastCycle> past = cycles.past()
                .subMap(pass.request.cycles().first(), pass.request.cycles().last() + 1);
        // If this node does not know the last cycle, an earlier cycle gives an earlier time; cycles older than the
        // horizon do no harm.
        long sinceMs = past.isEmpty()
                ? 0
                : past.get(past.lastKey()).timeMs() - pass.request.cycles().horizonMs();
        for (PastCycle cycle : past.values()) {
            if (cycle.number() != pass.unknown) {
                return;
            }
            if (cycle.timeMs() > sinceMs) {
                pass.cycle = cycle.parts(group).count() > 0 ? cycle : null;
                return;
            }
            pass.unknown++;
        }
    }

    /**
     * Advances each request by one step.
     *
     * @param isIdle whether open cycles needed no work
     */
    int step(long nowNs, boolean isIdle) {
        int work = 0;
        for (Iterator<Pass> all = passes.iterator(); all.hasNext(); ) {
            Pass pass = all.next();
            if (!pass.isAlive()) {
                pass.close();
                all.remove();
            } else if (isIdle) {
                work += step(pass, nowNs, all);
            }
        }
        return work;
    }

    private int step(Pass pass, long nowNs, Iterator<Pass> all) {
        if (pass.cycle == null) {
            return answerNone(pass, all);
        }
        if (pass.transmission == null) {
            if (!cycles.covers(pass.cycle.records())) {
                return 0; // the records of an open cycle have not all arrived yet
            }
            LoadedConfiguration<Routing> edition = held.find(pass.request.fingerprint());
            if (edition == null) { // retired since the request
                all.remove();
                return 1;
            }
            pass.transmission = start(pass, edition);
            return 1;
        }
        return switch (pass.transmission.step(nowNs)) {
            case WORKED -> 1;
            case STALLED -> 0;
            case DONE -> {
                counters.increment(QueueCounter.DISPATCH_PAST_CYCLES);
                pass.close();
                all.remove();
                yield 1;
            }
            case FAILED -> { // the journal deleted the records
                pass.close();
                pass.transmission = null;
                pass.unknown = pass.cycle.number();
                pass.cycle = null;
                yield 1;
            }
        };
    }

    private static int answerNone(Pass pass, Iterator<Pass> all) {
        UnsafeBuffer frame = new UnsafeBuffer(new byte[PastFrame.NONE_LENGTH]);
        PastFrame.none(frame, 0, pass.request, pass.unknown);
        if (!pass.channel.offer(frame, 0, PastFrame.NONE_LENGTH)) {
            return 0;
        }
        all.remove();
        return 1;
    }

    /** Forgets requests with retired pipelines. */
    void forget(List<Routing> retired) {
        passes.removeIf(pass -> {
            boolean isRetired = pass.routing != null && retired.contains(pass.routing);
            if (isRetired) {
                pass.close();
            }
            return isRetired;
        });
    }

    private Transmission start(Pass pass, LoadedConfiguration<Routing> edition) {
        PastFrame.Request request = pass.request;
        PastCycle past = pass.cycle;
        // The former owners and processors no longer matter, only the number of parts.
        Cycle cycle = new Cycle(
                past.number(),
                0,
                past.time(),
                past.cut(),
                Collections.nCopies(past.parts(), 0L),
                List.of(0L),
                Optional.empty(),
                past.groups());
        CycleGroups.Parts parts = past.parts(group);
        pass.routing = edition.pipelines();
        PassPlan plan = PassPlan.past(
                request.number(),
                cycle,
                parts,
                edition.fingerprint(),
                pass.routing.routesOfPast(request.pipeline(), request.partitions()),
                request.pipeline());
        DispatchTarget[] targets = new DispatchTarget[past.parts()];
        for (int part = parts.first(); part < parts.first() + parts.count(); part++) {
            SendState state = new SendState(new PartId(past.number(), part, 0));
            state.sending(request.number());
            targets[part] = new DispatchTarget(plan, state, pass.channel);
        }
        return new Transmission(plan, past.before(), cycles.open(past.records()), targets, pass.channel, List.of());
    }

    @Override
    public void close() {
        passes.forEach(Pass::close);
        passes.clear();
    }
}
