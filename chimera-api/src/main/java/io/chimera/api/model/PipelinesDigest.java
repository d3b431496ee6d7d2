package io.chimera.api.model;

/**
 * Digest of the pipelines of a cycle. Rows of the same cycle and digest are equal in every attempt.
 *
 * @param text the digest; empty when the cluster has a single configuration without a digest
 */
public record PipelinesDigest(String text) {
    @Override
    public String toString() {
        return text;
    }
}
