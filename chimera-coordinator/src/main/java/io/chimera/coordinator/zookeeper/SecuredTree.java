package io.chimera.coordinator.zookeeper;

/**
 * What securing a cluster's znodes did.
 *
 * @param znodes that there are
 * @param changed those whose list was rewritten, or would be in a dry run
 * @param isDryRun whether nothing was written
 */
public record SecuredTree(int znodes, int changed, boolean isDryRun) {}
