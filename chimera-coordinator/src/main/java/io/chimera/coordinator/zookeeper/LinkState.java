package io.chimera.coordinator.zookeeper;

/**
 * State of this process's link to ZooKeeper.
 *
 * <pre>
 * from      event                                             to
 * any *     Curator has a connection                          CHECKING, over a new link
 * any *     Curator lost the connection                       DOWN
 * CHECKING  the tree has this release's protocol              READING
 * CHECKING  the check failed, or the tree needs a secret      RETRYING
 * CHECKING  the tree has another protocol                     STOPPED
 * READING   the copy of the tree is complete                  LIVE
 * READING   a read failed, or the watch was refused           RETRYING
 * LIVE      a read failed, or the watch was refused           RETRYING
 * RETRYING  the delay is over                                 CHECKING, over a new link
 *
 * * except STOPPED, the end of this process
 * </pre>
 */
enum LinkState {
    /** Curator has no connection. */
    DOWN,
    /** The protocol version and the access are checked; a new tree is created. */
    CHECKING,
    /** The znodes are read. */
    READING,
    /** The view follows the tree, and changes are written. */
    LIVE,
    /** The link failed although Curator has a connection; a new link is due. */
    RETRYING,
    /** The tree belongs to another release. */
    STOPPED
}
