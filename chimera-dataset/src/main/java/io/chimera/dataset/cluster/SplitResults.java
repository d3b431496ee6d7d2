package io.chimera.dataset.cluster;

import io.chimera.dataset.cluster.JobLedger.Held;
import io.chimera.dataset.cluster.WorkerReport.LostResult;
import io.chimera.dataset.cluster.WorkerReport.SplitDone;
import io.chimera.dataset.compute.PieceBytes;
import io.chimera.dataset.compute.PieceFile;
import io.chimera.dataset.job.JobProgram;
import io.chimera.dataset.job.Split;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.AccessDeniedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;

/**
 * Results of all splits of a job at their workers, as a merge reads them. A result that cannot be read ends the merge,
 * and is reported as lost.
 *
 * @param job the job
 * @param wanted the windows to merge
 * @param places result and worker of each split, by number; empty for a split without rows
 * @param own results of this worker are read from its folder
 * @param transfer reads the results of others
 */
record SplitResults(
        JobId job, WindowSpan wanted, List<Optional<Place>> places, WorkerFolder own, ResultTransfer transfer)
        implements JobProgram.ResultOpener {
    /**
     * Result and worker of a split.
     *
     * @param held the result
     * @param worker the worker
     */
    record Place(Held<SplitDone> held, WorkerSession worker) {}

    /** Returns the results of a job; empty while one of them cannot be read. */
    static Optional<SplitResults> find(
            JobId job,
            WindowSpan wanted,
            int splits,
            IntPredicate leavesOut,
            JobLedger ledger,
            LiveWorkers workers,
            WorkerFolder own,
            ResultTransfer transfer) {
        List<Optional<Place>> places = new ArrayList<>(splits);
        for (int split = 0; split < splits; split++) {
            if (leavesOut.test(split)) {
                places.add(Optional.empty());
                continue;
            }
            Optional<Held<SplitDone>> held = ledger.split(split, workers::isThere);
            Optional<WorkerSession> worker =
                    held.flatMap(found -> workers.of(found.place().folder()));
            if (worker.isEmpty()) {
                return Optional.empty();
            }
            places.add(Optional.of(new Place(held.orElseThrow(), worker.get())));
        }
        return Optional.of(new SplitResults(job, wanted, places, own, transfer));
    }

    @Override
    public Optional<PieceFile> open(Split split) throws IOException {
        Optional<Place> found = places.get(split.number());
        if (found.filter(held -> held.held().done().windows().overlaps(wanted)).isEmpty()) {
            return Optional.empty();
        }
        PieceBytes bytes = bytes(split);
        PieceFile file = PieceFile.open(bytes);
        if (!file.digest().equals(found.get().held().place().digest())) {
            throw bytes.damaged();
        }
        return Optional.of(file);
    }

    @Override
    public PieceBytes bytes(Split split) {
        Place place = places.get(split.number()).orElseThrow();
        LostResult ifLost =
                new LostResult(TaskId.split(split.number()), place.held().place());
        return new GuardedBytes(bytes(ifLost.task(), place.worker()), ifLost);
    }

    private PieceBytes bytes(TaskId task, WorkerSession worker) {
        return worker.folder() == own.id()
                ? PieceBytes.of(own.result(job, task))
                : new ResultBytes(job, task, worker, transfer);
    }

    /**
     * Turns each failure into a lost result, except a refusal by another worker: its result is whole, and a computation
     * would not help.
     */
    private record GuardedBytes(PieceBytes bytes, LostResult ifLost) implements PieceBytes {
        @Override
        public long length() throws IOException {
            try {
                return bytes.length();
            } catch (IOException e) {
                throw failure(e);
            }
        }

        @Override
        public void read(long offset, ByteBuffer into) throws IOException {
            try {
                bytes.read(offset, into);
            } catch (IOException e) {
                throw failure(e);
            }
        }

        private IOException failure(IOException cause) {
            return cause instanceof AccessDeniedException && bytes instanceof ResultBytes
                    ? cause
                    : new LostResultException(ifLost, cause);
        }

        @Override
        public IOException damaged() {
            return new LostResultException(ifLost, bytes.damaged());
        }
    }
}
