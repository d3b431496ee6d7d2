package io.chimera.common.config.binding;

import java.util.List;
import java.util.stream.Collectors;

/** Invalid values of one record, with their keys. */
public final class InvalidRecordException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    /**
     * Invalid value.
     *
     * @param key key as in the file
     * @param message actual and expected value, phrased to follow the key
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
