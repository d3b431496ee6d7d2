package io.chimera.dataset.format.parquet;

import io.chimera.dataset.format.FormatException;

/**
 * Defect of a Parquet object, thrown where the place in the object is not known. Reader and format turn the defect into
 * a {@link FormatException}; a defect never leaves the package.
 */
final class ParquetDefect extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Remedy for bytes that contradict the format. */
    private static final String DAMAGED = "the object is damaged; copy it again or write it again";

    ParquetDefect(String defect) {
        this(defect, DAMAGED);
    }

    ParquetDefect(String defect, String remedy) {
        super(defect + "; " + remedy, null, false, false);
    }

    /** Adds the place: the path of the object, and where the defect is. */
    FormatException at(String place) {
        return new FormatException(place + ": " + getMessage(), this);
    }
}
