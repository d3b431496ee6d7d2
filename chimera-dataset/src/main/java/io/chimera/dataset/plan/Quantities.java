package io.chimera.dataset.plan;

import java.util.Locale;

/**
 * Formats predicted amounts for people, with three digits: {@code 41.7 min}, {@code 12.5 MB/s}. Not for
 * configuration: {@code Durations} and {@code ByteSize} format exact values. Units are decimal, as prices and rates of
 * networks are.
 */
public final class Quantities {
    private static final String[] BYTE_UNITS = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
    private static final double[] SECONDS = {86_400, 3_600, 60, 1, 1e-3, 1e-6};
    private static final String[] TIME_UNITS = {"d", "h", "min", "s", "ms", "us"};

    /** Shortest duration in each unit: seconds up to 10 min, minutes up to 2 h, hours up to 2 d. */
    private static final double[] UNIT_STARTS_AT = {2 * 86_400, 2 * 3_600, 600, 1, 1e-3, 1e-6};

    private Quantities() {}

    /** Formats a duration, e.g. {@code 84.0 ms}; below a microsecond {@code 0 s}. */
    public static String duration(double seconds) {
        double size = Math.abs(seconds);
        if (Double.isInfinite(size)) {
            return "forever";
        }
        for (int unit = 0; unit < SECONDS.length; unit++) {
            if (size >= UNIT_STARTS_AT[unit]) {
                return digits(seconds / SECONDS[unit]) + " " + TIME_UNITS[unit];
            }
        }
        return "0 s";
    }

    /** Formats a number of bytes, e.g. {@code 1.50 GB}. */
    public static String bytes(long bytes) {
        return bytes((double) bytes);
    }

    /** Formats an expected number of bytes, e.g. {@code 1.50 GB}. */
    public static String bytes(double bytes) {
        double amount = bytes;
        int unit = 0;
        while (Math.abs(amount) >= 999.5 && unit < BYTE_UNITS.length - 1) {
            amount /= 1_000;
            unit++;
        }
        return (unit == 0 ? String.format(Locale.ROOT, "%.0f", amount) : digits(amount)) + " " + BYTE_UNITS[unit];
    }

    /** Formats a rate of bytes, e.g. {@code 12.5 MB/s}. */
    public static String rate(double bytesPerSecond) {
        return Double.isInfinite(bytesPerSecond) ? "no limit" : bytes(bytesPerSecond) + "/s";
    }

    /** Formats an amount of money, e.g. {@code 1.33 USD}; four decimals below a tenth. */
    public static String money(double amount, String currency) {
        String format = Math.abs(amount) < 0.1 && amount != 0 ? "%.4f %s" : "%.2f %s";
        return String.format(Locale.ROOT, format, amount, currency);
    }

    /** Formats a share, e.g. {@code 80 %}. */
    public static String percent(double share) {
        return String.format(Locale.ROOT, "%.0f %%", 100 * share);
    }

    private static String digits(double amount) {
        double size = Math.abs(amount);
        String format = size >= 99.95 ? "%.0f" : size >= 9.995 ? "%.1f" : "%.2f";
        return String.format(Locale.ROOT, format, amount);
    }
}
