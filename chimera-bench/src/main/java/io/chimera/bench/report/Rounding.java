package io.chimera.bench.report;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;

/** Rounds figures to their significant digits. */
public final class Rounding {
    private Rounding() {}

    /**
     * Rounds a value.
     *
     * @param decimals number of decimals
     * @param value a finite number
     */
    public static BigDecimal to(int decimals, double value) {
        return BigDecimal.valueOf(value).setScale(decimals, RoundingMode.HALF_UP);
    }

    /** Returns a figure for a table, with thousands separators; a dash for null. */
    public static String text(BigDecimal value) {
        return value == null ? "–" : String.format(Locale.ROOT, "%,." + Math.max(0, value.scale()) + "f", value);
    }
}
