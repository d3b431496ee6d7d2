package io.chimera.dataset.job;

import io.chimera.dataset.format.ByteRange;
import io.chimera.dataset.format.EventFormat;
import io.chimera.dataset.format.EventReader;
import io.chimera.dataset.format.ObjectBytes;
import java.io.IOException;
import java.util.List;

/**
 * A format that makes one split of an object whose splits cannot be found. The reader of the split meets the same
 * defect, so that the whole object is skipped and reported like other bad splits.
 */
final class TolerantFormat implements EventFormat {
    private final EventFormat format;

    TolerantFormat(EventFormat format) {
        this.format = format;
    }

    @Override
    public List<ByteRange> splits(ObjectBytes object, long targetLength) throws IOException {
        try {
            return format.splits(object, targetLength);
        } catch (IOException e) {
            if (SkippedSplit.reason(e).isEmpty()) {
                throw e;
            }
            return List.of(new ByteRange(0, object.length()));
        }
    }

    @Override
    public EventReader open(ObjectBytes object, ByteRange range) throws IOException {
        return format.open(object, range);
    }

    @Override
    public boolean hasIndependentSplits(String path) {
        return format.hasIndependentSplits(path);
    }
}
