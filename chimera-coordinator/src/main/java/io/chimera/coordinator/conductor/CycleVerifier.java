package io.chimera.coordinator.conductor;

import io.chimera.common.cluster.Assignment;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.CycleStore;
import io.chimera.common.cluster.LowMark;
import io.chimera.common.cluster.OpenCycle;
import io.chimera.common.cluster.Positions;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Verifies committed cycles and advances the low-water mark over the verified prefix (rule 6 of docs/protocol.md), and
 * carries out the decisions of operators about cycles with unaccounted points. Used by the conductor's thread only.
 */
final class CycleVerifier {
    private static final Logger LOG = LoggerFactory.getLogger(CycleVerifier.class);

    /**
     * Maximum number of cycles per advance of the low-water mark: 100 cycles of 68 znodes each are 0.5 MB of the 1 MB
     * limit of a request.
     */
    private static final int ADVANCE_MAX = 100;

    private final CycleStore store;
    private final AccountDecisions decisions;
    private final CycleLedger ledger;
    private final WriteTracker writes;

    CycleVerifier(CycleStore store, AccountDecisions decisions, TermState term) {
        this.store = store;
        this.decisions = decisions;
        ledger = term.ledger();
        writes = term.writes();
    }

    /** Performs the next write of this rule; returns false when none is due. */
    boolean next(ClusterView view, long nowNs) {
        return verify(view, nowNs) || processAgain(view, nowNs) || advance(view, nowNs);
    }

    private boolean verify(ClusterView view, long nowNs) {
        for (OpenCycle open : view.cycles().values()) {
            long number = open.cycle().number();
            Optional<Positions> before = view.cutBefore(number);
            if (open.isCommitted() && before.isPresent() && !ledger.isVerified(number)) {
                long points = open.cycle().cut().recordsSince(before.get());
                LowMark.Totals accounts = LowMark.Totals.ZERO.plus(open, points);
                if (writes.stands(store.verify(number, accounts), nowNs, next -> true)) {
                    ledger.verified(open, accounts, nowNs);
                }
                return true;
            }
        }
        return false;
    }

    /**
     * Reopens a committed cycle on an operator's request: deletes the commits, so that the processors repeat the cycle.
     */
    private boolean processAgain(ClusterView view, long nowNs) {
        for (OpenCycle open : view.cycles().values()) {
            long number = open.cycle().number();
            if (decisions.is(number, AccountDecision.REPLAY) && open.isCommitted()) {
                Assignment old = open.assignment();
                Assignment next = new Assignment(old.version() + 1, old.digest(), old.owners(), old.processors());
                if (writes.stands(store.reopen(number, next), nowNs, shown -> shown.open(number)
                        .map(seen -> seen.assignment().version() >= next.version()
                                && !seen.commits().equals(open.commits()))
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
            totals = totals.plus(open, cycle.cut().recordsSince(mark.cut()));
            mark = new LowMark(
                    cycle.number(),
                    cycle.timeMs(),
                    cycle.cut(),
                    open.assignment().digest(),
                    totals,
                    mark.history(),
                    cycle.groups().streams());
            open = view.cycles().get(mark.cycle() + 1);
        }
        if (mark.cycle() == view.low().cycle()) {
            return false;
        }
        long reached = mark.cycle();
        if (writes.stands(store.advance(mark), nowNs, next -> next.low().cycle() >= reached)) {
            ledger.advanced(reached);
            decisions.removeUpTo(reached);
        }
        return true;
    }

    private boolean isAccounted(ClusterView view, OpenCycle open) {
        long unaccounted =
                CycleAccounts.of(view, open).map(LowMark.Totals::unaccounted).orElse(0L);
        return unaccounted == 0 || decisions.is(open.cycle().number(), AccountDecision.ACCEPT);
    }
}
