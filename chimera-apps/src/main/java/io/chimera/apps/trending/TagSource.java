package io.chimera.apps.trending;

import java.util.Arrays;
import java.util.Locale;

/**
 * Draws the hashtags of a moment: most from a vocabulary by Zipf's law, the rest from the current trends. A new trend
 * begins every half minute, rises for a minute and falls for three. One thread.
 */
final class TagSource {
    private static final int VOCABULARY = 20_000;

    /** Share of tags from a trend, in thousandths. */
    private static final int TRENDING_PERMILLE = 350;

    private static final int TREND_EVERY_S = 30;
    private static final int RISE_S = 60;
    private static final int FALL_S = 180;
    private static final int TRENDS_MAX = (RISE_S + FALL_S) / TREND_EVERY_S;

    /** Syllables of several scripts. Every syllable of the last script is a surrogate pair in UTF-16. */
    private static final String[][] SCRIPTS = {
        {"ka", "re", "no", "ti", "su", "mo", "la", "vi", "po", "da"},
        {"ca", "ré", "ñu", "té", "sü", "mó", "lá", "vi", "pø", "da"},
        {"ка", "ре", "но", "ти", "су", "мо", "ла", "ви", "по", "да"},
        {"サ", "ッ", "カ", "ー", "日", "本", "代", "表", "勝", "利"},
        {"كا", "ري", "نو", "تي", "سو", "مو", "لا", "في", "بو", "دا"},
        {"𠮷", "𠀋", "𡈽", "𡌛", "𡑮", "𡢽", "𠮟", "𡚴", "𡸴", "𣇄"}
    };

    /** Index: tag number modulo the length; value: script of the tag. Most tags are ASCII. */
    private static final int[] SCRIPT_OF = {0, 0, 0, 1, 0, 0, 2, 0, 3, 0, 0, 4, 0, 0, 3, 0, 5, 0, 0, 1};

    private static final double[] CUMULATIVE = zipf();

    private static double[] zipf() {
        double[] sums = new double[VOCABULARY];
        double sum = 0;
        for (int rank = 0; rank < VOCABULARY; rank++) {
            sum += 1.0 / (rank + 1);
            sums[rank] = sum;
        }
        return sums;
    }

    private final double[] weights = new double[TRENDS_MAX];

    /** Draws a tag of a second, in a random spelling. */
    String draw(Draws draws, long second) {
        return spelled(draws, draws.permille(TRENDING_PERMILLE) ? trend(draws, second) : usual(draws));
    }

    private static long usual(Draws draws) {
        int place = Arrays.binarySearch(CUMULATIVE, draws.unit() * CUMULATIVE[VOCABULARY - 1]);
        return place < 0 ? ~place : place;
    }

    private long trend(Draws draws, long second) {
        long newest = second / TREND_EVERY_S;
        double sum = 0;
        for (int i = 0; i < TRENDS_MAX; i++) {
            long age = second - (newest - i) * TREND_EVERY_S;
            weights[i] = newest < i ? 0 : 1 + (age < RISE_S ? age * FALL_S / RISE_S : RISE_S + FALL_S - age);
            sum += weights[i];
        }
        double drawn = draws.unit() * sum;
        int i = 0;
        while (i < TRENDS_MAX - 1 && drawn >= weights[i]) {
            drawn -= weights[i++];
        }
        return VOCABULARY + Math.max(0, newest - i);
    }

    /** Draws the spelling of a tag: lower case, capitalised, or upper case. */
    private static String spelled(Draws draws, long number) {
        String tag = tag(number);
        int taste = draws.below(10);
        if (taste < 6) {
            return tag;
        }
        return taste < 9
                ? tag.substring(0, 1).toUpperCase(Locale.ROOT) + tag.substring(1)
                : tag.toUpperCase(Locale.ROOT);
    }

    /** Builds the tag of a number: each digit becomes a syllable. */
    private static String tag(long number) {
        int script = SCRIPT_OF[(int) (number % SCRIPT_OF.length)];
        StringBuilder tag = new StringBuilder();
        String digits = Long.toString(number + 10);
        for (int i = 0; i < digits.length(); i++) {
            tag.append(SCRIPTS[script][digits.charAt(i) - '0']);
        }
        return tag.toString();
    }

    /** Returns the normal form of a tag: each code point in lower case. */
    static String counted(String tag) {
        StringBuilder counted = new StringBuilder();
        tag.codePoints().map(Character::toLowerCase).forEach(counted::appendCodePoint);
        return counted.toString();
    }
}
