package io.chimera.dataset.job;

/**
 * Digests of a job's definition. They tell whether a plan belongs to the definition.
 *
 * @param rows digest of everything on which the rows depend, except the memory, which the plan has
 * @param withMemory digest of the same and the memory, as in plans of builds before plans had the memory
 */
public record DefinitionDigest(String rows, String withMemory) {
    /**
     * Creates the digests of a definition without a memory.
     *
     * @param digest digest of everything on which the rows depend
     */
    public static DefinitionDigest of(String digest) {
        return new DefinitionDigest(digest, digest);
    }

    /**
     * Returns whether a plan belongs to the definition, so that its results can be used.
     *
     * @param plan a plan of an earlier run
     */
    public boolean isOf(JobPlan plan) {
        return plan.definition().equals(plan.hasMemory() ? rows : withMemory);
    }
}
