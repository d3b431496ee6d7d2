package io.chimera.flow.ipfix.collector;

import io.chimera.api.ColdPath;
import io.chimera.flow.ipfix.Elements;
import io.chimera.flow.ipfix.WireFormat;

/** Reads template sets of IPFIX (RFC 7011, 3.4) and of NetFlow 9 (RFC 3954, 5.2 and 6.1). */
final class TemplateSets {
    /** Limit of fields per template. Real exporters use fewer; a template of this size takes 8 KiB of memory. */
    static final int FIELDS_MAX = 512;

    private static final int IPFIX_TEMPLATES = 2;
    private static final int IPFIX_OPTIONS = 3;
    private static final int NETFLOW_TEMPLATES = 0;
    private static final int NETFLOW_OPTIONS = 1;
    private static final int SPECIFIER_LENGTH = 4;

    private byte[] bytes;
    private int position;
    private int end;
    private boolean isIpfix;
    private Exporter exporter;
    private long nowNs;

    /** Whether a set with this number holds templates. */
    static boolean isTemplates(int set, boolean ipfix) {
        return ipfix
                ? set == IPFIX_TEMPLATES || set == IPFIX_OPTIONS
                : set == NETFLOW_TEMPLATES || set == NETFLOW_OPTIONS;
    }

    /**
     * Reads all templates of a set.
     *
     * @param from exporter of the set
     * @param set number of the set
     * @param input array with the set
     * @param start first byte after the set header
     * @param limit first byte after the set
     * @param ipfix true for IPFIX, false for NetFlow 9
     * @param timeNs arrival time
     * @return description of an error, or null; templates before the error were accepted
     */
    String read(Exporter from, int set, byte[] input, int start, int limit, boolean ipfix, long timeNs) {
        exporter = from;
        bytes = input;
        position = start;
        end = limit;
        isIpfix = ipfix;
        nowNs = timeNs;
        String wrong = null;
        while (wrong == null && end - position >= SPECIFIER_LENGTH && !isPadding()) {
            wrong = set == (ipfix ? IPFIX_OPTIONS : NETFLOW_OPTIONS) ? options() : template();
        }
        return wrong;
    }

    /** Whether only zeros remain in the set: no template has the number 0. */
    private boolean isPadding() {
        return ByteField.isZero(bytes, position, end - position);
    }

    private String template() {
        int id = ByteField.u16(bytes, position);
        int fields = ByteField.u16(bytes, position + 2);
        position += 4;
        if (fields == 0 && isIpfix) {
            withdraw(id, IPFIX_TEMPLATES, false);
            return null;
        }
        return take(id, fields, false);
    }

    private String options() {
        if (end - position < 6) {
            return "options template ends before its fields";
        }
        int id = ByteField.u16(bytes, position);
        int second = ByteField.u16(bytes, position + 2);
        if (isIpfix && second == 0) {
            position += 4;
            withdraw(id, IPFIX_OPTIONS, true);
            return null;
        }
        int third = ByteField.u16(bytes, position + 4);
        position += 6;
        if (!isIpfix) { // bytes of the scope fields, bytes of the other fields
            return take(id, (second + third) / SPECIFIER_LENGTH, true, second / SPECIFIER_LENGTH);
        }
        return third == 0 || third > second
                ? "options template has no scope field, or more scope fields than fields"
                : take(id, second, true);
    }

    private void withdraw(int id, int set, boolean isOptions) {
        if (id == set) {
            exporter.withdrawAll(isOptions);
        } else {
            exporter.withdraw(id);
        }
    }

    private String take(int id, int fields, boolean isOptions) {
        return take(id, fields, isOptions, 0);
    }

    /**
     * Reads the fields of a template. The first {@code foreign} fields are scopes of a NetFlow 9 options template:
     * scope numbers come from a separate registry and are skipped.
     */
    @ColdPath
    private String take(int id, int fields, boolean isOptions, int foreign) {
        if (id < WireFormat.DATA_SETS) {
            return "template number below 256";
        }
        if (fields == 0 || fields > FIELDS_MAX || fields * SPECIFIER_LENGTH > end - position) {
            return "template has no fields, more than 512 fields, or more fields than fit into the set";
        }
        long[] keys = new long[fields];
        int[] lengths = new int[fields];
        long recordLength = 0;
        for (int i = 0; i < fields; i++) {
            if (end - position < SPECIFIER_LENGTH) {
                return "template ends before its last field";
            }
            int number = ByteField.u16(bytes, position);
            int length = ByteField.u16(bytes, position + 2);
            position += SPECIFIER_LENGTH;
            long enterprise = 0;
            if (isIpfix && (number & Elements.ENTERPRISE_BIT) != 0) {
                if (end - position < SPECIFIER_LENGTH) {
                    return "template ends before an enterprise number";
                }
                enterprise = ByteField.u32(bytes, position);
                number &= ~Elements.ENTERPRISE_BIT;
                position += SPECIFIER_LENGTH;
            }
            keys[i] = i < foreign ? Elements.PADDING_OCTETS : Template.key(enterprise, number);
            lengths[i] = isIpfix && length == Elements.VARIABLE_LENGTH ? Template.VARIABLE : length;
            recordLength += Math.abs(lengths[i]);
        }
        if (recordLength == 0) {
            return "template describes records of 0 bytes";
        }
        exporter.template(id, new Template(keys, lengths, isOptions, nowNs));
        return null;
    }
}
