package io.chimera.dataset.job;

import io.chimera.dataset.compute.PieceBytes;
import io.chimera.dataset.compute.PieceFile;
import java.io.IOException;
import java.util.BitSet;
import java.util.Optional;

/**
 * Results of a local job. A result is opened for each use, so that the memory does not grow with the splits.
 *
 * @param folder state of the job, with a result of each split that is not skipped
 * @param skipped numbers of the splits without rows
 */
record FolderResults(JobFolder folder, BitSet skipped) implements JobProgram.ResultOpener {
    @Override
    public Optional<PieceFile> open(Split split) throws IOException {
        return skipped.get(split.number())
                ? Optional.empty()
                : Optional.of(PieceFile.open(folder.result(split.number())));
    }

    @Override
    public PieceBytes bytes(Split split) {
        return PieceBytes.of(folder.result(split.number()));
    }

    /** Gives the kept rejected events of the splits with rows, in their order. */
    void giveRejects(JobPlan plan, InputReport.Taker taker) throws IOException {
        boolean isWanted = true;
        for (int i = 0; i < plan.splits().size() && isWanted; i++) {
            Optional<PieceFile> result = open(plan.splits().get(i));
            isWanted = result.isEmpty() || taker.take(result.get().rejects());
        }
    }
}
