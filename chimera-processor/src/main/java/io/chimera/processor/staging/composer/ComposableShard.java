package io.chimera.processor.staging.composer;

import io.chimera.common.wire.Slice;
import io.chimera.processor.WholeShard;
import io.chimera.processor.staging.warehouse.KeptEntries;
import java.util.List;

/** A whole shard on its way through the composers: has what their compositions take, and gets what they give. */
public interface ComposableShard extends WholeShard {
    /**
     * What is kept for the composition of a pipeline.
     *
     * @param pipeline ordinal of the pipeline
     * @return by part, in the order of the parts
     */
    List<KeptEntries> kept(int pipeline);

    /** What the composition of a pipeline gave; null when it has not run yet. */
    Composed composed(int pipeline);

    /** Sets what the composition of a pipeline gave; null when that was let go of. */
    void composed(int pipeline, Composed result);

    /** The slice of the shard that is here. */
    Slice slice();

    /** Whether the slice is rejected, so that there is nothing for a composition to take. */
    boolean isRejected();

    /** What a composition gives for the slice does not fit: staging divides it. */
    void tooLarge();
}
