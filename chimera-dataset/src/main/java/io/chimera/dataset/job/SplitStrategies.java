package io.chimera.dataset.job;

import io.chimera.dataset.plan.Strategy;
import java.io.IOException;
import java.util.List;

/** Chooses the strategy of each split while a job runs. {@link #begin} comes first; the others by any thread. */
public interface SplitStrategies {
    /**
     * Begins the computation of a run.
     *
     * @param splits splits to compute, at least one
     * @param progress progress of the job; receives the choices
     * @throws IOException when the thread is interrupted
     */
    void begin(List<Split> splits, JobProgress progress) throws IOException;

    /** Returns the strategy of the next split. */
    Strategy next();

    /** Takes notice of copies that were made before the computation of their splits. */
    void copied();

    /** Takes notice of a computed split. */
    void computed(Split split);

    /** Returns one strategy for all splits. */
    static SplitStrategies always(Strategy strategy) {
        return new SplitStrategies() {
            @Override
            public void begin(List<Split> splits, JobProgress progress) {
                progress.chosen(strategy);
            }

            @Override
            public Strategy next() {
                return strategy;
            }

            @Override
            public void copied() {
                // nothing to decide
            }

            @Override
            public void computed(Split split) {
                // nothing to decide
            }
        };
    }
}
