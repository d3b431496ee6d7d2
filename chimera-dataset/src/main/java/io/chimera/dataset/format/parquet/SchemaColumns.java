package io.chimera.dataset.format.parquet;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.SchemaElement;

/** Finds the mapped columns in the schema, whose elements arrive in depth-first order. Used once; one thread. */
final class SchemaColumns {
    private static final int DEPTH_MAX = 32;
    private static final int PATH_LENGTH_MAX = 8192;
    private static final int NAMES_IN_MESSAGE = 20;

    /** A struct whose elements arrive. */
    private static final class Struct {
        final String prefix;
        final int definitionMax;
        final boolean repeated;
        int missing;

        Struct(String prefix, int definitionMax, boolean repeated, int missing) {
            this.prefix = prefix;
            this.definitionMax = definitionMax;
            this.repeated = repeated;
            this.missing = missing;
        }
    }

    private final List<String> paths;
    private final Map<String, LeafColumn> found = new HashMap<>();
    private final List<String> firstNames = new ArrayList<>();
    private final Deque<Struct> open = new ArrayDeque<>();
    private boolean began;
    private int leaves;

    SchemaColumns(List<String> paths) {
        this.paths = paths;
    }

    void add(SchemaElement element) {
        Struct parent = open.peek();
        if (parent == null) {
            if (began) {
                throw new ParquetDefect("the schema has more elements than its structs declare");
            }
            began = true;
            openStruct(element, "", 0, false);
            return;
        }
        parent.missing--;
        FieldRepetitionType repetition = element.getRepetition_type();
        int definitionMax = parent.definitionMax + (repetition == FieldRepetitionType.REQUIRED ? 0 : 1);
        boolean repeated = parent.repeated || repetition == FieldRepetitionType.REPEATED;
        String path = parent.prefix + element.getName();
        if (path.length() > PATH_LENGTH_MAX || open.size() > DEPTH_MAX) {
            throw new ParquetDefect("a column is nested " + open.size() + " levels deep, or has a name of "
                    + path.length() + " characters");
        }
        if (element.isSetType()) {
            leaf(element, path, definitionMax, repeated);
        } else {
            openStruct(element, path + ".", definitionMax, repeated);
        }
        closeStructs();
    }

    private void leaf(SchemaElement element, String path, int definitionMax, boolean repeated) {
        if (firstNames.size() < NAMES_IN_MESSAGE) {
            firstNames.add(path);
        }
        if (paths.contains(path)) {
            if (repeated) {
                throw new ParquetDefect(
                        "column " + path + " is a list or within a list",
                        "map a column with one value per row, or write one row per element");
            }
            if (found.putIfAbsent(path, new LeafColumn(path, leaves, definitionMax, element)) != null) {
                throw new ParquetDefect("two columns have the name " + path, "rename one of the columns");
            }
        }
        leaves++;
    }

    private void openStruct(SchemaElement element, String prefix, int definitionMax, boolean repeated) {
        if (element.getNum_children() < 0) {
            throw new ParquetDefect("a struct of the schema has " + element.getNum_children() + " elements");
        }
        open.push(new Struct(prefix, definitionMax, repeated, element.getNum_children()));
        closeStructs();
    }

    private void closeStructs() {
        for (Struct last = open.peek(); last != null && last.missing == 0; last = open.peek()) {
            open.pop();
        }
    }

    /** Returns the number of columns with values of the object. */
    int leaves() {
        return leaves;
    }

    /** Returns the index of a column in the mapping by its index among the columns with values; -1 for any other. */
    int mappedIndex(int leaf) {
        for (int i = 0; i < paths.size(); i++) {
            LeafColumn column = found.get(paths.get(i));
            if (column != null && column.index() == leaf) {
                return i;
            }
        }
        return -1;
    }

    /**
     * Returns the mapped columns in the order of the paths.
     *
     * @throws ParquetDefect when the schema ended early, or a column is missing
     */
    List<LeafColumn> columns() {
        if (!began || !open.isEmpty()) {
            throw new ParquetDefect("the schema ends before its last element");
        }
        List<LeafColumn> columns = new ArrayList<>();
        for (String path : paths) {
            LeafColumn column = found.get(path);
            if (column == null) {
                throw new ParquetDefect(
                        "no column " + path,
                        "correct the mapping; the columns of the object are " + String.join(", ", firstNames)
                                + (leaves > firstNames.size() ? " and " + (leaves - firstNames.size()) + " more" : ""));
            }
            columns.add(column);
        }
        return columns;
    }
}
