package io.chimera.bench.report;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;

/** Figures are written with as many digits as they are worth. */
public final class Rounding {
    private Rounding() {}

    /**
     * Rounds.
     *
     * @param decimals digits behind the point
     * @param value a finite number
     */
    public static BigDecimal to(int decimals, double value) {
        return BigDecimal.valueOf(value).setScale(decimals, RoundingMode.HALF_UP);
    }

    /** A figure for a table, with commas between thousands; a dash when there is none. */
    public static String text(BigDecimal value) {
        return value == null ? "–" : String.format(Locale.ROOT, "%,." + Math.max(0, value.scale()) + "f", value);
    }
}
