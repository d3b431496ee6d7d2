package io.chimera.common.plugin;

import io.chimera.api.spi.Aggregator;

/**
 * Guarded aggregate function of a plugin. A quarantined function accepts no values and returns no result, so its rows
 * are omitted while the rows of other functions are written. Same threading as the function.
 *
 * @param <S> the state
 */
final class FencedAggregator<S> implements Aggregator<S> {
    private final PluginGuard fence;
    private final Watch watch;
    private final Aggregator<S> aggregator;
    private S blank;

    FencedAggregator(PluginGuard fence, Aggregator<S> aggregator) {
        this.fence = fence;
        this.aggregator = aggregator;
        watch = fence.watch();
    }

    @Override
    public String name() {
        return aggregator.name();
    }

    @Override
    public S create() {
        if (blank != null && fence.isQuarantined()) {
            return blank; // a quarantined function folds nothing into this shared state
        }
        Throwable thrown = null;
        S state = null;
        watch.enter("create");
        try {
            state = aggregator.create();
            blank = blank == null ? aggregator.create() : blank;
        } catch (Throwable e) { // no error of a plugin may end the node
            thrown = e;
        }
        watch.exit(thrown);
        return state;
    }

    @Override
    public void fold(S state, double value, long timeNs) {
        if (fence.isQuarantined()) {
            return;
        }
        Throwable thrown = null;
        watch.enter("fold");
        try {
            aggregator.fold(state, value, timeNs);
        } catch (Throwable e) {
            thrown = e;
        }
        watch.exit(thrown);
    }

    @Override
    public void merge(S into, S from) {
        if (fence.isQuarantined()) {
            return;
        }
        Throwable thrown = null;
        watch.enter("merge");
        try {
            aggregator.merge(into, from);
        } catch (Throwable e) {
            thrown = e;
        }
        watch.exit(thrown);
    }

    @Override
    public double result(S state) {
        if (fence.isQuarantined()) {
            return Double.NaN;
        }
        Throwable thrown = null;
        double result = Double.NaN;
        watch.enter("result");
        try {
            result = aggregator.result(state);
        } catch (Throwable e) {
            thrown = e;
        }
        watch.exit(thrown);
        return result;
    }
}
