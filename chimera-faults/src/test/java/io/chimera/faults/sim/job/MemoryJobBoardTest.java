package io.chimera.faults.sim.job;

import io.chimera.dataset.cluster.JobBoard;
import io.chimera.dataset.cluster.JobBoardContract;

/** The board of the simulation keeps the contract of boards. */
final class MemoryJobBoardTest extends JobBoardContract {
    private final MemoryJobBoard.Shared records = new MemoryJobBoard.Shared();

    @Override
    protected JobBoard open() {
        return new MemoryJobBoard(records, MemoryJobBoard.Faults.NONE);
    }

    @Override
    protected void end(JobBoard session) {
        ((MemoryJobBoard) session).endSession();
    }
}
