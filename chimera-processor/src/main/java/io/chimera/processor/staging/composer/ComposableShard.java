package io.chimera.processor.staging.composer;

import io.chimera.processor.pipeline.CompletedShard;
import io.chimera.processor.staging.warehouse.KeptEntries;
import java.util.List;

/** A whole shard on its way through the composers: holds the input of the compositions and takes their output. */
public interface ComposableShard extends CompletedShard {
    /**
     * Returns the entries kept for the composition of a pipeline.
     *
     * @param pipeline ordinal of the pipeline
     * @return by part, in the order of the parts
     */
    List<KeptEntries> kept(int pipeline);

    /** Returns the output of the composition of a pipeline; null before the composition has run. */
    Composed composed(int pipeline);

    /** Sets the output of the composition of a pipeline; null after its release. */
    void composed(int pipeline, Composed result);

    /** Returns whether the slice is rejected, so that compositions have no input. */
    boolean isRejected();

    /** Marks the slice as too large, because the output of a composition does not fit: staging divides the slice. */
    void tooLarge();
}
