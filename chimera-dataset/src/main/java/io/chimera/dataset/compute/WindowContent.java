package io.chimera.dataset.compute;

import io.chimera.common.wire.BodyReader;
import java.io.IOException;

/** Content of a split for a window and a pipeline. One thread. */
interface WindowContent {
    /** Adds the current record of a body. */
    void add(BodyReader body);

    /** Ends a body: its numbers of series and field sets are valid no more. */
    void endBody() throws IOException;

    /** Hands over all content, and becomes empty. */
    void flush() throws IOException;

    /** Gives all content up, and the memory of its aggregates back to the pool. */
    void discard();
}
