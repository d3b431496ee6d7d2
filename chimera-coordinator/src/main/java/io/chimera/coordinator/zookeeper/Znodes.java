package io.chimera.coordinator.zookeeper;

import java.util.List;

/**
 * Paths of the znodes of one cluster.
 *
 * <pre>
 * /chimera/CLUSTER/
 *   version                 {protocol}
 *   epoch                   {conductor}: its version is the epoch, every write of a conductor checks it
 *   low                     {cycle, cut, totals}
 *   replayed                {cycle, totals}: what low is, for replay cycles
 *   conductor/              the election, by Curator
 *   group/ID                {registered}: a queue node that belongs to the group, alive or not
 *   holders/ROLE-ID         {session}: ephemeral; the one process that bears an id
 *   queues/SESSION          {id, address, positions, ...}: ephemeral
 *   processors/SESSION      {id, address, ...}: ephemeral
 *   archives/SESSION        {id, http, ...}: ephemeral
 *   archive-nodes/ID        {kinds}: an archive node that may hold something, alive or not
 *   cycles/C                {epoch, time, cut, queues, processors}: never changed
 *   assign/C                {owners, processors}: its version is the assignment's
 *   commits/C/M             {session, accounts}
 *   verified/C              {accounts}
 *   replays/ID              {pipeline, cycles, next, skipped, accounts}: what is to be replayed, and how far that is
 * </pre>
 */
final class Znodes {
    /** Parents of the others, to be created in this order. */
    static final List<String> FOLDERS = List.of(
            "conductor",
            "group",
            "holders",
            "queues",
            "processors",
            "cycles",
            "assign",
            "commits",
            "verified",
            "replays",
            "archives",
            "archive-nodes");

    /** Those that clusters of earlier releases lack. */
    static final List<String> LATER_FOLDERS = List.of("archives", "archive-nodes");

    /** Folders that a view is made of. */
    static final List<String> SEEN_FOLDERS = List.of(
            "group", "queues", "processors", "cycles", "assign", "commits", "replays", "archives", "archive-nodes");

    private final String base;

    Znodes(ZooKeeperSettings settings) {
        base = settings.root() + "/" + settings.cluster();
    }

    String base() {
        return base;
    }

    String version() {
        return base + "/version";
    }

    String epoch() {
        return base + "/epoch";
    }

    String low() {
        return base + "/low";
    }

    String replayed() {
        return base + "/replayed";
    }

    String replay(String id) {
        return base + "/replays/" + id;
    }

    String conductor() {
        return base + "/conductor";
    }

    String folder(String name) {
        return base + "/" + name;
    }

    String group(String id) {
        return base + "/group/" + id;
    }

    String holder(String role, String id) {
        return base + "/holders/" + role + "-" + id;
    }

    String queue(long session) {
        return base + "/queues/" + Long.toHexString(session);
    }

    String processor(long session) {
        return base + "/processors/" + Long.toHexString(session);
    }

    String archive(long session) {
        return base + "/archives/" + Long.toHexString(session);
    }

    String archiveNode(String id) {
        return base + "/archive-nodes/" + id;
    }

    String cycle(long number) {
        return base + "/cycles/" + number;
    }

    String assignment(long cycle) {
        return base + "/assign/" + cycle;
    }

    String commits(long cycle) {
        return base + "/commits/" + cycle;
    }

    String commit(long cycle, int shard) {
        return base + "/commits/" + cycle + "/" + shard;
    }

    String verified(long cycle) {
        return base + "/verified/" + cycle;
    }

    /** Whether a path is one of the few znodes without a folder that a view is made of. */
    boolean isMark(String path) {
        return path.equals(low()) || path.equals(replayed()) || path.equals(epoch());
    }

    /** What follows the base, by its names; empty for a path of another cluster. */
    List<String> namesOf(String path) {
        return path.startsWith(base + "/")
                ? List.of(path.substring(base.length() + 1).split("/", -1))
                : List.of();
    }
}
