package chimera.examples.csv;

import io.chimera.api.spi.Outlet;
import io.chimera.api.spi.BlockState;
import io.chimera.api.spi.PluginContext;
import io.chimera.api.spi.PointBuilder;
import io.chimera.api.spi.PointView;
import io.chimera.api.spi.Text;
import io.chimera.api.spi.Transform;
import io.chimera.api.spi.TransformType;
import java.nio.file.Path;
import java.util.List;

/**
 * Finds the value of a tag in the first column of a CSV file, and adds the other columns as tags. Points with an unknown
 * value leave unchanged by the gate {@code unknown}. The file must be the same on all nodes. Each block reads the file
 * once, at its creation.
 */
public final class EnrichCsv implements TransformType {
    private static final int KNOWN = 0;
    private static final int UNKNOWN = 1;

    /**
     * Configuration of the block.
     *
     * @param file the table; its first line names the columns
     * @param tag the tag with the value to find
     */
    public record Settings(Path file, String tag) {
        /** Refuses missing keys. */
        public Settings {
            if (file == null) {
                throw new IllegalArgumentException("file is missing; name a CSV file whose first line names its columns");
            }
            if (tag == null || tag.isEmpty()) {
                throw new IllegalArgumentException("tag is missing; name the tag whose values are in the first column");
            }
        }
    }

    /** Called by the ServiceLoader. */
    public EnrichCsv() {}

    @Override
    public String name() {
        return "enrich_csv";
    }

    @Override
    public Class<? extends Record> settings() {
        return Settings.class;
    }

    @Override
    public List<String> gates(PluginContext context) {
        return List.of(OUT, "unknown");
    }

    @Override
    public BlockState state(PluginContext context) {
        return BlockState.NONE;
    }

    @Override
    public Transform create(PluginContext context) {
        Settings settings = context.settings(Settings.class);
        return new Enrich(settings.tag(), Table.read(settings.file()));
    }

    private static final class Enrich implements Transform {
        private final String tag;
        private final Table table;

        Enrich(String tag, Table table) {
            this.tag = tag;
            this.table = table;
        }

        @Override
        public void apply(PointView point, Outlet out) {
            Text value = point.tag(tag);
            String[] row = value == null ? null : table.row(value);
            if (row == null) {
                out.pass(UNKNOWN);
                return;
            }
            PointBuilder richer = out.point(KNOWN).series();
            for (int column = 1; column < row.length; column++) {
                if (!row[column].isEmpty()) {
                    richer.tag(table.column(column), row[column]);
                }
            }
            for (int field = 0; field < point.fields(); field++) {
                richer.copy(point.fieldName(field), field);
            }
            richer.end();
        }
    }
}
