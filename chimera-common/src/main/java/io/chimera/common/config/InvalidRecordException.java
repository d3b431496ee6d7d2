package io.chimera.common.config;

import java.util.List;
import java.util.stream.Collectors;

/** Values of one record are wrong; names each key. */
final class InvalidRecordException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    /**
     * One wrong value.
     *
     * @param key as in the file
     * @param message what it is and what is expected, to be read behind the key
     */
    record Fault(String key, String message) {}

    private final transient List<Fault> faults;

    InvalidRecordException(List<Fault> faults) {
        super(faults.stream().map(fault -> fault.key() + " " + fault.message()).collect(Collectors.joining(" ")));
        this.faults = List.copyOf(faults);
    }

    List<Fault> faults() {
        return faults;
    }
}
