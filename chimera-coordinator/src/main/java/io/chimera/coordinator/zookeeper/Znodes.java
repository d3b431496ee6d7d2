package io.chimera.coordinator.zookeeper;

import io.chimera.common.cluster.ShardId;
import java.util.List;

/**
 * Paths of the znodes of one cluster.
 *
 * <pre>
 * /chimera/CLUSTER/
 *   version                 {protocol}
 *   epoch                   {conductor}: the znode version is the epoch; every write of a conductor checks it
 *   low                     {cycle, cut, totals}
 *   replayed                {cycle, totals}: like low, for replay cycles
 *   conductor/              the election, by Curator
 *   group                   {losses}: lost journals by journal group; the folder of:
 *   group/ID                {registered, group, journal, copied}: a queue node, live or not
 *   holders/ROLE-ID         {session}: ephemeral; the process that holds an id
 *   queues/SESSION          {id, address, positions, ...}: ephemeral
 *   processors/SESSION      {id, address, ...}: ephemeral
 *   archives/SESSION        {id, http, ...}: ephemeral
 *   archive-nodes/ID        {kinds}: an archive node that may store data, live or not
 *   cycles/C                {epoch, time, cut, queues, processors}: never changed
 *   assign/C                {owners, processors}: the znode version is the version of the assignment
 *   commits/C/M             {session, accounts}
 *   verified/C              {accounts}
 *   replays/ID              {pipeline, cycles, next, skipped, accounts}: a replay request and its progress
 *   datasets/               jobs over data sets; no view shows them, see ZooKeeperJobBoard
 * </pre>
 */
final class Znodes {
    /** Parent znodes, in the order of creation. */
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
            "archive-nodes",
            "datasets");

    /** Folder of the jobs over data sets. */
    static final String DATASETS = "datasets";

    /** Folders missing in clusters of earlier releases. */
    static final List<String> LATER_FOLDERS = List.of("archives", "archive-nodes", DATASETS);

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

    /** Folder of the registered queue nodes, and the losses of their groups. */
    String groups() {
        return folder("group");
    }

    String group(String id) {
        return base + "/group/" + id;
    }

    String holder(String role, String id) {
        return base + "/holders/" + role + "-" + id;
    }

    String holder(MemberAnnouncement.Member member) {
        return holder(member.role(), member.id());
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

    String commit(ShardId id) {
        return base + "/commits/" + id.cycle() + "/" + id.shard();
    }

    String verified(long cycle) {
        return base + "/verified/" + cycle;
    }

    /** Returns whether a path is a znode outside the folders from which a view is built. */
    boolean isMark(String path) {
        return path.equals(low()) || path.equals(replayed()) || path.equals(epoch());
    }

    /** Returns the path elements below the base; empty for a path of another cluster. */
    List<String> namesOf(String path) {
        return path.startsWith(base + "/")
                ? List.of(path.substring(base.length() + 1).split("/", -1))
                : List.of();
    }
}
