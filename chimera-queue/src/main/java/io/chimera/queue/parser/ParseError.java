package io.chimera.queue.parser;

/**
 * Errors of the line protocols with a fixed text, and errors of a data point in KairosDB's JSON. The text of the latter
 * is a suffix to the name of the data point. Errors with other details in their text have no constant.
 */
enum ParseError {
    LINE_TOO_LONG("line longer than 64 KiB"),
    NOT_UTF8("not UTF-8"),
    LONE_RETURN("carriage return without line feed"),
    BAD_COMMENT("control character in a comment"),

    /** The input ended inside quoted text. */
    UNCLOSED_QUOTE("missing closing quote"),
    NO_METRIC("missing metric"),
    NO_TAG_NAME("missing tag name"),
    NO_TAG_VALUE("missing tag value"),
    NO_FIELDS("missing fields"),
    NO_FIELD_NAME("missing field name"),
    NO_FIELD_VALUE("missing field value"),
    BAD_METRIC("comma or space expected after the metric"),
    BAD_FIELD_VALUE("invalid field value: a number, true, false or text in double quotes is expected"),
    BAD_NUMBER("invalid number"),
    NUMBER_TOO_LARGE("number out of range"),
    BAD_BOOLEAN("invalid boolean: t, true, f or false is expected"),
    BAD_FIELD_END("comma, space or line end expected after a field"),
    BAD_TIME("invalid timestamp"),
    TIME_TOO_LARGE("timestamp out of range"),
    BAD_END("line end expected after the timestamp"),

    TELNET_UNKNOWN("unknown command: put, putm or puts is expected"),
    TELNET_NO_METRIC("missing metric: put <metric> <time> <value> <tag>=<value> is expected"),
    TELNET_NO_TIME("missing time"),
    TELNET_NO_VALUE("missing value"),
    TELNET_BAD_TIME("invalid time: an integer is expected"),
    UNIX_BAD_TIME("invalid time: a number of seconds or milliseconds is expected"),
    TELNET_TIME_TOO_LARGE("time out of range"),
    TELNET_BAD_VALUE("invalid value: a number is expected"),
    TELNET_BAD_TAG("a tag must be in the format name=value"),
    TELNET_NO_TAG_NAME("tag name may not be empty"),
    TELNET_NO_TAG_VALUE("tag value may not be empty"),
    TELNET_BAD_TTL("tag kairos_opt.ttl must be a number"),

    GRAPHITE_NO_METRIC("the template leaves no metric of the path"),
    GRAPHITE_TOO_LONG("path longer than 64 KiB"),
    PICKLE_TOO_LONG("message longer than 1 MiB, or with too many values"),
    PICKLE_CUT_OFF("the message is cut off"),
    PICKLE_BAD("the message is not a pickled list of tuples, texts and numbers"),
    PICKLE_BAD_POINT("(path, (time, value)) is expected"),

    OPENTSDB_UNKNOWN("unknown command: put, putm, version, stats, help or exit is expected"),
    OPENTSDB_NO_OBJECT("a data point must be a JSON object"),
    OPENTSDB_NO_END("unexpected text after the JSON document"),
    OPENTSDB_BAD_TAGS("tags must be an object of names and values that are not empty"),
    OPENTSDB_TOO_LONG("data point longer than 64 KiB"),

    STATSD_BAD_TYPE("unknown type: c, g, ms, h, d or s is expected"),
    STATSD_BAD_RATE("invalid sample rate: a number above 0 and up to 1 is expected"),
    STATSD_BAD_SECTION("unknown section: @rate, #tags or Ttime is expected"),
    STATSD_MANY_VALUES("more than 1,024 values in a line: only the first 1,024 are stored"),
    STATSD_RELATIVE("a gauge with a sign is relative: set statsd.relative_gauges of the input to delta or absolute"),

    SYSLOG_BAD_LENGTH("message longer than 64 KiB, or without its valid length"),
    SYSLOG_NO_PRIORITY("a priority from <0> to <191> is expected"),
    SYSLOG_BAD_HEADER("time, host, app, process, message id and structured data are expected (RFC 5424)"),
    SYSLOG_BAD_TIME("invalid time: for example 2003-10-11T22:14:15.003Z or - is expected"),
    SYSLOG_BAD_DATA("invalid structured data: - or [id name=\"value\"] is expected"),
    SYSLOG_MUCH_DATA("more than 64 parameters of structured data"),

    JSON_POINT_TOO_LONG(" is too long."),
    JSON_NO_TIME(".timestamp cannot be null or empty."),
    JSON_TIME_NULL(".timestamp may not be null."),
    JSON_BAD_TIME(".timestamp must be an integer."),
    JSON_TIME_TOO_LARGE(".timestamp is out of range."),
    JSON_NO_VALUE(".value cannot be null or empty."),
    JSON_VALUE_EMPTY(".value may not be empty."),
    JSON_VALUE_NESTED(" value is an invalid type"),
    JSON_NO_LONG(".value must be a long."),
    JSON_NO_DOUBLE(".value must be a double."),
    JSON_NOT_FINITE(".value is NaN or infinite: aggregates cannot store such a value."),
    JSON_UNKNOWN_TYPE(".type is unknown: long, double or string is expected.");

    private final String text;

    ParseError(String text) {
        this.text = text;
    }

    /** Reason for the sender of a rejected line or data point. */
    String text() {
        return text;
    }
}
