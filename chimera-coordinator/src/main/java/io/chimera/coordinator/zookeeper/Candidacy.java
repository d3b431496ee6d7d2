package io.chimera.coordinator.zookeeper;

import io.chimera.coordinator.zookeeper.znode.ZnodeCodec;
import org.agrona.CloseHelper;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.leader.LeaderLatch;

/** A coordinator's candidacy for the lead. Any thread. */
interface Candidacy extends AutoCloseable {
    /** Joins the election. */
    void start() throws Exception;

    /** Returns whether this coordinator has the lead. */
    boolean hasLeadership();

    @Override
    void close();

    /** The only coordinator, which needs no election. */
    final class Sole implements Candidacy {
        @Override
        public void start() {}

        @Override
        public boolean hasLeadership() {
            return true;
        }

        @Override
        public void close() {}
    }

    /** Candidacy with the election of Curator. */
    final class OfLatch implements Candidacy {
        private final LeaderLatch latch;

        OfLatch(CuratorFramework client, String folder, String id) {
            latch = new LeaderLatch(client, folder, ZnodeCodec.candidate(id));
        }

        @Override
        public void start() throws Exception {
            latch.start();
        }

        @Override
        public boolean hasLeadership() {
            return latch.hasLeadership();
        }

        @Override
        public void close() {
            if (latch.getState() == LeaderLatch.State.STARTED) {
                CloseHelper.quietClose(latch);
            }
        }
    }
}
