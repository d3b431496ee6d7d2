package io.chimera.queue.parser;

import io.chimera.api.ColdPath;
import io.chimera.api.HotPath;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * Reads the times of syslog: RFC 3339 ({@code 2003-10-11T22:14:15.003Z}), and RFC 3164 ({@code Oct 11 22:14:15}), whose
 * year is the year that is nearest to the arrival. Not thread-safe; allocates only for a new quarter of an hour.
 */
final class SyslogTime {
    private static final byte[] MONTHS = {
        'J', 'a', 'n', 'F', 'e', 'b', 'M', 'a', 'r', 'A', 'p', 'r', 'M', 'a', 'y', 'J', 'u', 'n', 'J', 'u', 'l', 'A',
        'u', 'g', 'S', 'e', 'p', 'O', 'c', 't', 'N', 'o', 'v', 'D', 'e', 'c'
    };
    private static final int[] DAYS = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

    /** Length of {@code Oct 11 22:14:15}. */
    static final int OLD_LENGTH = 15;

    /** Length of {@code 2003-10-11T22:14:15}. */
    private static final int NEW_LENGTH = 19;

    private static final int NONE = -1;
    private static final long NS_PER_S = 1_000_000_000;
    private static final long SECONDS_PER_DAY = 86_400;

    /** Zones change their offset only at a multiple of a quarter of an hour, local time. */
    private static final int QUARTER_SECONDS = 900;

    private final ZoneId zone;
    private long quarter = Long.MIN_VALUE;
    private int quarterOffset;
    private long timeNs;

    /**
     * Creates a reader.
     *
     * @param zone zone of times without a zone
     */
    SyslogTime(ZoneId zone) {
        this.zone = zone;
    }

    /** Nanoseconds since 1970 of the last time read; -1 before 1970. */
    long timeNs() {
        return timeNs;
    }

    /** Reads a time of RFC 3339 that fills a range; false for any other text. */
    @HotPath
    boolean readNew(byte[] bytes, int from, int to) {
        if (to - from <= NEW_LENGTH
                || bytes[from + 4] != '-'
                || bytes[from + 7] != '-'
                || bytes[from + 10] != 'T'
                || !isClock(bytes, from + 11)) {
            return false;
        }
        int year = digits(bytes, from, 4);
        int month = digits(bytes, from + 5, 2);
        int day = digits(bytes, from + 8, 2);
        if (!isDate(year, month, day)) {
            return false;
        }
        int next = from + NEW_LENGTH;
        long fractionNs = 0;
        if (bytes[next] == '.') {
            long placeNs = NS_PER_S / 10;
            int first = ++next;
            while (next < to && bytes[next] >= '0' && bytes[next] <= '9') {
                fractionNs += (bytes[next++] - '0') * placeNs;
                placeNs /= 10;
            }
            if (next == first) {
                return false;
            }
        }
        int offset = offset(bytes, next, to);
        if (offset == Integer.MIN_VALUE) {
            return false;
        }
        long seconds = days(year, month, day) * SECONDS_PER_DAY + clock(bytes, from + 11) - offset;
        timeNs = seconds < 0 ? NONE : seconds * NS_PER_S + fractionNs;
        return seconds < Long.MAX_VALUE / NS_PER_S;
    }

    /** Seconds of a zone that fills a range; the smallest integer for any other text. */
    private static int offset(byte[] bytes, int from, int to) {
        if (to - from == 1 && bytes[from] == 'Z') {
            return 0;
        }
        if (to - from != 6 || (bytes[from] != '+' && bytes[from] != '-') || bytes[from + 3] != ':') {
            return Integer.MIN_VALUE;
        }
        int hours = digits(bytes, from + 1, 2);
        int minutes = digits(bytes, from + 4, 2);
        if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59) {
            return Integer.MIN_VALUE;
        }
        int seconds = hours * 3600 + minutes * 60;
        return bytes[from] == '-' ? -seconds : seconds;
    }

    /** Reads a time of RFC 3164 at the beginning of a range; false for any other text. */
    @HotPath
    boolean readOld(byte[] bytes, int from, int to, long arrivalNs) {
        if (to - from < OLD_LENGTH || bytes[from + 3] != ' ' || bytes[from + 6] != ' ' || !isClock(bytes, from + 7)) {
            return false;
        }
        int month = month(bytes, from);
        int day = bytes[from + 4] == ' ' ? digits(bytes, from + 5, 1) : digits(bytes, from + 4, 2);
        if (month == 0 || day < 1 || day > DAYS[month - 1] + (month == 2 ? 1 : 0)) {
            return false;
        }
        long nowSeconds = arrivalNs / NS_PER_S;
        int about = 1970 + (int) (nowSeconds / SECONDS_PER_DAY * 400 / 146_097);
        long nearest = NONE;
        for (int year = about - 1; year <= about + 2; year++) {
            if (isDate(year, month, day)) {
                long local = days(year, month, day) * SECONDS_PER_DAY + clock(bytes, from + 7);
                if (nearest == NONE || Math.abs(local - nowSeconds) < Math.abs(nearest - nowSeconds)) {
                    nearest = local;
                }
            }
        }
        long seconds = nearest - offset(nearest);
        timeNs = nearest < 0 || seconds < 0 ? NONE : seconds * NS_PER_S;
        return true;
    }

    private int offset(long localSeconds) {
        long current = Math.floorDiv(localSeconds, (long) QUARTER_SECONDS);
        if (current != quarter) {
            find(current);
        }
        return quarterOffset;
    }

    @ColdPath
    private void find(long current) {
        quarter = current;
        LocalDateTime local = LocalDateTime.ofEpochSecond(current * QUARTER_SECONDS, 0, ZoneOffset.UTC);
        quarterOffset = zone.getRules().getOffset(local).getTotalSeconds();
    }

    private static int month(byte[] bytes, int from) {
        for (int i = 0; i < MONTHS.length; i += 3) {
            if (bytes[from] == MONTHS[i] && bytes[from + 1] == MONTHS[i + 1] && bytes[from + 2] == MONTHS[i + 2]) {
                return i / 3 + 1;
            }
        }
        return 0;
    }

    private static boolean isClock(byte[] bytes, int from) {
        int hours = digits(bytes, from, 2);
        int minutes = digits(bytes, from + 3, 2);
        int seconds = digits(bytes, from + 6, 2);
        return bytes[from + 2] == ':'
                && bytes[from + 5] == ':'
                && hours >= 0
                && hours < 24
                && minutes >= 0
                && minutes < 60
                && seconds >= 0
                && seconds <= 60;
    }

    private static int clock(byte[] bytes, int from) {
        return digits(bytes, from, 2) * 3600 + digits(bytes, from + 3, 2) * 60 + digits(bytes, from + 6, 2);
    }

    private static int digits(byte[] bytes, int from, int count) {
        int value = 0;
        for (int i = from; i < from + count; i++) {
            int digit = bytes[i] - '0';
            if (digit < 0 || digit > 9) {
                return NONE;
            }
            value = value * 10 + digit;
        }
        return value;
    }

    private static boolean isDate(int year, int month, int day) {
        if (year < 0 || month < 1 || month > 12 || day < 1) {
            return false;
        }
        boolean leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        return day <= DAYS[month - 1] + (month == 2 && leap ? 1 : 0);
    }

    /** Days since 1970 of a date of the Gregorian calendar; the year begins in March, so that leap days come last. */
    private static long days(int year, int month, int day) {
        long shifted = month <= 2 ? year - 1 : year;
        long era = Math.floorDiv(shifted, 400L);
        long yearOfEra = shifted - era * 400;
        long dayOfYear = (153L * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
        long dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear;
        return era * 146_097 + dayOfEra - 719_468;
    }
}
