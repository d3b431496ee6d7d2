package io.chimera.coordinator.zookeeper;

/**
 * Result of securing a cluster's znodes.
 *
 * @param znodes number of znodes
 * @param changed number of rewritten access lists; in a dry run, of lists to rewrite
 * @param isDryRun whether nothing was written
 */
public record SecuredTree(int znodes, int changed, boolean isDryRun) {}
