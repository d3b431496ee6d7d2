package io.chimera.dataset.job;

import io.chimera.dataset.source.DataObject;
import io.chimera.dataset.source.DataSource;
import io.chimera.dataset.source.ObjectVersion;
import io.chimera.dataset.source.SourceException;
import io.chimera.dataset.source.SourceFault;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Objects in memory; reads of a byte can fail. */
final class MemorySource implements DataSource {
    private final Map<String, byte[]> objects = new TreeMap<>();
    private final Map<String, Fault> faults = new ConcurrentHashMap<>();
    private final AtomicInteger failed = new AtomicInteger();

    private record Fault(SourceFault fault, long at) {}

    MemorySource with(String path, byte[] content) {
        objects.put(path, content);
        return this;
    }

    /** Each read of a range with the byte fails. */
    void fail(String path, SourceFault fault, long at) {
        faults.put(path, new Fault(fault, at));
    }

    void repair() {
        faults.clear();
    }

    /** Number of failed reads. */
    int failed() {
        return failed.get();
    }

    @Override
    public String place() {
        return "memory";
    }

    @Override
    public List<DataObject> list(String pattern) {
        List<DataObject> list = new ArrayList<>();
        objects.forEach((path, content) -> list.add(new DataObject(path, content.length, ObjectVersion.UNKNOWN)));
        return list;
    }

    @Override
    public void read(DataObject object, long offset, ByteBuffer into) throws SourceException {
        Fault fault = faults.get(object.path());
        if (fault != null && offset <= fault.at() && fault.at() < offset + into.remaining()) {
            failed.incrementAndGet();
            throw new SourceException(fault.fault(), object.path() + ": " + fault.fault() + "; repair it");
        }
        into.put(objects.get(object.path()), (int) offset, into.remaining());
    }

    @Override
    public void close() {}
}
