package io.chimera.dataset.fetch;

import io.chimera.dataset.copy.CopySource;
import io.chimera.dataset.format.ByteRange;
import io.chimera.dataset.source.DataObject;
import io.chimera.dataset.source.SourceException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Future;

/**
 * Copies ranges of objects before they are read, with several blocks under way. A range that the source refuses is left
 * to its reader, which fails with the same fault. Without room the rest is not copied. One thread.
 */
public final class CopyRun {
    private final CopySource copies;
    private final Reception reception;
    private final int underWayMax;
    private final Deque<Requested> underWay = new ArrayDeque<>();
    private final Set<Part> refused = new HashSet<>();
    private boolean isFull;

    /**
     * A range of an object.
     *
     * @param object the object
     * @param range the range
     */
    public record Part(DataObject object, ByteRange range) {}

    private record Requested(Part part, Future<Boolean> copied) {}

    /**
     * Creates a run.
     *
     * @param copies source with copies
     * @param reception receives the blocks
     * @param underWayMax maximum number of blocks under way, at least 1
     */
    public CopyRun(CopySource copies, Reception reception, int underWayMax) {
        this.copies = copies;
        this.reception = reception;
        this.underWayMax = underWayMax;
    }

    /**
     * Copies ranges; returns when all their blocks have copies, or cannot get one.
     *
     * @param parts the ranges, in the order of their use
     * @throws IOException when the source fails for a reason that concerns all objects
     */
    public void copy(List<Part> parts) throws IOException {
        try {
            for (Part part : parts) {
                for (long offset : copies.missing(
                        part.object(), part.range().from(), part.range().to())) {
                    request(part, offset);
                }
            }
            while (!underWay.isEmpty()) {
                await(underWay.removeFirst());
            }
        } finally {
            underWay.forEach(requested -> requested.copied().cancel(true));
            underWay.clear();
        }
    }

    private void request(Part part, long offset) throws IOException {
        while (underWay.size() >= underWayMax) {
            await(underWay.removeFirst());
        }
        if (!isFull && !refused.contains(part)) {
            underWay.addLast(new Requested(part, reception.request(() -> copies.copy(part.object(), offset))));
        }
    }

    private void await(Requested requested) throws IOException {
        try {
            isFull |= !Reception.await(requested.copied());
        } catch (SourceException e) {
            if (!e.fault().mayConcernObjectAlone()) {
                throw e;
            }
            refused.add(requested.part());
        }
    }
}
