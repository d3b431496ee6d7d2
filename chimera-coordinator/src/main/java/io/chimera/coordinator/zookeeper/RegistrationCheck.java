package io.chimera.coordinator.zookeeper;

import io.chimera.common.cluster.ClusterView;
import io.chimera.coordinator.zookeeper.MemberAnnouncement.Content;
import io.chimera.coordinator.zookeeper.MemberAnnouncement.Standing;
import io.chimera.coordinator.zookeeper.znode.MalformedZnodeException;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;

/**
 * Decides by the registration of an earlier start whether a member may be announced, and creates the registration of a
 * new node. Used by the agent's thread only.
 */
final class RegistrationCheck {
    /** Version of a znode that was just created. */
    private static final int FIRST_VERSION = 0;

    private final SessionAgent agent;
    private final LongSupplier nowNs;
    private final LostRegistration lost = new LostRegistration();

    /**
     * Permission for the announcement of a member.
     *
     * @param version version of the registration that permits this start: another start may have written the
     *     registration since, with another journal
     * @param losses counts a lost journal in the transaction of the announcement; empty without a loss
     */
    record Permit(int version, List<Op> losses) {
        Permit {
            losses = List.copyOf(losses);
        }

        private static Permit of(int version) {
            return new Permit(version, List.of());
        }
    }

    /** Receives the result of one check. */
    interface Outcome {
        /** The member may be announced. */
        void admitted(Permit permit);

        /** The member may not be announced. */
        void refused(String reason);

        /** The member may not be announced. Another process with the id, if there is one, is the better reason. */
        void refusedUnlessHeld(String reason);

        /** The tree does not allow a decision yet. */
        void undecided();

        /** A request failed. */
        void failed(Code code);
    }

    /**
     * Creates the checks of one member.
     *
     * @param agent has the newest view of the tree
     * @param nowNs returns the time of the agent
     */
    RegistrationCheck(SessionAgent agent, LongSupplier nowNs) {
        this.agent = agent;
        this.nowNs = nowNs;
    }

    /** Forgets the observations of a broken link: a new link shows the tree of another server. */
    void reset() {
        lost.reset();
    }

    /** Checks an announcement. */
    void start(ZooKeeperLink link, MemberAnnouncement announcement, Outcome outcome) {
        if (announcement.registration().isEmpty()) {
            outcome.admitted(Permit.of(ZooKeeperLink.ANY_VERSION));
            return;
        }
        new PendingCheck(link, announcement.rule(), announcement.registration().get(), outcome)
                .begin(announcement.rule().isReturning()
                        || announcement.content().standing() == Standing.LEAVES);
    }

    /** One check, from the first request to its outcome. */
    private final class PendingCheck {
        private final ZooKeeperLink link;
        private final RegistrationRule rule;
        private final Content registration;
        private final Outcome outcome;

        private PendingCheck(ZooKeeperLink link, RegistrationRule rule, Content registration, Outcome outcome) {
            this.link = link;
            this.rule = rule;
            this.registration = registration;
            this.outcome = outcome;
        }

        /** Begins with the earlier registration of a returning or leaving member, or else with a new registration. */
        private void begin(boolean isRegistrationExpected) {
            if (isRegistrationExpected) {
                read();
                return;
            }
            link.create(registration.path(), registration.data(), code -> {
                switch (code) {
                    case OK -> outcome.admitted(Permit.of(FIRST_VERSION));
                    case NODEEXISTS -> read();
                    default -> outcome.failed(code);
                }
            });
        }

        private void read() {
            link.read(registration.path(), (code, data, stat) -> {
                switch (code) {
                    case OK -> onRegistration(data, stat.getVersion());
                    case NONODE -> onMissing();
                    default -> outcome.failed(code);
                }
            });
        }

        private void onRegistration(byte[] earlier, int version) {
            lost.reset();
            Optional<String> forbidden = rule.refusalAfter(earlier);
            if (forbidden.isPresent()) {
                outcome.refused(forbidden.get());
            } else if (rule.isLoss(earlier)) {
                onLoss(earlier, version);
            } else {
                outcome.admitted(Permit.of(version));
            }
        }

        /** Counts the loss of the journal of an earlier start, unless the cluster needs this journal. */
        private void onLoss(byte[] earlier, int version) {
            String path = link.znodes().groups();
            link.read(path, (code, data, stat) -> {
                if (code != Code.OK) {
                    outcome.failed(code);
                    return;
                }
                try {
                    Optional<String> forbidden = rule.refusalOfLoss(earlier, data, agent.view());
                    if (forbidden.isPresent()) {
                        outcome.refusedUnlessHeld(forbidden.get());
                        return;
                    }
                    Op loss = Op.setData(path, rule.withLoss(data), stat.getVersion());
                    outcome.admitted(new Permit(version, List.of(loss)));
                } catch (MalformedZnodeException e) {
                    outcome.refused(JournalRegistration.unreadableLosses(path, e));
                }
            });
        }

        /** Refuses a member that was removed. The tree of the view decides whether the member was removed. */
        private void onMissing() {
            ClusterView view = agent.view();
            if (!view.connected() || !rule.isReturning()) {
                outcome.undecided();
                return;
            }
            Optional<String> removed = rule.refusalWithout(view);
            if (removed.isPresent()) {
                lost.reset();
                outcome.refused(removed.get());
            } else if (lost.look(
                    nowNs.getAsLong(), () -> link.sync(link.znodes().base(), lost::onSync))) {
                registerAgain();
            } else {
                outcome.undecided();
            }
        }

        private void registerAgain() {
            link.create(registration.path(), registration.data(), code -> {
                if (code == Code.OK) {
                    lost.reset();
                    outcome.admitted(Permit.of(FIRST_VERSION));
                } else {
                    outcome.failed(code);
                }
            });
        }
    }
}
