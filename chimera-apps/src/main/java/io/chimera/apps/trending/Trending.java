package io.chimera.apps.trending;

import io.chimera.api.spi.Outlet;
import io.chimera.api.spi.PointView;
import io.chimera.api.spi.Text;
import io.chimera.api.spi.Transform;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * Ranks the tags of one partition. Counts are summed per tag and time slot. A slot's weight is a power of one half and
 * depends on the slot's age only, so stored sums need no update as time passes. All times are cycle times, and sums are
 * added in the order of the slots. The scores are therefore a function of the cycles in the window, independent of
 * earlier history. One thread.
 */
final class Trending implements Transform {
    private static final String METRIC = "trending";
    private static final String LEFT_OUT = "trending_left_out";
    private static final String SCORE = "score";
    private static final String COUNT = "count";
    private static final int OUT = 0;

    private static final Comparator<Ranked> ORDER =
            Comparator.comparingDouble((Ranked ranked) -> -ranked.score).thenComparing(ranked -> ranked.tag);

    private final TrendingSettings settings;
    private final double[] weights;
    private final Map<String, Sightings> tags = new HashMap<>();
    private final List<Ranked> ranking = new ArrayList<>();
    private long slot = Long.MIN_VALUE;

    /** Points of the current cycle with a new tag and no free capacity. */
    private long leftOut;

    /** Counts of one tag: {@code sums[n mod slots]} for slot n, and {@code fresh} for the current cycle. */
    private static final class Sightings {
        private final long[] sums;
        private long fresh;

        Sightings(int slots) {
            sums = new long[slots];
        }
    }

    private record Ranked(String tag, double score, long count) {}

    Trending(TrendingSettings settings) {
        this.settings = settings;
        weights = new double[settings.slots()];
        for (int age = 0; age < weights.length; age++) {
            double halves =
                    (double) age * settings.slotNs() / settings.halfLife().toNanos();
            weights[age] = StrictMath.pow(0.5, halves); // StrictMath gives the same result on every machine
        }
    }

    @Override
    public void apply(PointView point, Outlet out) {
        Text text = point.tag(settings.tag());
        if (text == null) {
            return;
        }
        String tag = text.toString();
        Sightings sightings = tags.get(tag);
        if (sightings == null) {
            if (tags.size() >= settings.tags()) {
                leftOut++;
                return;
            }
            sightings = new Sightings(weights.length);
            tags.put(tag, sightings);
        }
        int field = point.field(settings.count());
        sightings.fresh += field < 0 ? 1 : Math.max(0, point.whole(field));
    }

    @Override
    public void endCycle(long timeNs, Outlet out) {
        advance(Math.floorDiv(timeNs, settings.slotNs()));
        int place = Math.floorMod(slot, weights.length);
        for (Iterator<Map.Entry<String, Sightings>> all = tags.entrySet().iterator(); all.hasNext(); ) {
            Map.Entry<String, Sightings> entry = all.next();
            Sightings seen = entry.getValue();
            seen.sums[place] += seen.fresh;
            seen.fresh = 0;
            rank(entry.getKey(), seen, all);
        }
        ranking.sort(ORDER);
        for (Ranked ranked : ranking.subList(0, Math.min(settings.top(), ranking.size()))) {
            out.point(OUT)
                    .metric(METRIC)
                    .tag(settings.tag(), ranked.tag)
                    .field(SCORE, ranked.score)
                    .field(COUNT, ranked.count)
                    .end();
        }
        ranking.clear();
        if (leftOut > 0) {
            out.point(OUT).metric(LEFT_OUT).field(COUNT, leftOut).end();
            leftOut = 0;
        }
    }

    /** Clears the slots entered since the last cycle; their old sums are outside the window. */
    private void advance(long to) {
        if (slot != Long.MIN_VALUE) {
            long from = Math.max(slot + 1, to - weights.length + 1);
            for (long next = from; next <= to; next++) {
                int place = Math.floorMod(next, weights.length);
                tags.values().forEach(seen -> seen.sums[place] = 0);
            }
        }
        slot = Math.max(slot, to);
    }

    private void rank(String tag, Sightings seen, Iterator<?> all) {
        double score = 0;
        long count = 0;
        for (int age = 0; age < weights.length; age++) {
            long sum = seen.sums[Math.floorMod(slot - age, weights.length)];
            score += sum * weights[age];
            count += sum;
        }
        if (count == 0) {
            all.remove();
        } else {
            ranking.add(new Ranked(tag, score, count));
        }
    }
}
