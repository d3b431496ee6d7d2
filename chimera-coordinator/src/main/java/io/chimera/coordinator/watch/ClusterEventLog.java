package io.chimera.coordinator.watch;

import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes each cluster event to the log in one line. */
public final class ClusterEventLog implements Consumer<ClusterEvent> {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterEventLog.class);

    @Override
    public void accept(ClusterEvent event) {
        if (event.kind().isWarning()) {
            LOG.warn(event.line());
        } else {
            LOG.info(event.line());
        }
    }
}
