package io.chimera.archive.index;

import io.chimera.archive.index.record.BundleEntry;
import java.util.List;

/**
 * State visible to searches, published as a whole. In order of time: bundles in the index stream, the bundle being
 * appended, the open bundle.
 *
 * @param bundles bundles in the index stream
 * @param closing full bundle being appended to the index stream; null without such a bundle
 * @param open bundle for new groups; a search also sees groups added later
 * @param rebuiltNumber last record of the data stream at the end of the rebuild: missing records up to this number are
 *     visited without a check, and no later record is missing; {@link #NOT_REBUILT} while any later record may be
 *     missing
 */
record IndexState(List<BundleEntry> bundles, Bundle closing, Bundle open, long rebuiltNumber) {
    static final long NOT_REBUILT = Long.MAX_VALUE;

    IndexState {
        bundles = List.copyOf(bundles);
    }
}
