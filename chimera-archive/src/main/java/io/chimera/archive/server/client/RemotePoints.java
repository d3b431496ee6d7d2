package io.chimera.archive.server.client;

import io.chimera.api.model.Row;
import io.chimera.archive.query.answer.FoundPoints;
import io.chimera.archive.query.filter.PointFilter;
import io.chimera.archive.query.point.PointInterval;
import io.chimera.archive.server.answer.PeerParts;
import org.agrona.DirectBuffer;

/** Data points from another archive node. */
public final class RemotePoints extends RemoteItems implements FoundPoints {
    private final PointInterval points = new PointInterval();
    private final PointFilter filter;

    /**
     * Creates the answer without waiting for its begin.
     *
     * @param filter filter of the question
     */
    public RemotePoints(Source source, PointFilter filter) {
        super(source, PeerParts.POINTS);
        this.filter = filter;
    }

    @Override
    void wrap(DirectBuffer buffer, int length) {
        points.wrap(buffer, 0, length);
    }

    @Override
    boolean nextOfInterval() {
        return points.next();
    }

    @Override
    public Row row() {
        return points.row();
    }

    @Override
    public long writtenNs() {
        return points.writtenNs();
    }

    @Override
    public boolean isMet() {
        return filter.matches(points.point());
    }
}
