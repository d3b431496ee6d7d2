package io.chimera.dataset.job;

import io.chimera.dataset.format.ByteRange;
import io.chimera.dataset.format.EventFormat;
import io.chimera.dataset.format.ObjectBytes;
import io.chimera.dataset.source.DataObject;
import io.chimera.dataset.source.DataSource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The splits of a job, made once at its start. All results of the job refer to these numbers.
 *
 * @param definition digest of everything in the job's definition on which the rows depend
 * @param splits splits by number
 */
public record JobPlan(String definition, List<Split> splits) {
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
     * @param source lists the objects
     * @param patterns patterns of the objects; an object that matches several is taken once
     * @param format finds the splits
     * @param splitLength wished length of a split in bytes
     * @param opener opens the objects
     * @throws IOException when an object cannot be listed or read
     */
    public static JobPlan make(
            String definition,
            DataSource source,
            List<String> patterns,
            EventFormat format,
            long splitLength,
            Opener opener)
            throws IOException {
        SortedMap<String, DataObject> objects = new TreeMap<>();
        for (String pattern : patterns) {
            source.list(pattern).forEach(object -> objects.put(object.path(), object));
        }
        List<Split> splits = new ArrayList<>();
        for (DataObject object : objects.values()) {
            if (object.length() > 0) {
                for (ByteRange range : format.splits(opener.open(object), splitLength)) {
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
