package io.chimera.dataset.job;

import io.chimera.dataset.format.ByteRange;
import io.chimera.dataset.source.DataObject;

/**
 * A piece of work of a job: events that are read without the events of other splits.
 *
 * @param number place among all splits of the job, from 0: by object, then by offset
 * @param object object of the split
 * @param range range in the object
 */
public record Split(int number, DataObject object, ByteRange range) {
    @Override
    public String toString() {
        return "split " + number + " (" + object.path() + ", bytes " + range.from() + " to " + range.to() + ")";
    }
}
