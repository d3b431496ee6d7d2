package io.chimera.dataset.job;

import io.chimera.dataset.format.ByteRange;
import io.chimera.dataset.format.EventFormat;
import io.chimera.dataset.format.ObjectBytes;
import io.chimera.dataset.source.DataObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * The splits of a job, made once at its start. All results of the job refer to these numbers.
 *
 * @param definition digest of everything in the job's definition on which the rows depend
 * @param splits splits by number
 */
public record JobPlan(String definition, List<Split> splits) {
    /** Maximum number of splits: each takes about 64 bytes at every worker. */
    static final int SPLITS_MAX = 2_000_000;

    /** Copies the list. */
    public JobPlan {
        splits = List.copyOf(splits);
    }

    /** Opens an object for the search of its splits. */
    @FunctionalInterface
    public interface Opener {
        /** Returns the bytes of an object. */
        ObjectBytes open(DataObject object);
    }

    /**
     * Makes a plan.
     *
     * @param definition digest of the job's definition
     * @param objects the objects, ordered by path
     * @param format finds the splits
     * @param splitLength wished length of a split in bytes
     * @param opener opens the objects
     * @throws JobException when the job has too many splits
     * @throws IOException when an object cannot be read
     */
    public static JobPlan make(
            String definition, Collection<DataObject> objects, EventFormat format, long splitLength, Opener opener)
            throws IOException {
        return make(definition, objects, format, splitLength, opener, SPLITS_MAX);
    }

    static JobPlan make(
            String definition,
            Collection<DataObject> objects,
            EventFormat format,
            long splitLength,
            Opener opener,
            int splitsMax)
            throws IOException {
        List<Split> splits = new ArrayList<>();
        for (DataObject object : objects) {
            if (object.length() > 0) {
                List<ByteRange> ranges = format.splits(opener.open(object), splitLength);
                if (ranges.size() > splitsMax - splits.size()) {
                    throw new JobException(
                            "the job has " + objects.size() + " objects, and more than " + splitsMax + " splits up to "
                                    + object.path() + "; use a larger split, or several jobs with fewer objects each",
                            null);
                }
                for (ByteRange range : ranges) {
                    splits.add(new Split(splits.size(), object, range));
                }
            }
        }
        return new JobPlan(definition, splits);
    }

    /** Returns the length of all splits in bytes. */
    public long bytes() {
        return splits.stream().mapToLong(split -> split.range().length()).sum();
    }
}
