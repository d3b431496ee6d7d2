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
 * {@code voip_score}: of every half of a call that {@link VoipSplit} made the score of its user at that moment, as the field
 * {@code score}. Other points leave by {@code invalid}.
 *
 * <p>A call counts at the time it carries, but within a quarter of a window of the time of the last cycle: so no call that lies
 * two windows back, as cycles count, can matter any more.
 */
public final class VoipScore implements TransformType {
    private static final int OUT = 0;
    private static final int INVALID = 1;

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
        return List.of(TransformType.OUT, "invalid");
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
        private final CallFilters filters;
        private final long slackNs;
        private long earliestNs = Long.MIN_VALUE;
        private long latestNs = Long.MAX_VALUE;

        Scorer(VoipSettings settings) {
            filters = new CallFilters(settings);
            slackNs = settings.window().toNanos() / 4;
        }

        @Override
        @HotPath
        public void apply(PointView half, Outlet out) {
            Text user = half.tag(CallText.USER);
            int callee = half.field(CallText.CALLEE);
            if (user == null || (callee < 0 && half.field(CallText.CALLER) < 0)) {
                out.pass(INVALID);
                return;
            }
            long hash = UserHash.of(user);
            long timeNs = Math.max(earliestNs, Math.min(latestNs, half.timeNs()));
            double score = callee < 0
                    ? filters.wasCalled(hash, timeNs)
                    : filters.called(
                            hash,
                            half.whole(callee),
                            timeNs,
                            whole(half, CallText.DURATION),
                            whole(half, CallText.CODE));
            out.point(OUT).series().field(CallText.SCORE, score).end();
        }

        private static long whole(PointView half, String field) {
            int index = half.field(field);
            return index < 0 ? 0 : half.whole(index);
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
