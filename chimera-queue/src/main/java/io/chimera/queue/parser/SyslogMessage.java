package io.chimera.queue.parser;

import io.chimera.api.HotPath;
import io.chimera.api.spi.PointSink;
import io.chimera.common.wire.BodyLayout;
import io.chimera.common.wire.Utf8;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.stream.Stream;

/**
 * Reads one syslog message of RFC 5424, or of RFC 3164 as it is in use, and passes a point of the metric {@code syslog}
 * to a sink. Tags: {@code facility}, {@code severity}, {@code host}, {@code app}. Text fields: {@code message}, {@code
 * procid}, {@code msgid}, and {@code sd.<id>.<name>} for structured data. Not thread-safe; allocates nothing per
 * message.
 */
final class SyslogMessage {
    /** Maximum number of parameters of structured data. */
    private static final int PARAMETERS_MAX = 64;

    private static final byte[] METRIC = ascii("syslog");
    private static final byte[] FACILITY = ascii("facility");
    private static final byte[] SEVERITY = ascii("severity");
    private static final byte[] HOST = ascii("host");
    private static final byte[] APP = ascii("app");
    private static final byte[] MESSAGE = ascii("message");
    private static final byte[] PROCID = ascii("procid");
    private static final byte[] MSGID = ascii("msgid");
    private static final byte[] SD = ascii("sd.");

    private static final byte[][] FACILITIES =
            words("kern,user,mail,daemon,auth,syslog,lpr,news,uucp,cron,authpriv,ftp,ntp,audit,alert,clock,"
                    + "local0,local1,local2,local3,local4,local5,local6,local7");
    private static final byte[][] SEVERITIES = words("emerg,alert,crit,err,warning,notice,info,debug");

    private final SyslogTime time;
    private final byte[] scratch = new byte[2 * BodyLayout.TEXT_LENGTH_MAX];

    /** Bounds of id, name and value of each parameter. */
    private final int[] parameters = new int[6 * PARAMETERS_MAX];

    private int parameterCount;
    private byte[] bytes;
    private int position;
    private int end;

    /** Bounds of the parts; a missing part does not end after its start. */
    private int hostStart;

    private int hostEnd;
    private int appStart;
    private int appEnd;
    private int procidStart;
    private int procidEnd;
    private int msgidStart;
    private int msgidEnd;
    private int priority;
    private boolean isTimed;

    /** Creates a reader; the zone belongs to times without a zone. */
    SyslogMessage(ZoneId zone) {
        time = new SyslogTime(zone);
    }

    /** Releases the message. */
    void release() {
        bytes = null;
    }

    /**
     * Finds the parts of a message.
     *
     * @return null without an error
     */
    @HotPath
    ParseError read(byte[] source, int from, int to, long arrivalNs) {
        bytes = source;
        position = from;
        end = to;
        clear();
        if (!Utf8.isValid(source, from, to)) {
            return ParseError.NOT_UTF8;
        }
        if (!readPriority()) {
            return ParseError.SYSLOG_NO_PRIORITY;
        }
        if (end - position >= 2 && bytes[position] == '1' && bytes[position + 1] == ' ') {
            position += 2;
            return readNew();
        }
        readOld(arrivalNs);
        return null;
    }

    private void clear() {
        hostStart = 0;
        hostEnd = 0;
        appStart = 0;
        appEnd = 0;
        procidStart = 0;
        procidEnd = 0;
        msgidStart = 0;
        msgidEnd = 0;
        parameterCount = 0;
        isTimed = false;
    }

    private boolean readPriority() {
        int i = position + 1;
        priority = 0;
        while (i < end && i <= position + 3 && bytes[i] >= '0' && bytes[i] <= '9') {
            priority = priority * 10 + bytes[i] - '0';
            i++;
        }
        boolean isPriority = position < end
                && bytes[position] == '<'
                && i > position + 1
                && i < end
                && bytes[i] == '>'
                && priority < FACILITIES.length * SEVERITIES.length;
        position = i + 1;
        return isPriority;
    }

    private ParseError readNew() {
        int start = position;
        if (!word()) {
            return ParseError.SYSLOG_BAD_HEADER;
        }
        if (!isNil(start)) {
            isTimed = time.readNew(bytes, start, position - 1);
            if (!isTimed) {
                return ParseError.SYSLOG_BAD_TIME;
            }
        }
        hostStart = position;
        boolean isWhole = word();
        hostEnd = isNil(hostStart) ? hostStart : position - 1;
        appStart = position;
        isWhole = isWhole && word();
        appEnd = isNil(appStart) ? appStart : position - 1;
        procidStart = position;
        isWhole = isWhole && word();
        procidEnd = isNil(procidStart) ? procidStart : position - 1;
        msgidStart = position;
        isWhole = isWhole && word();
        msgidEnd = isNil(msgidStart) ? msgidStart : position - 1;
        if (!isWhole) {
            return ParseError.SYSLOG_BAD_HEADER;
        }
        ParseError wrong = readData();
        if (wrong == null) {
            skipMark();
        }
        return wrong;
    }

    /** Moves after the next space; false without a word or a space. */
    private boolean word() {
        int start = position;
        while (position < end && bytes[position] != ' ') {
            position++;
        }
        return position > start && position++ < end;
    }

    private boolean isNil(int start) {
        return position - start == 2 && bytes[start] == '-';
    }

    /** Reads structured data and the space before the text. */
    private ParseError readData() {
        int start = position;
        while (position < end && bytes[position] == '[') {
            ParseError wrong = readElement();
            if (wrong != null) {
                return wrong;
            }
        }
        if (position == start) {
            if (position == end || bytes[position] != '-') {
                return ParseError.SYSLOG_BAD_DATA;
            }
            position++;
        }
        if (position == end) {
            return null;
        }
        return bytes[position++] == ' ' ? null : ParseError.SYSLOG_BAD_DATA;
    }

    private ParseError readElement() {
        int id = ++position;
        int idEnd = name();
        while (position < end && bytes[position] == ' ') {
            int name = ++position;
            int nameEnd = name();
            if (nameEnd == name || end - position < 2 || bytes[position] != '=' || bytes[position + 1] != '"') {
                return ParseError.SYSLOG_BAD_DATA;
            }
            if (parameterCount == PARAMETERS_MAX) {
                return ParseError.SYSLOG_MUCH_DATA;
            }
            int value = position + 2;
            position = value;
            while (position < end && bytes[position] != '"') {
                position += bytes[position] == '\\' ? 2 : 1;
            }
            if (position >= end) {
                return ParseError.SYSLOG_BAD_DATA;
            }
            int at = 6 * parameterCount++;
            parameters[at] = id;
            parameters[at + 1] = idEnd;
            parameters[at + 2] = name;
            parameters[at + 3] = nameEnd;
            parameters[at + 4] = value;
            parameters[at + 5] = position++;
        }
        boolean isEnded = idEnd > id && position < end && bytes[position] == ']';
        position++;
        return isEnded ? null : ParseError.SYSLOG_BAD_DATA;
    }

    private int name() {
        while (position < end
                && bytes[position] > ' '
                && bytes[position] != '='
                && bytes[position] != ']'
                && bytes[position] != '"') {
            position++;
        }
        return position;
    }

    private void skipMark() {
        if (end - position >= 3
                && bytes[position] == (byte) 0xEF
                && bytes[position + 1] == (byte) 0xBB
                && bytes[position + 2] == (byte) 0xBF) {
            position += 3;
        }
    }

    /** Reads time, host and tag as far as they are present; the rest is the text. */
    private void readOld(long arrivalNs) {
        int start = position;
        if (time.readOld(bytes, position, end, arrivalNs)) {
            position += SyslogTime.OLD_LENGTH;
            isTimed = position < end && bytes[position++] == ' ';
        } else {
            isTimed = word() && time.readNew(bytes, start, position - 1);
        }
        if (!isTimed) {
            position = start;
            return;
        }
        hostStart = position;
        if (!word()) {
            position = hostStart;
            return;
        }
        hostEnd = position - 1;
        readTag();
    }

    /** Reads {@code app[procid]: }; without the colon the text begins here. */
    private void readTag() {
        int start = position;
        int i = start;
        while (i < end && bytes[i] > ' ' && bytes[i] != ':' && bytes[i] != '[') {
            i++;
        }
        int tagEnd = i;
        int id = i + 1;
        if (i < end && bytes[i] == '[') {
            while (i < end && bytes[i] > ' ' && bytes[i] != ']') {
                i++;
            }
            i++;
        }
        if (tagEnd == start || i >= end || bytes[i] != ':') {
            return;
        }
        appStart = start;
        appEnd = tagEnd;
        procidStart = id;
        procidEnd = Math.max(id, i - 1);
        position = i + 1;
        if (position < end && bytes[position] == ' ') {
            position++;
        }
    }

    /** Bytes of text of the point, with the names of the parameters. */
    int textLength() {
        int length = end - position + hostEnd - hostStart + appEnd - appStart + 128;
        for (int i = 0; i < parameterCount; i++) {
            int at = 6 * i;
            length += parameters[at + 1] - parameters[at] + parameters[at + 5] - parameters[at + 2] + 8;
        }
        return length;
    }

    /** Passes the message read to the sink; the caller begins and ends the point. */
    @HotPath
    void write(PointSink sink) {
        sink.metric(METRIC, 0, METRIC.length);
        byte[] facility = FACILITIES[priority / SEVERITIES.length];
        byte[] severity = SEVERITIES[priority % SEVERITIES.length];
        sink.tag(FACILITY, 0, FACILITY.length, facility, 0, facility.length);
        sink.tag(SEVERITY, 0, SEVERITY.length, severity, 0, severity.length);
        if (hostEnd > hostStart) {
            sink.tag(HOST, 0, HOST.length, bytes, hostStart, hostEnd - hostStart);
        }
        if (appEnd > appStart) {
            sink.tag(APP, 0, APP.length, bytes, appStart, appEnd - appStart);
        }
        if (isTimed) {
            sink.time(time.timeNs());
        }
        sink.textField(MESSAGE, 0, MESSAGE.length, bytes, position, end - position);
        if (procidEnd > procidStart) {
            sink.textField(PROCID, 0, PROCID.length, bytes, procidStart, procidEnd - procidStart);
        }
        if (msgidEnd > msgidStart) {
            sink.textField(MSGID, 0, MSGID.length, bytes, msgidStart, msgidEnd - msgidStart);
        }
        for (int i = 0; i < parameterCount; i++) {
            writeParameter(6 * i, sink);
        }
    }

    private void writeParameter(int at, PointSink sink) {
        System.arraycopy(SD, 0, scratch, 0, SD.length);
        int used = copy(parameters[at], parameters[at + 1], SD.length);
        scratch[used++] = '.';
        int nameLength = copy(parameters[at + 2], parameters[at + 3], used);
        used = nameLength;
        int from = parameters[at + 4];
        int to = parameters[at + 5];
        for (int i = from; i < to; i++) {
            boolean isEscape = bytes[i] == '\\'
                    && i + 1 < to
                    && (bytes[i + 1] == '"' || bytes[i + 1] == '\\' || bytes[i + 1] == ']');
            scratch[used++] = bytes[isEscape ? ++i : i];
        }
        sink.textField(scratch, 0, nameLength, scratch, nameLength, used - nameLength);
    }

    private int copy(int from, int to, int at) {
        System.arraycopy(bytes, from, scratch, at, to - from);
        return at + to - from;
    }

    private static byte[][] words(String text) {
        return Stream.of(text.split(",")).map(SyslogMessage::ascii).toArray(byte[][]::new);
    }

    private static byte[] ascii(String word) {
        return word.getBytes(StandardCharsets.US_ASCII);
    }
}
