package io.chimera.coordinator;

import io.chimera.common.agent.Clock;
import io.chimera.common.agent.Wakeup;
import io.chimera.common.cluster.Assignment;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.CycleStore;
import io.chimera.common.cluster.CycleTime;
import io.chimera.common.cluster.LowMark;
import io.chimera.common.cluster.OpenCycle;
import io.chimera.common.cluster.ProcessorMember;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.cluster.ReplicationPolicy;
import io.chimera.common.metrics.CoordinatorCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.coordinator.ClusterEvent.Kind;
import io.chimera.coordinator.Standstill.Cause;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.agrona.concurrent.Agent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides the content and the assignment of cycles while this coordinator leads: begins cycles, reassigns work of nodes
 * that are gone, unreachable or far behind, and verifies committed cycles (rules 1, 5, 6 and 9 of docs/protocol.md;
 * replaces the "advertise" message of the paper, Chimera 2017, III-C4). The conductor keeps no state that a successor
 * needs: each step follows from the newest view, and the store checks each write. Runs on its own thread; {@link
 * #status} any thread.
 */
public final class Conductor implements Agent {
    private static final Logger LOG = LoggerFactory.getLogger(Conductor.class);

    /**
     * Maximum poll interval. While the view does not change, only time brings new work: the next period, which shortens
     * the interval, and the ends of grace times.
     */
    private static final long LOOK_EVERY_NS = TimeUnit.MILLISECONDS.toNanos(50);

    /**
     * Maximum number of committed cycles above the low-water mark that wait for an operator's decision about a cycle
     * with unaccounted points: 2.8 hours at 10 s per cycle. The limit bounds their znodes; the points stay in the
     * journals, up to the limit of the journals.
     */
    static final int HELD_MAX = 1_000;

    /**
     * Maximum number of cycles per advance of the low-water mark: 100 cycles of 68 znodes each are 0.5 MB of the 1 MB
     * limit of a request.
     */
    private static final int ADVANCE_MAX = 100;

    /** Time after a refused write for the view to show the reason. */
    private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(50);

    /** Maximum time for the view to show an accepted write. */
    private static final long SHOWN_WITHIN_NS = TimeUnit.SECONDS.toNanos(1);

    private final CycleStore store;
    private final Clock clock;
    private final ConductorSettings settings;
    private final Counters<CoordinatorCounter> counters;
    private final CycleLedger ledger;
    private final Reassigner reassigner;
    private final FinishedStreams finished;
    private final ReplayScheduler replaying;
    private final ConfigurationRollout changeover;
    private final CycleClock cycleClock;
    private final LostHistory lostHistory;
    private final MemberEvents memberEvents;
    private final StandstillWatch standstills;
    private final Consumer<ClusterEvent> events;
    private final Wakeup wakeup = new Wakeup();
    private final Set<Long> excluded = new HashSet<>();

    /** Decisions of operators, by cycle, until they are carried out. */
    private final Map<Long, AccountDecision> decisions = new ConcurrentHashMap<>();

    private long epoch;
    private long lastEpoch;
    private long seenRevision = -1;
    private long lookAtNs;
    private Predicate<ClusterView> expected = view -> true;
    private long expectedUntilNs;
    private long lastBeginNs;
    private long idlePeriodMs;
    private volatile String clockProblem = "";
    private volatile ConductorStatus status = ConductorStatus.FOLLOWING;
    private volatile String recovery = "";

    /** Revision of the newest view without lost history. */
    private long soundRevision = -1;

    /**
     * Creates a conductor that follows.
     *
     * @param store stores cycles and assignments
     * @param clock of this machine; source of cycle times while it is plausible
     * @param settings settings of the conductor
     * @param counters of this coordinator
     */
    public Conductor(CycleStore store, Clock clock, ConductorSettings settings, Counters<CoordinatorCounter> counters) {
        this(store, clock, settings, counters, new ClusterEventLog());
    }

    /** Creates a conductor whose events go to a listener instead of the log. */
    Conductor(
            CycleStore store,
            Clock clock,
            ConductorSettings settings,
            Counters<CoordinatorCounter> counters,
            Consumer<ClusterEvent> events) {
        this.store = store;
        this.events = events;
        this.clock = clock;
        this.settings = settings;
        this.counters = counters;
        ledger = new CycleLedger(counters);
        reassigner = new Reassigner(settings, events);
        memberEvents = new MemberEvents(settings.grace().toNanos(), events);
        standstills = new StandstillWatch(
                clock,
                settings.every(),
                session -> memberEvents.name(session, "queue").id(),
                session -> memberEvents.name(session, "processor").id(),
                events);
        finished = new FinishedStreams(settings.finishAfter().toNanos());
        replaying = new ReplayScheduler(store, settings, counters);
        changeover =
                new ConfigurationRollout(settings.digest(), settings.grace().toNanos());
        cycleClock = new CycleClock(clock, settings.clockStepMax(), counters);
        lostHistory = new LostHistory(settings.grace().toNanos());
        lookAtNs = clock.nanoTime();
    }

    /** Returns why cycle times do not follow the clock of this machine; empty when they do. Any thread. */
    public String clockProblem() {
        return clockProblem;
    }

    /** Returns the lasting standstill; empty when cycles begin and end. Any thread. */
    public Optional<Standstill> standstill() {
        return standstills.lasting();
    }

    /** Returns the current status. Any thread. */
    public ConductorStatus status() {
        return status;
    }

    /**
     * Sets the configuration of this coordinator after a reload. Cycles begin with this configuration when all members
     * have loaded the configuration. Any thread.
     *
     * @param digest digest that members with the same configuration announce
     */
    public void want(String digest) {
        changeover.want(digest);
        wakeup.wake();
    }

    /** Returns the configuration digest of this coordinator. Any thread. */
    public String wanted() {
        return changeover.wanted();
    }

    /**
     * Accepts an operator's decision about a cycle with unaccounted points. A decision is lost, and must be repeated,
     * when another coordinator leads before the decision is carried out. Any thread.
     */
    public void decide(long cycle, AccountDecision decision) {
        decisions.put(cycle, decision);
        wakeup.wake();
    }

    /**
     * Returns why the tree must be recovered before any cycle can begin, with the command; empty when the tree is
     * current. Any thread.
     */
    public String recovery() {
        return recovery;
    }

    /** Returns the wakeup to signal when the view changes. */
    public Wakeup wakeup() {
        return wakeup;
    }

    @Override
    public String roleName() {
        return "conductor";
    }

    @Override
    public int doWork() {
        long leadEpoch = store.epoch();
        ClusterView whole = store.view();
        long nowNs = clock.nanoTime();
        boolean isLost = whole.connected() && isLost(whole, nowNs);
        if (leadEpoch == 0 || !whole.connected()) {
            follow(whole, nowNs);
            return 0;
        }
        ClusterView view = LostHistory.ofOneHistory(whole);
        if (leadEpoch != epoch) {
            lead(whole, leadEpoch, nowNs);
        }
        memberEvents.look(whole, nowNs);
        if (isLost) {
            block(
                    Cause.TREE_LOST,
                    whole,
                    List.of(),
                    recovery.isEmpty() ? "the tree lacks cycles that members know" : recovery);
            publish(whole, nowNs);
            wakeup.sleepAtMost(LOOK_EVERY_NS);
            return 0;
        }
        standstills.unblock(Cause.TREE_LOST);
        if (view.revision() == seenRevision && nowNs - lookAtNs < 0) {
            wakeup.sleepAtMost(lookAtNs - nowNs);
            return 0;
        }
        if (!expected.test(view) && nowNs - expectedUntilNs < 0) {
            return 0;
        }
        seenRevision = view.revision();
        cycleClock.look(view, nowNs);
        clockProblem = cycleClock.problem();
        lookAtNs = nowNs + Math.min(LOOK_EVERY_NS, untilNextPeriodNs(nowNs));
        changeover.look(view, nowNs);
        excludeStrangers(view);
        finished.look(view, nowNs);
        decisions.keySet().removeIf(cycle -> !view.cycles().containsKey(cycle));
        boolean hasWritten = verify(view, nowNs)
                || processAgain(view, nowNs)
                || advance(view, nowNs)
                || reassign(view, nowNs)
                || begin(view, nowNs)
                || replay(view, nowNs);
        publish(view, nowNs);
        return hasWritten ? 1 : 0;
    }

    /** Returns whether the tree lacks known cycles; the conductor then writes nothing. */
    private boolean isLost(ClusterView view, long nowNs) {
        if (view.revision() == soundRevision) {
            return false;
        }
        boolean isLost = lostHistory.look(view, nowNs).isPresent();
        soundRevision = isLost ? -1 : view.revision();
        String lasting = isLost ? lostHistory.lasting(nowNs) : "";
        if (recovery.isEmpty() != lasting.isEmpty()) {
            if (lasting.isEmpty()) {
                LOG.info(
                        "Tree recovered: lastCycle={} open={}.",
                        view.newest(),
                        view.cycles().size());
            }
        }
        recovery = lasting;
        return isLost;
    }

    private long untilNextPeriodNs(long nowNs) {
        long everyMs = settings.every().toMillis();
        long nowMs = cycleClock.isSet() ? cycleClock.epochMs(nowNs) : clock.epochMs();
        return TimeUnit.MILLISECONDS.toNanos(everyMs - Math.floorMod(nowMs, everyMs));
    }

    private void follow(ClusterView view, long nowNs) {
        if (epoch != 0) {
            LOG.info("This coordinator no longer leads, or lost its connection: epoch={}.", epoch);
            epoch = 0;
            clockProblem = "";
            standstills.follow();
        }
        if (view.connected()) {
            standstills.follow();
            set(Optional.empty());
        } else {
            set(standstills.look(view, nowNs));
        }
    }

    private void lead(ClusterView view, long leadEpoch, long nowNs) {
        if (leadEpoch != lastEpoch) {
            LOG.info(
                    "This coordinator leads: epoch={} queue_nodes={} processors={} open_cycles={}.",
                    leadEpoch,
                    view.queues().stream().map(QueueMember::id).toList(),
                    view.processors().stream().map(ProcessorMember::id).toList(),
                    view.cycles().keySet());
            counters.increment(CoordinatorCounter.ELECTIONS);
            lastEpoch = leadEpoch;
        }
        epoch = leadEpoch;
        seenRevision = -1;
        expected = shown -> true;
        reassigner.forget();
        memberEvents.forget();
        finished.forget();
        changeover.forget();
        cycleClock.reset(nowNs);
        ledger.forget();
        lastBeginNs = nowNs;
        idlePeriodMs = 0;
        standstills.follow();
    }

    // Rule 6: verifies committed cycles and advances the low-water mark over the verified prefix

    private boolean verify(ClusterView view, long nowNs) {
        for (OpenCycle open : view.cycles().values()) {
            long number = open.cycle().number();
            Optional<SortedMap<Long, Long>> before = view.cutBefore(number);
            if (open.isCommitted() && before.isPresent() && !ledger.isVerified(number)) {
                long points = Cuts.points(before.get(), open.cycle().cut());
                LowMark.Totals accounts = LowMark.Totals.ZERO.plus(open, points);
                if (stands(store.verify(number, accounts), nowNs, next -> true)) {
                    ledger.verified(open, accounts, nowNs);
                }
                return true;
            }
        }
        return false;
    }

    private boolean advance(ClusterView view, long nowNs) {
        LowMark mark = view.low();
        LowMark.Totals totals = mark.totals();
        OpenCycle open = view.cycles().get(mark.cycle() + 1);
        while (open != null
                && open.isCommitted()
                && ledger.isVerified(open.cycle().number())
                && isAccounted(view, open)
                && mark.cycle() - view.low().cycle() < ADVANCE_MAX) {
            Cycle cycle = open.cycle();
            totals = totals.plus(open, Cuts.points(mark.cut(), cycle.cut()));
            mark = new LowMark(
                    cycle.number(),
                    cycle.timeMs(),
                    cycle.cut(),
                    open.assignment().digest(),
                    totals,
                    mark.history());
            open = view.cycles().get(mark.cycle() + 1);
        }
        if (mark.cycle() == view.low().cycle()) {
            return false;
        }
        long reached = mark.cycle();
        if (stands(store.advance(mark), nowNs, next -> next.low().cycle() >= reached)) {
            ledger.advanced(reached);
            decisions.keySet().removeIf(cycle -> cycle <= reached);
        }
        return true;
    }

    private boolean isAccounted(ClusterView view, OpenCycle open) {
        long unaccounted =
                CycleAccounts.of(view, open).map(LowMark.Totals::unaccounted).orElse(0L);
        return unaccounted == 0 || decisions.get(open.cycle().number()) == AccountDecision.ACCEPT;
    }

    /**
     * Reopens a committed cycle on an operator's request: deletes the commits, so that the processors repeat the cycle.
     */
    private boolean processAgain(ClusterView view, long nowNs) {
        for (OpenCycle open : view.cycles().values()) {
            long number = open.cycle().number();
            if (decisions.get(number) == AccountDecision.REPLAY && open.isCommitted()) {
                Assignment old = open.assignment();
                Assignment next = new Assignment(old.version() + 1, old.digest(), old.owners(), old.processors());
                if (stands(store.reopen(number, next), nowNs, shown -> shown.open(number)
                        .map(seen -> seen.assignment().version() >= next.version())
                        .orElse(true))) {
                    decisions.remove(number);
                    ledger.reopened(number);
                    LOG.warn(
                            "Cycle {} is processed again on an operator's request (version={}).",
                            number,
                            next.version());
                }
                return true;
            }
        }
        return false;
    }

    // Rule 5: reassigns unfinished work of sessions that are gone, unreachable or far behind

    private boolean reassign(ClusterView view, long nowNs) {
        reassigner.look(view, nowNs);
        Optional<Reassigner.Move> move = reassigner.next(
                view,
                open -> {
                    String digest = changeover.of(view, open);
                    return new Reassigner.Takers(
                            digest,
                            stayingIfAny(view.queues(), member -> member.holds(digest), QueueMember::leaving),
                            stayingIfAny(view.processors(), member -> member.holds(digest), ProcessorMember::leaving));
                },
                nowNs);
        move.ifPresent(found -> assign(view, found, nowNs));
        return move.isPresent();
    }

    private void assign(ClusterView view, Reassigner.Move move, long nowNs) {
        OpenCycle open = move.open();
        Assignment next = move.next();
        long number = open.cycle().number();
        boolean stands = stands(store.assign(number, next), nowNs, shownView -> {
            Optional<OpenCycle> shown = shownView.open(number);
            return shown.isEmpty() || shown.get().assignment().version() >= next.version();
        });
        if (stands) {
            List<Long> owners = open.assignment().owners();
            List<Long> processors = open.assignment().processors();
            counters.add(CoordinatorCounter.PARTS_REASSIGNED, Assignments.differences(owners, next.owners()));
            counters.add(CoordinatorCounter.SHARDS_REASSIGNED, Assignments.differences(processors, next.processors()));
            counters.add(CoordinatorCounter.LIVING_REASSIGNED, move.isFromLiving() ? 1 : 0);
            reportMoves(view, move, "queue", owners, next.owners(), nowNs);
            reportMoves(view, move, "processor", processors, next.processors(), nowNs);
            reassigner.moved(move, nowNs);
        }
    }

    /** Reports each node of a tier that lost work, with the new nodes of that work. */
    private void reportMoves(
            ClusterView view, Reassigner.Move move, String role, List<Long> from, List<Long> to, long nowNs) {
        long number = move.open().cycle().number();
        Assignment next = move.next();
        for (long loser : new TreeSet<>(from)) {
            Set<String> takers = new TreeSet<>();
            int moved = 0;
            for (int i = 0; i < from.size(); i++) {
                if (from.get(i) == loser && to.get(i) != loser) {
                    moved++;
                    takers.add(memberEvents.name(to.get(i), role).id());
                }
            }
            if (moved > 0) {
                boolean isQueue = role.equals("queue");
                events.accept(new ClusterEvent(
                        Kind.REASSIGNED,
                        role,
                        memberEvents.name(loser, role).id(),
                        List.of(number),
                        isQueue ? moved : 0,
                        isQueue ? 0 : moved,
                        "to=" + takers + " reason=" + reassigner.reason(view, loser, next.digest(), nowNs) + " version="
                                + next.version()));
            }
        }
    }

    /**
     * Returns the able members without a drain. Draining nodes get work only when no other node is left, because they
     * cannot leave before the work is done.
     */
    private static <M> List<M> stayingIfAny(List<M> members, Predicate<M> ours, Predicate<M> leaving) {
        List<M> able = members.stream().filter(ours).toList();
        List<M> staying = able.stream().filter(leaving.negate()).toList();
        return staying.isEmpty() ? able : staying;
    }

    // Rule 1: begins cycles

    private boolean begin(ClusterView view, long nowNs) {
        if (!hasMembers(view)) {
            return false;
        }
        SortedMap<Long, Long> previous = view.lastCut();
        SortedMap<Long, Long> cut = Cuts.furthest(view, settings.copies(), finished.at(nowNs));
        long points = Cuts.points(previous, cut);
        if (!cycleClock.isSet()) {
            if (points > 0) {
                block(
                        Cause.CLOCK_UNKNOWN,
                        view,
                        List.of(),
                        "the clock of this machine is far from the time of the last cycle; the conductor waits up to "
                                + CycleClock.FRESH_WITHIN.toSeconds()
                                + " s for the clocks of the queue nodes. Check the time synchronization of this"
                                + " machine");
            }
            return false;
        }
        long nowMs = cycleClock.epochMs(nowNs);
        long everyMs = settings.every().toMillis();
        long periodMs = Math.floorDiv(nowMs, everyMs) * everyMs;
        long lastTimeMs = lastTimeMs(view);
        boolean clockWentBack = nowMs < lastTimeMs;
        boolean due = clockWentBack
                ? nowNs - lastBeginNs >= settings.every().toNanos()
                : periodMs > lastTimeMs && periodMs != idlePeriodMs;
        if (!due && points <= settings.maxPoints()) {
            return false;
        }
        if (points == 0) {
            // A period without points has no cycle; points from now on belong to the next period.
            idlePeriodMs = periodMs;
            lastBeginNs = nowNs;
            checkCopies(view);
            return false;
        }
        int held = CycleAccounts.held(view);
        if (held >= HELD_MAX) {
            block(
                    Cause.UNACCOUNTED,
                    view,
                    List.of(),
                    CycleAccounts.problem(view).orElse(""));
            return false;
        }
        if (view.cycles().size() - held >= settings.inFlight()) {
            block(
                    Cause.CYCLE_OPEN,
                    view,
                    List.of(),
                    view.cycles().size() + " cycles are open, the oldest is "
                            + view.cycles().firstKey());
            return false;
        }
        Optional<OpenCycle> old = changeover.unfinished(view);
        if (old.isPresent()) {
            block(
                    Cause.OLD_PIPELINES,
                    view,
                    List.of(),
                    "cycle " + old.get().cycle().number()
                            + " must end with the old pipelines before the new ones begin");
            return false;
        }
        SortedMap<Long, Long> taken = Cuts.limited(previous, cut, settings.maxPoints());
        CycleTime time =
                new CycleTime(Math.max(lastTimeMs + 1, periodMs), Math.min(periodMs, cycleClock.latenessMs(nowNs)));
        return begin(view, previous, taken, time, nowNs);
    }

    private boolean begin(
            ClusterView view, SortedMap<Long, Long> previous, SortedMap<Long, Long> cut, CycleTime time, long nowNs) {
        List<QueueMember> queues = ableQueues(view);
        List<ProcessorMember> processors = ableProcessors(view);
        long number = lastNumber(view) + 1;
        Cycle cycle = new Cycle(
                number,
                epoch,
                time,
                cut,
                queues.stream().map(QueueMember::session).toList(),
                processors.stream().map(ProcessorMember::session).toList(),
                Optional.empty());
        Optional<Assignment> assignment = Assignments.first(cycle, changeover.digest(), previous, queues);
        if (assignment.isEmpty()) {
            List<String> missing = absent(view);
            block(
                    Cause.JOURNAL_MISSING,
                    view,
                    missing,
                    "no live queue node's journal still holds the start of cycle " + number
                            + ". Start the node with" + " this journal"
                            + (missing.isEmpty() ? "" : ": " + String.join(", ", missing)));
            return false;
        }
        if (stands(store.begin(cycle, assignment.get()), nowNs, next -> lastNumber(next) >= number)) {
            counters.increment(CoordinatorCounter.CYCLES_BEGUN);
            ledger.begun(number, nowNs);
            if (!view.lastDigest().equals(changeover.digest())) {
                LOG.info("Configuration of new cycles changed: cycle={} digest={}.", number, changeover.digest());
            }
            lastBeginNs = nowNs;
            standstills.unblock();
        }
        return true;
    }

    /**
     * Returns whether both tiers have a node for work. Without queue nodes no new point shows in any view, so this
     * check precedes the count of points. A cluster that has never had a queue node is still being set up and reports
     * no standstill.
     */
    private boolean hasMembers(ClusterView view) {
        boolean hasQueue = !ableQueues(view).isEmpty();
        if (hasQueue && !ableProcessors(view).isEmpty()) {
            standstills.unblock(Cause.NO_QUEUE_NODE);
            standstills.unblock(Cause.NO_PROCESSOR);
            return true;
        }
        boolean isNew = view.queues().isEmpty() && view.registered() == 0;
        if (!isNew) {
            block(
                    hasQueue ? Cause.NO_PROCESSOR : Cause.NO_QUEUE_NODE,
                    view,
                    hasQueue ? List.of() : absent(view),
                    "no " + (hasQueue ? "live processor can aggregate" : "live queue node can send")
                            + ". Start one; chimera cluster status lists the nodes that leave or are excluded");
        }
        return false;
    }

    /** Reports a standstill when new points exist, but only on fewer journals than required. */
    private void checkCopies(ClusterView view) {
        SortedMap<Long, Long> onOne = Cuts.furthest(view, ReplicationPolicy.of(1), Set.of());
        if (Cuts.points(view.lastCut(), onOne) <= 0) {
            standstills.unblock();
            return;
        }
        List<String> missing = absent(view);
        block(
                Cause.TOO_FEW_COPIES,
                view,
                missing,
                "new points are on fewer than " + settings.copies().needed(view) + " journals, and "
                        + view.queues().size() + " of " + view.registered() + " queue nodes live. "
                        + (missing.isEmpty()
                                ? "Replication between queue nodes does not work; see their logs"
                                : "Start " + String.join(", ", missing)
                                        + ", or remove lost nodes with chimera cluster remove"));
    }

    /** Returns the ids of registered queue nodes that are not live. */
    private static List<String> absent(ClusterView view) {
        return view.group().stream()
                .filter(id ->
                        view.queues().stream().noneMatch(member -> member.id().equals(id)))
                .toList();
    }

    /** Replays past cycles when live cycles need no write. */
    private boolean replay(ClusterView view, long nowNs) {
        Optional<ReplayScheduler.Step> step =
                replaying.next(view, epoch, changeover.digest(), ableQueues(view), ableProcessors(view), nowNs);
        step.ifPresent(next -> {
            if (stands(next.write().getAsBoolean(), nowNs, next.shown())) {
                next.done().run();
            }
        });
        return step.isPresent();
    }

    private List<QueueMember> ableQueues(ClusterView view) {
        return reassigner
                .cutOffs()
                .reachable(
                        view.queues().stream()
                                .filter(member -> isOurs(member) && !member.leaving())
                                .toList(),
                        QueueMember::session);
    }

    private List<ProcessorMember> ableProcessors(ClusterView view) {
        return reassigner
                .cutOffs()
                .reachable(
                        view.processors().stream()
                                .filter(member -> isOurs(member) && !member.leaving())
                                .toList(),
                        ProcessorMember::session);
    }

    private static long lastNumber(ClusterView view) {
        return view.cycles().isEmpty() ? view.low().cycle() : view.cycles().lastKey();
    }

    private static long lastTimeMs(ClusterView view) {
        return view.cycles().isEmpty()
                ? view.low().timeMs()
                : view.cycles().get(view.cycles().lastKey()).cycle().timeMs();
    }

    /** Returns the clock of the newest cycle, or the time of the low-water mark. */
    static long lastClockMs(ClusterView view) {
        return view.cycles().isEmpty()
                ? view.low().timeMs()
                : view.cycles().get(view.cycles().lastKey()).cycle().time().clockMs();
    }

    // Members with another configuration

    private boolean isOurs(QueueMember member) {
        return member.holds(changeover.digest());
    }

    private boolean isOurs(ProcessorMember member) {
        return member.holds(changeover.digest());
    }

    /**
     * Reports members without work because of their configuration. A member with this coordinator's own configuration
     * is not reported: the member waits for the changeover, which the status of the coordinator explains.
     */
    private void excludeStrangers(ClusterView view) {
        Map<Long, String> strangers = new HashMap<>();
        view.queues().stream()
                .filter(member -> !isOurs(member) && !member.holds(changeover.wanted()))
                .forEach(member -> strangers.put(
                        member.session(),
                        "Queue node " + member.id() + " gets no work: it "
                                + ConfigurationDigest.difference(changeover.digest(), member.digest())));
        view.processors().stream()
                .filter(member -> !isOurs(member) && !member.holds(changeover.wanted()))
                .forEach(member -> strangers.put(
                        member.session(),
                        "Processor " + member.id() + " gets no work: it "
                                + ConfigurationDigest.difference(changeover.digest(), member.digest())));
        excluded.retainAll(strangers.keySet());
        new TreeMap<>(strangers).forEach((session, name) -> {
            if (excluded.add(session)) {
                counters.increment(CoordinatorCounter.MEMBERS_EXCLUDED);
                LOG.warn(
                        "{}. Give both the same configuration and restart the node (chimera print-config and chimera"
                                + " plugin ls show the configurations).",
                        name);
            }
        });
    }

    private boolean stands(boolean written, long nowNs, Predicate<ClusterView> shown) {
        expected = written ? shown : view -> false;
        expectedUntilNs = nowNs + (written ? SHOWN_WITHIN_NS : RETRY_NS);
        lookAtNs = nowNs;
        standstills.wrote(written, nowNs);
        if (!written) {
            counters.increment(CoordinatorCounter.WRITES_REFUSED);
        }
        return written;
    }

    private void block(Cause cause, ClusterView view, List<String> nodes, String text) {
        standstills.block(cause, view.newest() + 1, nodes, text);
    }

    private void publish(ClusterView view, long nowNs) {
        set(standstills.look(view, nowNs));
    }

    private void set(Optional<Standstill> waiting) {
        ConductorStatus now = new ConductorStatus(epoch, waiting, ledger.history());
        if (!now.equals(status)) {
            status = now;
        }
    }
}
