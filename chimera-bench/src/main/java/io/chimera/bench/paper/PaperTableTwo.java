package io.chimera.bench.paper;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Line of Table II: the paper's figures in millions per second, each with its row of the comparison.
 *
 * @param direction direction and network
 * @param cells parsing, ring buffer, journaler, channel, extraction and staging
 */
record PaperTableTwo(String direction, List<Cell> cells) {
    private static final String RING = PaperCatalog.RING + 10_000;
    private static final String JOURNAL = PaperCatalog.JOURNAL_TMPFS + 10_000;

    /** The lines in the order of the paper. */
    static final List<PaperTableTwo> LINES = List.of(
            new PaperTableTwo("inbound, 1 Gbit/s", cells("6", "4.3", "4.3", network())),
            new PaperTableTwo("outbound, 1 Gbit/s", cells("4.3", "4.3", "3.7", network())),
            new PaperTableTwo("inbound, local", cells("6", "4.3", "4.3", local("4.3"))),
            new PaperTableTwo("outbound, local", cells("4.3", "4.3", "3.7", local("4.2"))));

    /**
     * Cell of the table.
     *
     * @param paper figure of the paper
     * @param row row of the comparison
     */
    record Cell(String paper, String row) {}

    private static List<Cell> network() {
        return List.of(
                new Cell("0.2", PaperCatalog.CHANNEL_1GBIT),
                new Cell("0.2", PaperCatalog.FOLD_1GBIT),
                new Cell("0.2", PaperCatalog.FOLD_1GBIT));
    }

    private static List<Cell> local(String channel) {
        return List.of(
                new Cell(channel, PaperCatalog.CHANNEL_LOCAL),
                new Cell("0.9", PaperCatalog.EXTRACT_ALL),
                new Cell("0.9", PaperCatalog.FOLD_LOCAL));
    }

    private static List<Cell> cells(String parsing, String ring, String journal, List<Cell> others) {
        boolean isOutbound = journal.equals("3.7");
        List<Cell> cells = new ArrayList<>(List.of(
                new Cell(parsing, PaperCatalog.PARSE_ALL),
                new Cell(ring, RING),
                new Cell(journal, isOutbound ? PaperCatalog.JOURNAL_READ : JOURNAL)));
        cells.addAll(others);
        return List.copyOf(cells);
    }

    /**
     * Returns the line for a table.
     *
     * @param here returns the figure of a row here
     */
    String text(UnaryOperator<String> here) {
        StringBuilder line = new StringBuilder("| ").append(direction);
        for (Cell cell : cells) {
            line.append(" | ").append(cell.paper()).append(" / ").append(here.apply(cell.row()));
        }
        return line.append(" |").toString();
    }
}
