package io.chimera.dataset.format.parquet;

import io.chimera.api.model.FieldType;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.LogicalType;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Type;
import org.jspecify.annotations.Nullable;

/** Meaning of a column's type for its place in the mapping. A type that has no meaning there is refused. */
final class ColumnTypes {
    private static final int DECIMAL_SCALE_MAX = 18;

    private ColumnTypes() {}

    /**
     * Returns the conversion of a time column into nanoseconds.
     *
     * @param unit unit of an integer without a timestamp type, or null
     */
    static Conversion timeOf(LeafColumn column, @Nullable TimeUnit unit) {
        if (column.type() == Type.INT96) {
            return Conversion.NONE;
        }
        TimeUnit declared = column.type() == Type.INT64
                ? timestampUnit(column.element())
                : isDate(column.element()) ? TimeUnit.DAYS : null;
        boolean isInteger = column.type() == Type.INT64 || column.type() == Type.INT32;
        TimeUnit known = declared != null ? declared : unit;
        if (!isInteger || known == null || (isNoPlainInteger(column.element()) && declared == null)) {
            throw refused(
                    column,
                    "as time",
                    isInteger
                            ? "declare the unit of the time in the mapping, or write the column with a timestamp type"
                            : "write the column with a timestamp type or as an integer");
        }
        Conversion scaled = known == TimeUnit.NANOSECONDS ? Conversion.NONE : Conversion.scaled(known.toNanos(1));
        return column.type() == Type.INT32 && isUnsigned(column.element())
                ? Conversion.UNSIGNED_INT.then(scaled)
                : scaled;
    }

    /** Refuses a column that is not text. */
    static void requireText(LeafColumn column, String role) {
        if (!isText(column)) {
            throw refused(column, role, "write the column as text");
        }
    }

    static FieldType fieldTypeOf(LeafColumn column) {
        SchemaElement element = column.element();
        return switch (column.type()) {
            case BOOLEAN -> FieldType.BOOLEAN;
            case FLOAT, DOUBLE -> FieldType.DOUBLE;
            case INT32, INT64 -> {
                if (isDecimal(element)) {
                    yield FieldType.DOUBLE;
                }
                yield isUnsigned(element) ? FieldType.UNSIGNED : FieldType.LONG;
            }
            case BYTE_ARRAY -> {
                requireText(column, "as field");
                yield FieldType.TEXT;
            }
            case INT96, FIXED_LEN_BYTE_ARRAY ->
                throw refused(column, "as field", "write the column as a number, a boolean or text");
        };
    }

    /** Returns the conversion of a field column that is not text. */
    static Conversion fieldOf(LeafColumn column) {
        if (column.type() == Type.FLOAT) {
            return Conversion.FLOAT;
        }
        if (column.type() != Type.INT32 && column.type() != Type.INT64) {
            return Conversion.NONE;
        }
        if (isDecimal(column.element())) {
            return Conversion.decimal(scaleOf(column));
        }
        return column.type() == Type.INT32 && isUnsigned(column.element()) ? Conversion.UNSIGNED_INT : Conversion.NONE;
    }

    private static @Nullable TimeUnit timestampUnit(SchemaElement element) {
        LogicalType logical = element.getLogicalType();
        if (logical != null && logical.isSetTIMESTAMP()) {
            org.apache.parquet.format.TimeUnit unit = logical.getTIMESTAMP().getUnit();
            return unit.isSetNANOS()
                    ? TimeUnit.NANOSECONDS
                    : unit.isSetMICROS() ? TimeUnit.MICROSECONDS : unit.isSetMILLIS() ? TimeUnit.MILLISECONDS : null;
        }
        ConvertedType converted = element.getConverted_type();
        if (converted == ConvertedType.TIMESTAMP_MILLIS) {
            return TimeUnit.MILLISECONDS;
        }
        return converted == ConvertedType.TIMESTAMP_MICROS ? TimeUnit.MICROSECONDS : null;
    }

    private static boolean isDate(SchemaElement element) {
        LogicalType logical = element.getLogicalType();
        return logical != null ? logical.isSetDATE() : element.getConverted_type() == ConvertedType.DATE;
    }

    /** Returns whether an integer column has a type other than integer, to which a unit does not apply. */
    private static boolean isNoPlainInteger(SchemaElement element) {
        LogicalType logical = element.getLogicalType();
        return (logical != null && !logical.isSetINTEGER()) || isDecimal(element);
    }

    private static boolean isDecimal(SchemaElement element) {
        LogicalType logical = element.getLogicalType();
        return logical != null ? logical.isSetDECIMAL() : element.getConverted_type() == ConvertedType.DECIMAL;
    }

    private static int scaleOf(LeafColumn column) {
        LogicalType logical = column.element().getLogicalType();
        int scale = logical != null
                ? logical.getDECIMAL().getScale()
                : column.element().getScale();
        if (scale < 0 || scale > DECIMAL_SCALE_MAX) {
            throw refused(column, "as field with " + scale + " decimal places", "write the column as double");
        }
        return scale;
    }

    private static boolean isUnsigned(SchemaElement element) {
        LogicalType logical = element.getLogicalType();
        if (logical != null) {
            return logical.isSetINTEGER() && !logical.getINTEGER().isIsSigned();
        }
        ConvertedType converted = element.getConverted_type();
        return converted == ConvertedType.UINT_8
                || converted == ConvertedType.UINT_16
                || converted == ConvertedType.UINT_32
                || converted == ConvertedType.UINT_64;
    }

    /** Returns whether a column is text; bytes without a logical type count as text, as old writers stored text. */
    private static boolean isText(LeafColumn column) {
        if (column.type() != Type.BYTE_ARRAY) {
            return false;
        }
        LogicalType logical = column.element().getLogicalType();
        if (logical != null) {
            return logical.isSetSTRING() || logical.isSetENUM() || logical.isSetJSON();
        }
        ConvertedType converted = column.element().getConverted_type();
        return converted == null
                || converted == ConvertedType.UTF8
                || converted == ConvertedType.ENUM
                || converted == ConvertedType.JSON;
    }

    private static ParquetDefect refused(LeafColumn column, String role, String remedy) {
        return new ParquetDefect(
                "column " + column.path() + " of type " + nameOf(column) + " is refused " + role, remedy);
    }

    private static String nameOf(LeafColumn column) {
        LogicalType logical = column.element().getLogicalType();
        String physical = String.valueOf(column.type()).toLowerCase(Locale.ROOT);
        String meaning = logical != null && logical.isSet()
                ? String.valueOf(logical.getSetField())
                : String.valueOf(column.element().getConverted_type());
        return meaning.equals("null") ? physical : physical + " (" + meaning.toLowerCase(Locale.ROOT) + ")";
    }
}
