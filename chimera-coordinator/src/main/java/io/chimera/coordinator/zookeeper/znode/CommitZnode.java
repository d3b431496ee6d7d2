package io.chimera.coordinator.zookeeper.znode;

import io.chimera.common.cluster.ShardCommit;

/** Commit of a shard, with its accounts. */
record CommitZnode(
        long cycle,
        int shard,
        HexName session,
        long aggregated,
        long late,
        long rejected,
        long filtered,
        long rows,
        HexName checksum) {
    static CommitZnode of(ShardCommit commit) {
        return new CommitZnode(
                commit.cycle(),
                commit.shard(),
                new HexName(commit.session()),
                commit.accounts().aggregated(),
                commit.accounts().late(),
                commit.accounts().rejected(),
                commit.accounts().filtered(),
                commit.rows(),
                new HexName(commit.checksum()));
    }

    ShardCommit commit() {
        return new ShardCommit(
                cycle,
                shard,
                session.value(),
                new ShardCommit.Accounts(aggregated, late, rejected, filtered),
                rows,
                checksum.value());
    }
}
