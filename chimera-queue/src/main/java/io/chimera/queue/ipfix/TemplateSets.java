package io.chimera.queue.ipfix;

/** Reads the sets of templates of IPFIX (RFC 7011, 3.4) and of NetFlow 9 (RFC 3954, 5.2 and 6.1). */
final class TemplateSets {
    /** Number of the first set with data. */
    static final int DATA_SETS = 256;

    /** More fields than the templates of real exporters have; a template of so many takes 8 KiB here. */
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

    /** Whether a set of this number has templates. */
    static boolean isTemplates(int set, boolean ipfix) {
        return ipfix
                ? set == IPFIX_TEMPLATES || set == IPFIX_OPTIONS
                : set == NETFLOW_TEMPLATES || set == NETFLOW_OPTIONS;
    }

    /**
     * Reads all templates of a set.
     *
     * @param from who sends them
     * @param set number of the set
     * @param input holds it
     * @param start first byte behind the set's header
     * @param limit behind the last
     * @param ipfix whether it is IPFIX, or NetFlow 9
     * @param timeNs when they came
     * @return what is wrong, or null; the templates ahead of it were taken
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

    /** Zeros up to the end of the set: no template has the number 0. */
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
            return "an options template ends ahead of its fields";
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
        if (!isIpfix) { // bytes of the scope fields, bytes of the others
            return take(id, (second + third) / SPECIFIER_LENGTH, true, second / SPECIFIER_LENGTH);
        }
        return third == 0 || third > second
                ? "an options template has no scope, or more of them than fields"
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

    /** The first fields of NetFlow's options are scopes, whose numbers are of a list of their own and say nothing here. */
    private String take(int id, int fields, boolean isOptions, int foreign) {
        if (id < DATA_SETS) {
            return "a template has a number below 256";
        }
        if (fields == 0 || fields > FIELDS_MAX || fields * SPECIFIER_LENGTH > end - position) {
            return "a template has no fields, more than 512, or more than its set has room for";
        }
        long[] keys = new long[fields];
        int[] lengths = new int[fields];
        long recordLength = 0;
        for (int i = 0; i < fields; i++) {
            if (end - position < SPECIFIER_LENGTH) {
                return "a template ends ahead of its last field";
            }
            int number = ByteField.u16(bytes, position);
            int length = ByteField.u16(bytes, position + 2);
            position += SPECIFIER_LENGTH;
            long enterprise = 0;
            if (isIpfix && (number & Elements.ENTERPRISE_BIT) != 0) {
                if (end - position < SPECIFIER_LENGTH) {
                    return "a template ends ahead of the number of an enterprise";
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
            return "a template's records have no bytes";
        }
        exporter.template(id, new Template(keys, lengths, isOptions, nowNs));
        return null;
    }
}
