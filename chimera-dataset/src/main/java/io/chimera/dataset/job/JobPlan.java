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
 * @param definition digest of everything in the job's definition on which the rows depend, without the memory
 * @param memory memory for the aggregates of a split in bytes when the job was planned: the pieces of a split depend on
 *     this memory, also when the job has another one later; {@link #MEMORY_UNKNOWN} in plans of earlier builds, whose
 *     digest covers the memory
 * @param splits splits by number
 */
public record JobPlan(String definition, long memory, List<Split> splits) {
    /** Memory in plans of builds before plans had the memory. */
    public static final long MEMORY_UNKNOWN = 0;

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
     * @param settings settings of the job
     * @param objects the objects, ordered by path
     * @param format finds the splits
     * @param opener opens the objects
     * @param limit limit of the splits
     * @throws JobException when the job has too many splits
     * @throws IOException when an object cannot be read
     */
    static JobPlan make(
            JobSettings settings, Collection<DataObject> objects, EventFormat format, Opener opener, SplitLimit limit)
            throws IOException {
        List<Split> splits = new ArrayList<>();
        for (DataObject object : objects) {
            if (object.length() > 0) {
                List<ByteRange> ranges = format.splits(opener.open(object), settings.splitLength());
                if (ranges.size() > limit.splitsMax() - splits.size()) {
                    throw new JobException(
                            "the job has " + objects.size() + " objects, and more than " + limit.splitsMax()
                                    + " splits up to " + object.path() + ": " + limit.reason(),
                            null);
                }
                for (ByteRange range : ranges) {
                    splits.add(new Split(splits.size(), object, range));
                }
            }
        }
        return new JobPlan(settings.definition().rows(), settings.bytesPerWorker(), splits);
    }

    /** Returns whether the plan has the memory of its splits. */
    public boolean hasMemory() {
        return memory != MEMORY_UNKNOWN;
    }

    /** Returns the length of all splits in bytes. */
    public long bytes() {
        return splits.stream().mapToLong(split -> split.range().length()).sum();
    }
}
