package io.chimera.apps.voip;

import io.chimera.api.HotPath;
import io.chimera.api.spi.BlockState;
import io.chimera.api.spi.Outlet;
import io.chimera.api.spi.PluginContext;
import io.chimera.api.spi.PointView;
import io.chimera.api.spi.Text;
import io.chimera.api.spi.Transform;
import io.chimera.api.spi.TransformType;
import java.time.Duration;
import java.util.List;

/**
 * {@code voip_score}: computes the scores of both users of every call at the time of the call, as points {@code
 * call,user=… score=…}. All scores leave by {@code out}, scores above the limit also by {@code alert}. The pipeline's
 * keys are caller and callee, in this order, so that a call reaches the partitions of both users, which hold their
 * filters. The two partitions often lie on different processors (Figure 2 of the BlockMon paper, 2013). Calls without a
 * caller or callee leave by {@code invalid}.
 *
 * <p>A call counts at its own time, limited to a quarter of a window around the time of the last cycle. So calls more
 * than two windows back, in cycle time, have no effect on scores.
 */
public final class VoipScore implements TransformType {
    private static final int OUT = 0;
    private static final int ALERT = 1;
    private static final int INVALID = 2;

    /** Creates the type for the ServiceLoader. */
    public VoipScore() {}

    @Override
    public String name() {
        return "voip_score";
    }

    @Override
    public Class<? extends Record> settings() {
        return VoipSettings.class;
    }

    @Override
    public List<String> gates(PluginContext context) {
        return List.of(TransformType.OUT, "alert", "invalid");
    }

    @Override
    public int keys(PluginContext context) {
        return 2;
    }

    /**
     * Returns two windows. Let E be the epoch, half a window, and S = E/2 the maximum offset of a call's time from its
     * cycle. The cells in use in a cycle at time C hold only calls of cycles after C - 3E - 2S: the cells span two
     * epochs, the current call may lie E before the calls in the cells, and the times of both calls may be off by S.
     */
    @Override
    public Duration horizon(PluginContext context) {
        return context.settings(VoipSettings.class).window().multipliedBy(2);
    }

    @Override
    public BlockState state(PluginContext context) {
        return BlockState.BY_KEY;
    }

    @Override
    public Transform create(PluginContext context) {
        return new Scorer(context.settings(VoipSettings.class));
    }

    /** Scores of a partition. */
    private static final class Scorer implements Transform {
        /** Key index of a call in the caller's partition; the next key index is the callee's. */
        private static final int BY_CALLER = 0;

        private final CallFilters filters;
        private final double limit;
        private final long slackNs;
        private long earliestNs = Long.MIN_VALUE;
        private long latestNs = Long.MAX_VALUE;

        Scorer(VoipSettings settings) {
            filters = new CallFilters(settings);
            limit = settings.limit();
            slackNs = settings.window().toNanos() / 4;
        }

        @Override
        @HotPath
        public void apply(PointView call, Outlet out) {
            int caller = call.field(CallText.CALLER);
            int callee = call.field(CallText.CALLEE);
            if (isNobody(call, caller) || isNobody(call, callee)) {
                out.pass(INVALID);
                return;
            }
            long timeNs = Math.max(earliestNs, Math.min(latestNs, call.timeNs()));
            long calledHash = call.text(callee).hash();
            if (call.key() == BY_CALLER) {
                long duration = whole(call, CallText.DURATION);
                long code = whole(call, CallText.CODE);
                long hash = call.text(caller).hash();
                emit(call, caller, filters.called(hash, calledHash, timeNs, duration, code), out);
            } else {
                emit(call, callee, filters.wasCalled(calledHash, timeNs), out);
            }
        }

        private void emit(PointView call, int user, double score, Outlet out) {
            emit(OUT, call, user, score, out);
            if (score > limit) {
                emit(ALERT, call, user, score, out);
            }
        }

        private static void emit(int gate, PointView call, int user, double score, Outlet out) {
            out.point(gate)
                    .metric(CallText.METRIC)
                    .tag(CallText.USER, call.text(user))
                    .field(CallText.SCORE, score)
                    .end();
        }

        private static boolean isNobody(PointView call, int field) {
            if (field < 0) {
                return true;
            }
            Text text = call.text(field);
            return text == null || text.size() == 0;
        }

        private static long whole(PointView call, String field) {
            int index = call.field(field);
            return index < 0 ? 0 : call.whole(index);
        }

        /**
         * Sets the time bounds of the next cycle. The first cycle of an instance has no bounds yet; afterwards, epochs
         * opened by calls far in the future are discarded.
         */
        @Override
        public void endCycle(long timeNs, Outlet out) {
            earliestNs = timeNs - slackNs;
            latestNs = timeNs + slackNs;
            filters.forgetBeyond(latestNs);
        }
    }
}
