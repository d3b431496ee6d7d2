package io.chimera.apps.voip;

import io.chimera.api.HotPath;
import io.chimera.api.spi.Outlet;
import io.chimera.api.spi.PluginContext;
import io.chimera.api.spi.PointView;
import io.chimera.api.spi.Text;
import io.chimera.api.spi.Transform;
import io.chimera.api.spi.TransformType;
import java.time.Duration;
import java.util.List;

/**
 * {@code voip_score}: of every call the score of each of its two users at that moment, as the point {@code call,user=… score=…}:
 * all by {@code out}, those above the limit by {@code alert}. The pipeline's keys are caller and callee, in this order, so that a call comes
 * to the partitions of both, where their filters are: for two processors in N of M calls these are different ones (Figure 2 of the paper on
 * BlockMon, 2013). Calls that name no caller or no callee leave by {@code invalid}.
 *
 * <p>A call counts at the time it carries, but within a quarter of a window of the time of the last cycle: so no call that lies
 * two windows back, as cycles count, can matter any more.
 */
public final class VoipScore implements TransformType {
    private static final int OUT = 0;
    private static final int ALERT = 1;
    private static final int INVALID = 2;

    /** For the ServiceLoader. */
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
     * With E for an epoch of half a window, and calls that are at most S = E/2 early or late: in cells that are still read in a cycle
     * at C, which is at most that of a call E behind theirs and S late, there are only calls of cycles after C - 3E - 2S.
     */
    @Override
    public Duration horizon(PluginContext context) {
        return context.settings(VoipSettings.class).window().multipliedBy(2);
    }

    @Override
    public Transform create(PluginContext context) {
        return new Scorer(context.settings(VoipSettings.class));
    }

    /** The scores of a partition. */
    private static final class Scorer implements Transform {
        /** The key by which a call is here for its caller; by the next it is here for its callee. */
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

        /** The first cycle that an instance sees has no bounds yet: a call far ahead of it must not end all epochs. */
        @Override
        public void endCycle(long timeNs, Outlet out) {
            earliestNs = timeNs - slackNs;
            latestNs = timeNs + slackNs;
            filters.forgetBeyond(latestNs);
        }
    }
}
