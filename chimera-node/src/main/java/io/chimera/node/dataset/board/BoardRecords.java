package io.chimera.node.dataset.board;

import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.DatasetCounter;
import io.chimera.coordinator.zookeeper.SharedFolder;
import io.chimera.coordinator.zookeeper.SharedFolder.Entry;
import io.chimera.coordinator.zookeeper.TreeException;
import io.chimera.dataset.cluster.BoardException;
import io.chimera.dataset.cluster.JobId;
import io.chimera.dataset.job.JobException;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads records of jobs, and reports malformed ones. Any thread. */
final class BoardRecords {
    private static final Logger LOG = LoggerFactory.getLogger(BoardRecords.class);

    /** Maximum number of malformed records in the log. */
    private static final int LOGGED_MAX = 1_000;

    private final SharedFolder folder;
    private final Counters<DatasetCounter> counters;

    /** Versions of the malformed records that were logged, by path; a poll reads them again and again. */
    private final Map<String, Integer> logged = new ConcurrentHashMap<>();

    /** A request to the tree. */
    interface Request<V> {
        V run() throws IOException;
    }

    /** Decodes a record. */
    interface Decoder<V> {
        V decode(byte[] json) throws MalformedRecordException;
    }

    BoardRecords(SharedFolder folder, Counters<DatasetCounter> counters) {
        this.folder = folder;
        this.counters = counters;
    }

    /** Reads a record; a malformed one counts as missing. */
    <V> Optional<V> decoded(String path, Decoder<V> decoder) throws TreeException {
        Optional<Entry> found = folder.read(path);
        return found.isEmpty() ? Optional.empty() : decoded(path, found.get(), decoder);
    }

    private <V> Optional<V> decoded(String path, Entry found, Decoder<V> decoder) {
        try {
            return Optional.of(decoder.decode(found.data()));
        } catch (MalformedRecordException e) {
            Integer version = found.version();
            if (logged.size() < LOGGED_MAX && !version.equals(logged.put(path, version))) {
                counters.increment(DatasetCounter.RECORDS_MALFORMED);
                LOG.error(
                        "Ignored a malformed record of a job: path=datasets/{} reason={}. Find its writer, or remove"
                                + " the job with chimera dataset remove.",
                        path,
                        e.getMessage());
            }
            return Optional.empty();
        }
    }

    /**
     * Returns a record that is written once; one that is there and malformed would make the job wait for ever. Reads
     * once, because another leader may write the record at the same time.
     */
    <V> Optional<V> readable(String path, JobId id, Decoder<V> decoder) throws TreeException, JobException {
        Optional<Entry> found = folder.read(path);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        Optional<V> decoded = decoded(path, found.get(), decoder);
        if (decoded.isEmpty()) {
            throw new JobException(
                    "the record datasets/" + path + " is damaged, or of another version of Chimera; remove the job with"
                            + " chimera dataset remove " + id.name() + ", and run it again",
                    null);
        }
        return decoded;
    }

    /** Runs a request for a record that may be unreadable for ever. */
    static <V> V askPlan(Request<V> request) throws BoardException, JobException {
        try {
            return request.run();
        } catch (BoardException | JobException e) {
            throw e;
        } catch (IOException e) {
            throw new BoardException(String.valueOf(e.getMessage()), e);
        }
    }

    /** Runs a request. */
    static <V> V ask(Request<V> request) throws BoardException {
        try {
            return request.run();
        } catch (BoardException e) {
            throw e;
        } catch (IOException e) {
            throw new BoardException(String.valueOf(e.getMessage()), e);
        }
    }
}
